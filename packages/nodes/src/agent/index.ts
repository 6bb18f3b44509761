export { offerToolsNodeType } from './offer-tools-node-type.ts';
export { type AskedCall, readTurn, type Turn } from './read-turn.ts';
export { lastSteps, type Shown, type Told, withTurn } from './scratchpad.ts';
export { toolsNodeType } from './tools-node-type.ts';
