export { pythonFileParts } from './flow-workers.ts';
export { preparePythonNode, preparePythonPackage } from './prepare-python-node.ts';
