export { type ImportedConnection, readPromptFlowStore } from './connections/read-store.ts';
export { type PromptFlowOptions, promptFlow } from './prompt-flow.ts';
export { type PromptFlowRun, readPromptFlowRun } from './run-folder/read-run.ts';
export { PromptFlowFolder, PromptFlowRunError } from './run-folder/run-folder.ts';
