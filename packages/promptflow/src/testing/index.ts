export { openWrittenFlow } from './open-written-flow.ts';
export { type PromptFlowCase, readPromptFlowCases, runPromptFlowCase } from './prompt-flow-case.ts';
export { testPromptFlowCases } from './test-prompt-flow-cases.ts';
