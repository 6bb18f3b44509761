export { type ArgumentDefinition, type ArgumentType, argumentDefinition } from './argument-definition.ts';
export type { ArgumentProblem, ArgumentSchema } from './argument-schema.ts';
export { argumentSchema } from './argument-schema.ts';
export { attachTools, isToolDescription, isToolName, toolLimit } from './check-tool.ts';
export { callTimeoutMs, type LambdaInvocation, type LambdaTarget, responseLimit } from './invoke-lambda.ts';
export {
  createLambdaTool,
  type LambdaInvoke,
  type LambdaTool,
  type LambdaToolDefinition,
  type LogLine,
  type ToolCallResult,
} from './lambda-tool.ts';
