export { IndexError } from '../embedded-index/index-error.ts';
export { type KeywordIndex, type KeywordOptions, openIndex } from './open-index.ts';
