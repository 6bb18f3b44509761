import {
  type NodeError,
  type PrepareContext,
  PrepareError,
  type ToolCall,
  type ToolResult,
  type Values,
} from '@unroll/engine';
import { type Captured, captureOutput, installCapture } from '../../code/capture-output.ts';
import { copyInputs, isOwnValue } from '../../code/copy-value.ts';
import { describeThrown, usersFrames } from '../../code/describe-thrown.ts';
import { importModule } from '../../code/load-module.ts';
import { toValue } from '../../code/to-value.ts';
import { refused } from './limited-tool.ts';
import type { ToolLog } from './tool-log.ts';

/** Runs one function of the flow's code with the arguments of a call. */
export type RunFunction = (given: Values, call: ToolCall) => Promise<ToolResult>;

/**
 * A function that a TypeScript or JavaScript file exports, called with its arguments as one object and with
 * `{signal, environment, log}`. It runs in this process: one that never gives way to others cannot be ended.
 *
 * @param path absolute
 * @throws PrepareError when the file cannot be imported or does not export the function
 */
export async function openScriptFunction(
  path: string,
  functionName: string,
  context: PrepareContext,
  log: ToolLog,
): Promise<RunFunction> {
  installCapture();
  const imported = await importModule(path);
  if (!imported.ok) throw new PrepareError(importError(imported.thrown, path, context.files.folder));
  const { exported } = imported;
  const run = exported[functionName];
  if (!isFunction(run)) {
    const names = Object.keys(exported).filter((name) => isFunction(exported[name]));
    const message = `${path} exports no function "${functionName}"; it exports ${names.join(', ') || 'none'}`;
    throw new PrepareError({ code: 'NoToolDefined', message, retryable: false });
  }
  return async (given, { signal }) => {
    const captured: Captured = { stdout: '', stderr: '' };
    const help = { signal, environment: context.environment, log: (text: string) => log('stdout', `${text}\n`) };
    try {
      const result = await captureOutput(captured, () => run(copyInputs(given), help));
      if (isBinary(result)) return refused('BINARY_RESULT', 'the tool answered with what is no text');
      return { ok: true, content: toValue(result, isOwnValue) };
    } catch (thrown) {
      return failed(thrown, context.files.folder);
    } finally {
      if (captured.stdout !== '') log('stdout', captured.stdout);
      if (captured.stderr !== '') log('stderr', captured.stderr);
    }
  };
}

type AnyFunction = (given: Record<string, unknown>, help: object) => unknown;

function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function';
}

function isBinary(result: unknown): boolean {
  return ArrayBuffer.isView(result) || result instanceof ArrayBuffer || result instanceof Blob;
}

function failed(thrown: unknown, folder: string): ToolResult {
  const { code, message } = describeThrown(thrown);
  const trace = usersFrames(thrown, folder);
  const error: NodeError = { code, message, retryable: false, ...(trace.length === 0 ? {} : { trace }) };
  return { ok: false, toModel: false, error };
}

function importError(thrown: unknown, path: string, folder: string): NodeError {
  const cause = describeThrown(thrown);
  return {
    code: 'ModuleLoadError',
    message: `Failed to load module from file '${path}': (${cause.code}) ${cause.message}`,
    retryable: false,
    cause,
    trace: usersFrames(thrown, folder),
  };
}
