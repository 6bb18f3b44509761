import type { NodeError } from '@unroll/engine';

/** A failure of the user's making: trying again does not help. */
export function userError(code: string, message: string): NodeError {
  return { code, message, retryable: false };
}

/** A flow that cannot be loaded for what a node's inputs hold. */
export function nodeInputError(message: string): NodeError {
  return userError('NodeInputValidationError', message);
}

/** What went wrong in a model tool itself, not in the service. */
export function llmError(className: string, text: string): NodeError {
  return userError('LLMError', `OpenAI API hits exception: ${className}: ${text}`);
}
