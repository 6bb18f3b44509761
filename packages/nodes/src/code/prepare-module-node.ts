import {
  type NodeCall,
  type NodeDefinition,
  type NodeError,
  type NodeOutcome,
  type PrepareContext,
  type PreparedNode,
  PrepareError,
  type Values,
} from '@unroll/engine';
import { type Captured, captureOutput, installCapture } from './capture-output.ts';
import { copyInputs, toValue, UnprintableValue } from './copy-value.ts';
import { describeThrown, usersFrames } from './describe-thrown.ts';
import { parametersWithDefault } from './inspect-module.ts';
import { type CodeFunction, loadModule } from './load-module.ts';

/**
 * Loads a TypeScript or JavaScript node. Its function is called with its own copy of the inputs, so that nothing it
 * does to them shows in what was recorded.
 *
 * @param path absolute
 * @throws PrepareError when the file cannot be imported or no one function is the node
 */
export async function prepareModuleNode(
  definition: NodeDefinition,
  path: string,
  context: PrepareContext,
): Promise<PreparedNode> {
  installCapture();
  const loaded = await loadModule(path);
  if (!loaded.ok) throw new PrepareError(moduleError(loaded.thrown, loaded.message, path, context.files.folder));
  const { run } = loaded;
  const { folder } = context.files;
  return {
    parametersWithDefault: parametersWithDefault(String(run)),
    literals: givenLiterals(definition),
    run: (inputs, call) => runFunction(run, inputs, call, folder),
  };
}

/** null and "" are left out, so that the function's own default applies (Prompt flow, literal inputs). */
function givenLiterals(definition: NodeDefinition): Values {
  return Object.fromEntries(
    Object.entries(definition.inputs).flatMap(([name, input]) =>
      input.kind === 'literal' && input.value !== null && input.value !== '' ? [[name, input.value]] : [],
    ),
  );
}

function runFunction(
  run: CodeFunction,
  inputs: Values,
  call: NodeCall,
  folder: string,
): NodeOutcome | Promise<NodeOutcome> {
  const captured: Captured = { stdout: '', stderr: '' };
  const log = (text: string): void => {
    captured.stdout += `${text}\n`;
  };
  const context = { signal: call.signal, line: call.line, log };
  const failed = (thrown: unknown): NodeOutcome => {
    if (call.signal.aborted) return withLogs(canceled(call.node), captured);
    return withLogs({ ok: false, error: executionError(thrown, call.node, folder) }, captured);
  };
  try {
    const result = captureOutput(captured, () => run(copyInputs(inputs), context));
    if (!isThenable(result)) return withLogs(success(result), captured);
    return orStopped(
      Promise.resolve(result)
        .then((value) => withLogs(success(value), captured))
        .catch(failed),
      call,
    );
  } catch (thrown) {
    return failed(thrown);
  }
}

function success(result: unknown): NodeOutcome {
  return { ok: true, output: toValue(result) };
}

/** A function that does not listen to its signal is left behind when it fires. */
function orStopped(outcome: Promise<NodeOutcome>, call: NodeCall): Promise<NodeOutcome> {
  const { signal, node } = call;
  return new Promise((resolve) => {
    const stop = (): void => resolve(canceled(node));
    signal.addEventListener('abort', stop, { once: true });
    void outcome.then((ended) => {
      signal.removeEventListener('abort', stop);
      resolve(ended);
    });
  });
}

function canceled(node: string): NodeOutcome {
  const message = `node '${node}' was stopped`;
  return { ok: false, canceled: true, error: { code: 'Canceled', message, retryable: true } };
}

function withLogs(outcome: NodeOutcome, captured: Captured): NodeOutcome {
  if (captured.stdout === '' && captured.stderr === '') return outcome;
  return { ...outcome, report: { logs: { ...captured } } };
}

function isThenable(result: unknown): result is PromiseLike<unknown> {
  return typeof result === 'object' && result !== null && typeof (result as { then?: unknown }).then === 'function';
}

function executionError(thrown: unknown, node: string, folder: string): NodeError {
  if (thrown instanceof UnprintableValue) return unusableOutput(thrown, node);
  const { code, message } = describeThrown(thrown);
  return {
    code: 'ToolExecutionError',
    message: `Execution failure in '${node}': (${code}) ${message}`,
    retryable: false,
    cause: { code, message },
    trace: usersFrames(thrown, folder),
    codes: ['UserError', 'ToolExecutionError'],
  };
}

function unusableOutput(thrown: UnprintableValue, node: string): NodeError {
  return {
    code: 'NodeOutputUnusable',
    message: `node '${node}' ${thrown.message}`,
    retryable: false,
    codes: ['UserError', 'NodeOutputUnusable'],
  };
}

function moduleError(thrown: unknown, reason: string | undefined, path: string, folder: string): NodeError {
  if (reason !== undefined) {
    return { code: 'NoToolDefined', message: reason, retryable: false, codes: moduleCodes('NoToolDefined') };
  }
  const cause = describeThrown(thrown);
  return {
    code: 'ModuleLoadError',
    message: `Failed to load module from file '${path}': (${cause.code}) ${cause.message}`,
    retryable: false,
    cause,
    trace: usersFrames(thrown, folder),
    codes: moduleCodes('ModuleLoadError'),
  };
}

function moduleCodes(code: string): readonly string[] {
  return ['UserError', 'ToolValidationError', code];
}
