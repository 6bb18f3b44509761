export { type PromptFlowCase, readPromptFlowCases, runPromptFlowCase } from './prompt-flow-case.ts';
