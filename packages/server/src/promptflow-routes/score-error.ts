import type { JsonObject } from '@unroll/engine';
import { promptFlowCodes } from '@unroll/promptflow';

/** An answer that is an error, in the form of Prompt flow's server. */
export interface ScoreError {
  readonly status: 400 | 406 | 500 | 503 | 504;
  readonly message: string;
}

export function userError(message: string): ScoreError {
  return { status: 400, message };
}

/** A failure of a row: 400 where Prompt flow holds the user, or the world, for its cause, else 500. */
export function rowError({ code, message }: { readonly code: string; readonly message: string }): ScoreError {
  const [first] = promptFlowCodes(code, message);
  return { status: first === 'UserError' ? 400 : 500, message };
}

export function notAcceptable(types: readonly string[], supported: string): ScoreError {
  const message = `Media type ${types.join(',')} in Accept header is not acceptable. Supported media type(s) - ${supported}`;
  return { status: 406, message };
}

export function errorBody({ status, message }: ScoreError): JsonObject {
  return { error: { code: status < 500 ? 'UserError' : 'SystemError', message } };
}
