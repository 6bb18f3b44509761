export type { AskedCall, ModelTurn } from './model-turn.ts';
export { offerToolsNodeType } from './offer-tools-node-type.ts';
export { readTurn } from './read-turn.ts';
export { type AnsweredCall, lastSteps, type Shown, withTurn } from './scratchpad.ts';
export { toolsNodeType } from './tools-node-type.ts';
