export {
  type ActionContext,
  type ActionExecutor,
  type AgentServices,
  actStep,
  type KnowledgeSearch,
} from './act-step.ts';
export { type ActionGroupDefinition, type AgentOperation, operationLimit, readActionGroups } from './action-group.ts';
export {
  type AgentFile,
  type BedrockAgent,
  createAgent,
  loadAgent,
} from './agent-definition.ts';
export { afterOrchestration, beforePostProcessing, finishTurn } from './end-turn.ts';
export { functionSection, type PromptFunction, promptFunctions } from './function-section.ts';
export { lambdaAction } from './lambda-action.ts';
export { type ActionCall, type AgentSession, buildLambdaEvent } from './lambda-event.ts';
export { type ActionOutcome, type AnsweredCall, readActionResponse } from './lambda-response.ts';
export type { OutputParser, ParserEvent } from './output-parser.ts';
export { type ParsedCategory, parseCategory } from './parse-category.ts';
export { type ParsedOrchestration, parseOrchestration } from './parse-orchestration.ts';
export { type ParsedStep, parseStep } from './parse-step.ts';
export { fillPrompt, type StepPrompt, withoutTags } from './prompt-template.ts';
export { type PromptType, promptTypes } from './prompt-type.ts';
export { scratchpadText } from './scratchpad.ts';
export { beginOrchestration, startTurn } from './start-turn.ts';
export { toolAction } from './tool-action.ts';
export { bedrockTrace } from './trace.ts';
export type { OrchestrationState, Retrieval, TurnSession, TurnStatus } from './turn-state.ts';
