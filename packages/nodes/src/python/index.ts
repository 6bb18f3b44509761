export {
  type PythonOptions,
  preparePythonNode,
  preparePythonPackage,
  pythonFileParts,
} from './prepare-python-node.ts';
