export { IndexError } from '../embedded-index/index-error.ts';
export { lookupNodeType } from './lookup-node-type.ts';
export { type KeywordIndex, type KeywordOptions, openIndex } from './open-index.ts';
