import type { NodeError } from '@unroll/engine';

/** A failure of the user's making, with Prompt flow's chain of codes: `UserError`, `more`, and the class. */
export function userError(code: string, message: string, ...more: readonly string[]): NodeError {
  return { code, message, retryable: false, codes: ['UserError', ...more, code] };
}

/** What a built-in tool refuses before it asks a service. */
export function validationError(code: string, message: string): NodeError {
  return userError(code, message, 'ToolValidationError');
}

/** A flow that cannot be loaded for what a node's inputs hold. */
export function nodeInputError(message: string): NodeError {
  return userError('NodeInputValidationError', message, 'ValidationError', 'InvalidFlowRequest');
}

/** What went wrong in a model tool itself, not in the service. */
export function llmError(className: string, text: string): NodeError {
  return userError('LLMError', `OpenAI API hits exception: ${className}: ${text}`);
}
