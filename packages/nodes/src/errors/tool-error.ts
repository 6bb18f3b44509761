import { type NodeError, PrepareError } from '@unroll/engine';

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

/** A setting that keeps a service from being opened; `problem` and `expected` are the parts of its message. */
export class WrongSetting extends PrepareError {
  readonly problem: string;
  readonly expected: string | undefined;

  constructor(error: NodeError, problem: string, expected?: string) {
    super(error);
    this.problem = problem;
    this.expected = expected;
  }
}
