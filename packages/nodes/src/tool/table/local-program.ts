import { type PrepareContext, PrepareError } from '@unroll/engine';
import { type Captured, captureOutput, installCapture } from '../../code/capture-output.ts';
import { describeThrown } from '../../code/describe-thrown.ts';
import { importModule } from '../../code/load-module.ts';
import { type LambdaInvocation, type LambdaInvoke, responseLimit } from '../lambda/index.ts';
import type { ToolLog } from './tool-log.ts';

type Handler = (event: unknown, context: { readonly functionName: string }) => unknown;

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
  installCapture();
  const handler = await loadHandler(path, context);
  return async (payload): Promise<LambdaInvocation> => {
    const captured: Captured = { stdout: '', stderr: '' };
    const answered = await captureOutput(captured, () => run(handler, payload, functionName));
    if (captured.stdout !== '') log('stdout', captured.stdout);
    if (captured.stderr !== '') log('stderr', captured.stderr);
    const size = Buffer.byteLength(answered.body);
    if (size <= responseLimit) return { ok: true, response: { status: 200, ...answered }, requestId: undefined };
    const message = `the answer of ${size} bytes is larger than ${responseLimit} bytes`;
    return { ok: false, error: { code: 'TOO_LARGE', message, retryable: false }, requestId: undefined };
  };
}

async function loadHandler(path: string, { files }: PrepareContext): Promise<Handler> {
  const imported = await importModule(path);
  const handler = imported.ok ? imported.exported['handler'] : undefined;
  if (typeof handler === 'function') return handler as Handler;
  const shown = path.slice(files.folder.length + 1);
  const why = imported.ok ? 'it exports no function "handler"' : describeThrown(imported.thrown).message;
  throw new PrepareError({ code: 'ToolLoadError', message: `${shown} is no user program: ${why}`, retryable: false });
}

async function run(
  handler: Handler,
  payload: string,
  functionName: string,
): Promise<{ readonly body: string; readonly functionError?: string }> {
  try {
    const result = await handler(JSON.parse(payload), { functionName });
    return { body: JSON.stringify(result) ?? 'null' };
  } catch (thrown) {
    const { code: errorType, message: errorMessage } = describeThrown(thrown);
    return { body: JSON.stringify({ errorType, errorMessage, trace: [] }), functionError: 'Unhandled' };
  }
}
