export { askVirtualApi, type VirtualApiServer } from './ask-virtual-api.ts';
export { decodeBeams, decodeGreedy, decodeUnconstrained, type NextLogits, rankAll } from './constrained-decoding.ts';
export { type ActionDocument, documentAction, tokenOf } from './document-action.ts';
export {
  type EpisodeOptions,
  type EpisodeState,
  finishToken,
  retryTemperatures,
  startEpisode,
} from './episode-state.ts';
export { actionRequest, type EpisodeStep, fullThought, nextState } from './next-state.ts';
export { type ActionResult, type ApiAnswer, type ApiPlace, type ApiRequest, runAction } from './run-action.ts';
export {
  answerVirtualApi,
  findApi,
  type Simulated,
  type SimulatedCall,
  sharedPlaces,
  simulateOnce,
  type VirtualApiReply,
  type VirtualApis,
} from './serve-virtual-api.ts';
export { findCollisions, functionNameOf, standardize, unreserved } from './standard-name.ts';
export { TokenTrie, TokenTrieError } from './token-trie.ts';
export { toolAnswers } from './tool-answers.ts';
export {
  atomicToken,
  finishIds,
  hierarchicalPaths,
  type IndexingScheme,
  numericToken,
  numericWidth,
} from './tool-index.ts';
export {
  keyOf,
  type RecalledCall,
  type RecordedAnswer,
  RecordedAnswerError,
  type RecordedAnswers,
  readRecordedAnswers,
  recallAnswer,
  simulatedAnswer,
} from './virtual-api.ts';
