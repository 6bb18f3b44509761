import { type PrepareContext, PrepareError, rowAlone } from '@unroll/engine';
import type { ProgramAnswer } from '../../code/call-form.ts';
import { openCodeHost } from '../../code/code-host.ts';
import { exportedPlace } from '../../code/code-place.ts';
import type { LoadFailure } from '../../code/thread-messages.ts';
import { type LambdaInvocation, type LambdaInvoke, responseLimit } from '../lambda/index.ts';
import { reportLogs } from './result-of-code.ts';
import type { ToolLog } from './tool-log.ts';

/**
 * A user program that runs here instead of on AWS Lambda: the file's exported `handler`, as the Node.js runtime calls it.
 * What it returns is printed as JSON, what it throws becomes `{errorType, errorMessage, trace}`, so that all rules for
 * answers of user programs hold for it too.
 *
 * @param path absolute
 * @throws PrepareError when the file exports no handler
 */
export async function openLocalProgram(
  path: string,
  functionName: string,
  context: PrepareContext,
  log: ToolLog,
): Promise<LambdaInvoke> {
  const host = openCodeHost(exportedPlace(path, 'program', 'handler'), context, { isAggregation: false });
  const loaded = await host.load();
  if (!loaded.ok) throw new PrepareError(loadError(loaded, path, context));
  return async (payload, signal): Promise<LambdaInvocation> => {
    const call = { runId: 'tool', line: 0, node: functionName, signal, flowInputs: {}, row: rowAlone() };
    const outcome = await host.run({ payload, functionName }, call);
    reportLogs(outcome, log);
    if (!outcome.ok) return { ok: false, error: outcome.error, requestId: undefined };
    const answered = outcome.output as unknown as ProgramAnswer;
    const size = Buffer.byteLength(answered.body);
    if (size <= responseLimit) return { ok: true, response: { status: 200, ...answered }, requestId: undefined };
    const message = `the answer of ${size} bytes is larger than ${responseLimit} bytes`;
    return { ok: false, error: { code: 'TOO_LARGE', message, retryable: false }, requestId: undefined };
  };
}

function loadError({ message, cause }: LoadFailure, path: string, { files }: PrepareContext): PrepareError['error'] {
  const shown = path.slice(files.folder.length + 1);
  const why = message === undefined ? cause.message : 'it exports no function "handler"';
  return { code: 'ToolLoadError', message: `${shown} is no user program: ${why}`, retryable: false };
}
