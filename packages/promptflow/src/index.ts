export { type ImportedConnection, readPromptFlowStore } from './connections/read-store.ts';
export { commandLineError } from './errors/command-line-error.ts';
export { promptFlowCodes } from './errors/error-codes.ts';
export { type PromptFlowOptions, promptFlow } from './prompt-flow.ts';
export { promptFlowModules } from './python/python-modules.ts';
export { type PromptFlowRun, readPromptFlowRun } from './run-folder/read-run.ts';
export { PromptFlowFolder, PromptFlowRunError } from './run-folder/run-folder.ts';
export { type BoundTestInputs, bindTestInputs } from './test-flow/bind-test-inputs.ts';
