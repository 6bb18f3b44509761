import { cutText, type NodeError } from '@unroll/engine';
import { longestCause, longestMessage } from '../code/describe-thrown.ts';
import type { PythonFailure } from './worker-reply.ts';

/** The failure of a call, in Prompt flow's words, with the frames of the user's own code. */
export function executionError(failure: PythonFailure, node: string, redact: (text: string) => string): NodeError {
  const message = redact(cutText(failure.message, longestMessage));
  const from = failure.from?.map((text) => redact(cutText(text, longestCause)));
  const cause = { code: failure.type, message, ...(from !== undefined && { from }) };
  if (failure.isPlain === true) return { ...loadError(failure, redact), ...(from !== undefined && { cause }) };
  const help = encodingHelp(failure);
  return {
    code: 'ToolExecutionError',
    message: `Execution failure in '${node}': (${failure.type}) ${message}`,
    ...(help !== undefined && { help }),
    retryable: failure.mayPass === true,
    cause,
    trace: failure.frames,
  };
}

/** Where code names no encoding, Python takes that of the system: UTF-8 on Linux, the code page on Windows, cp932 in Japan. */
function encodingHelp({ type, message }: PythonFailure): string | undefined {
  if (type !== 'UnicodeDecodeError' && type !== 'UnicodeEncodeError') return undefined;
  if (!message.startsWith("'utf-8'"))
    return 'name the encoding: open(path, encoding="utf-8"); where none is named it is that of the system';
  if (type === 'UnicodeEncodeError') return undefined;
  return 'what is read is not in UTF-8: name its encoding, as in open(path, encoding="cp932") for Shift_JIS';
}

/** The failure to load a file or module. */
export function loadError(failure: PythonFailure, redact: (text: string) => string): NodeError {
  const { type, message, frames, cause } = failure;
  return {
    code: type,
    message: redact(cutText(message, longestMessage)),
    retryable: false,
    ...(cause !== undefined && {
      cause: { code: cause.type, message: redact(cutText(cause.message, longestMessage)) },
    }),
    ...(frames.length > 0 && { trace: frames }),
  };
}

/** The failure to start a worker. */
export function startError(
  { crashed, stderr }: { readonly crashed: string; readonly stderr: string },
  redact: (text: string) => string,
): NodeError {
  const said = stderr === '' ? '' : `\n${redact(stderr.trimEnd())}`;
  return {
    code: 'WorkerCrashed',
    message: `the Python worker ended while the node was loaded (${crashed})${said}`,
    retryable: false,
  };
}

/** No Python was found at any of the places tried. */
export function noPython(tried: readonly string[]): NodeError {
  const message = `this flow has Python nodes and no Python was found: looked for ${tried.join(', ')}, and .venv in the flow's folder; install Python 3.9 or newer, or name it in UNROLL_PYTHON`;
  return { code: 'PythonNotFound', message, retryable: false };
}

/** Objects of an ended worker that a later node wanted. */
export function lostObjects(node: string): NodeError {
  return {
    code: 'LostObject',
    message: `node '${node}' is given Python objects that JSON cannot carry and that are not all in one worker process; return plain data, or run with one worker`,
    retryable: false,
  };
}
