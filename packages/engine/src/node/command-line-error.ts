import { promptFlowCodes } from '../source/prompt-flow-codes.ts';
import type { NodeError } from './node-error.ts';

type ToldError = Pick<NodeError, 'code' | 'message' | 'codes' | 'cause'>;

const missingConnection = /^Tool load failed in '.*?': \(GetConnectionError\) Get connection '(.*?)' for node /;

/**
 * An error of making a flow ready, as Prompt flow's command line tells it, which looks for all connections before its
 * executor makes the first node ready (`SubmitterHelper.resolve_connections`).
 */
export function commandLineError(error: ToldError): ToldError {
  const connection = missingConnection.exec(error.message)?.[1];
  if (connection === undefined) return error;
  const code = 'ConnectionNotFoundError';
  return { code, message: `Connection '${connection}' is not found.`, codes: promptFlowCodes(code) };
}
