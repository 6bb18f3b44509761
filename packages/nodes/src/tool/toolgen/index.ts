export { decodeBeams, decodeGreedy, decodeUnconstrained, type NextLogits, rankAll } from './constrained-decoding.ts';
export { type ActionResult, type ApiAnswer, type ApiPlace, type ApiRequest, runAction } from './run-action.ts';
export { findCollisions, functionNameOf, standardize, unreserved } from './standard-name.ts';
export { TokenTrie, TokenTrieError } from './token-trie.ts';
export { atomicToken, hierarchicalPaths, type IndexingScheme, numericToken, numericWidth } from './tool-index.ts';
