import { readFileSync } from 'node:fs';
import {
  type NodeCall,
  type NodeDefinition,
  type NodeError,
  type NodeOutcome,
  type NodeParts,
  type PrepareContext,
  type PreparedNode,
  PrepareError,
  type Value,
  type Values,
} from '@unroll/engine';
import { type Captured, captureOutput, installCapture } from './capture-output.ts';
import { codeParts } from './code-parts.ts';
import { copyInputs, toValue, UnprintableValue } from './copy-value.ts';
import { describeThrown, usersFrames } from './describe-thrown.ts';
import { parametersWithDefault } from './inspect-module.ts';
import { literalFileParts } from './literal-files.ts';
import { type CodeFunction, loadModule } from './load-module.ts';
import { partsOnce } from './parts-once.ts';
import { scriptSources } from './script-sources.ts';

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
  const node: LoadedModuleNode = {
    run,
    isAggregation: definition.aggregation,
    environment: context.environment,
    folder: context.files.folder,
  };
  return {
    parametersWithDefault: parametersWithDefault(String(run)),
    literals: givenLiterals(definition),
    ...(readsLine(run, path, context.files.folder) ? { rendered: (inputs, { line }) => ({ line, inputs }) } : {}),
    parts: async () => ({
      ...(await partsOnce(context, path, () => moduleParts(path, context))),
      ...literalFileParts(definition, context.files.folder),
    }),
    run: (inputs, call) => runFunction(node, inputs, call),
  };
}

function moduleParts(path: string, { files: { folder }, environment }: PrepareContext): NodeParts {
  return codeParts(scriptSources(path, folder), folder, environment);
}

/** A function that looks at the number of its row, itself or in a file it imports, has it among what it is given. */
function readsLine(run: CodeFunction, path: string, folder: string): boolean {
  const takesMore = run.length > 1 || /\barguments\b|\.\.\.|,\s*\w+\s*=/.test(String(run));
  return takesMore && scriptSources(path, folder).code.some((file) => namesLine.test(readFileSync(file, 'utf8')));
}

const namesLine = /\.line\b|\[["']line["']\]|[{,]\s*line\s*[,:=}]/;

interface LoadedModuleNode {
  readonly run: CodeFunction;
  readonly isAggregation: boolean;
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: string;
}

/** null and "" are left out, so that the function's own default applies (Prompt flow, literal inputs). */
function givenLiterals(definition: NodeDefinition): Values {
  return Object.fromEntries(
    Object.entries(definition.inputs).flatMap(([name, input]) =>
      input.kind === 'literal' && input.value !== null && input.value !== '' ? [[name, input.value]] : [],
    ),
  );
}

function runFunction(node: LoadedModuleNode, inputs: Values, call: NodeCall): NodeOutcome | Promise<NodeOutcome> {
  const { run } = node;
  const told = createReport(node.isAggregation);
  const context = { signal: call.signal, line: call.line, environment: node.environment, ...told.context };
  const failed = (thrown: unknown): NodeOutcome => {
    if (call.signal.aborted) return told.withReport(canceled(call.node));
    return told.withReport({ ok: false, error: executionError(thrown, call.node, node.folder) });
  };
  try {
    const result = captureOutput(told.captured, () => run(copyInputs(inputs), context));
    if (!isThenable(result)) return told.withReport(success(result));
    const outcome = Promise.resolve(result).then((value) => told.withReport(success(value)));
    return orStopped(outcome.catch(failed), call);
  } catch (thrown) {
    return failed(thrown);
  }
}

/** Collects what one call prints and measures. */
function createReport(isAggregation: boolean) {
  const captured: Captured = { stdout: '', stderr: '' };
  const metrics: Record<string, Value> = {};
  const warnings: string[] = [];
  const log = (text: string): void => {
    captured.stdout += `${text}\n`;
  };
  const logMetric = (key: string, value: unknown): void => {
    if (isAggregation) metrics[key] = toValue(value);
    else warnings.push(`the metric "${key}" is ignored: only aggregation nodes log metrics`);
  };
  const withReport = (outcome: NodeOutcome): NodeOutcome => {
    const hasLogs = captured.stdout !== '' || captured.stderr !== '';
    const hasMetrics = Object.keys(metrics).length > 0;
    if (!hasLogs && !hasMetrics && warnings.length === 0) return outcome;
    const report = {
      ...(hasLogs && { logs: { ...captured } }),
      ...(hasMetrics && { metrics }),
      ...(warnings.length > 0 && { warnings }),
    };
    return { ...outcome, report };
  };
  return { captured, context: { log, logMetric }, withReport };
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
