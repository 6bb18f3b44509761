export { lookupNodeType } from './lookup/index.ts';
export { pythonNodeType } from './python/python-node-type.ts';
