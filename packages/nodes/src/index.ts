export { lookupNodeType } from './lookup/index.ts';
export { pythonNodeType } from './python/python-node-type.ts';
export { parseChat } from './llm/parse-chat.ts';
