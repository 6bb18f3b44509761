export { type ActionGroupDefinition, type AgentOperation, operationLimit, readActionGroups } from './action-group.ts';
export { functionSection, type PromptFunction, promptFunctions } from './function-section.ts';
export { type ActionCall, type AgentSession, buildLambdaEvent } from './lambda-event.ts';
export { type ActionOutcome, type AnsweredCall, readActionResponse } from './lambda-response.ts';
export { type ParsedCategory, parseCategory } from './parse-category.ts';
export { type ParsedOrchestration, parseOrchestration } from './parse-orchestration.ts';
