export { IndexError } from './index-error.ts';
export type { KeywordIndex, SearchOptions } from './keyword-index.ts';
export { lookupNodeType } from './lookup-node-type.ts';
export { openIndex } from './open-index.ts';
