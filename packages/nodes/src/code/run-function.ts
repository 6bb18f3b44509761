import type { JsonValue, NodeError, NodeOutcome } from '@unroll/engine';
import { reportOfCalls } from '../openai/calls-of-code.ts';
import { type Captured, captureOutput, keepPrinted, printedTexts } from './capture-output.ts';
import type { CodeFunction } from './code-function.ts';
import { causesOf, describeThrown, isRelativeFileMissing, mayPass, usersFrames } from './describe-thrown.ts';
import { CallTally, hearModelCalls } from './hear-model-calls.ts';
import { toValue, UnprintableValue } from './to-value.ts';

/** A function that is a node. What calls it needs nothing of the engine, so that a thread of its own starts quickly. */
export interface CodeNode {
  readonly run: CodeFunction;
  readonly isAggregation: boolean;
  readonly environment: Readonly<Record<string, string>>;
  /** Of the flow, absolute. */
  readonly folder: string;
  /** Objects of the engine's that it may hand on. */
  readonly isKept?: (value: object) => boolean;
}

export interface CodeCall {
  readonly node: string;
  readonly line: number;
  readonly signal: AbortSignal;
}

/**
 * Calls a code node's function for one row.
 *
 * @param inputs a copy that is the function's own
 */
export function runFunction(
  node: CodeNode,
  inputs: Record<string, unknown>,
  call: CodeCall,
): NodeOutcome | Promise<NodeOutcome> {
  const { run } = node;
  const report = createReport(node.isAggregation);
  const context = { signal: call.signal, line: call.line, environment: node.environment, ...report.context };
  const failed = (thrown: unknown): NodeOutcome => {
    if (call.signal.aborted) return report.withReport(canceled(call.node));
    return report.withReport({ ok: false, error: executionError(thrown, call.node, node.folder) });
  };
  try {
    const result = captureOutput(report.captured, () => hearModelCalls(report.calls, () => run(inputs, context)));
    if (!isThenable(result)) return report.withReport(success(result, node));
    const outcome = Promise.resolve(result).then((value) => report.withReport(success(value, node)));
    return orStopped(outcome.catch(failed), call);
  } catch (thrown) {
    return failed(thrown);
  }
}

/** Collects what one call prints and measures, and the tokens of models that it asks itself. */
function createReport(isAggregation: boolean) {
  const captured: Captured = { stdout: '', stderr: '' };
  const metrics: Record<string, JsonValue> = {};
  const calls = new CallTally();
  const warnings: string[] = [];
  const log = (text: string): void => {
    keepPrinted(captured, 'stdout', `${text}\n`);
  };
  const logMetric = (key: string, value: unknown): void => {
    if (isAggregation) metrics[key] = toValue(value);
    else warnings.push(`the metric "${key}" is ignored: only aggregation nodes log metrics`);
  };
  const withReport = (outcome: NodeOutcome): NodeOutcome => {
    const hasLogs = captured.stdout !== '' || captured.stderr !== '';
    const hasMetrics = Object.keys(metrics).length > 0;
    const called = calls.take();
    if (!hasLogs && !hasMetrics && warnings.length === 0 && called === undefined) return outcome;
    const { usage, warnings: untold = [] } = called === undefined ? {} : reportOfCalls(called);
    const told = [...warnings, ...untold];
    const report = {
      ...(hasLogs && { logs: printedTexts(captured) }),
      ...(hasMetrics && { metrics }),
      ...(usage !== undefined && { usage }),
      ...(told.length > 0 && { warnings: told }),
    };
    return { ...outcome, report };
  };
  return { captured, calls, context: { log, logMetric }, withReport };
}

function success(result: unknown, { isKept }: CodeNode): NodeOutcome {
  return { ok: true, output: toValue(result, isKept) };
}

/** A function that does not listen to its signal is left behind when it fires. */
function orStopped(outcome: Promise<NodeOutcome>, call: CodeCall): Promise<NodeOutcome> {
  const { signal, node } = call;
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(canceled(node));
    signal.addEventListener('abort', stop, { once: true });
    void outcome.then((ended) => {
      signal.removeEventListener('abort', stop);
      resolve(ended);
    }, reject);
  });
}

export function canceled(node: string): NodeOutcome {
  const message = `node '${node}' was stopped`;
  return { ok: false, canceled: true, error: { code: 'Canceled', message, retryable: true } };
}

function isThenable(result: unknown): result is PromiseLike<unknown> {
  return typeof result === 'object' && result !== null && typeof (result as { then?: unknown }).then === 'function';
}

function executionError(thrown: unknown, node: string, folder: string): NodeError {
  if (UnprintableValue.is(thrown)) return unusableOutput(thrown, node);
  const { code, message } = describeThrown(thrown);
  const from = causesOf(thrown);
  const help = isRelativeFileMissing(thrown) ? relativeFileHelp : undefined;
  return {
    code: 'ToolExecutionError',
    message: `Execution failure in '${node}': (${code}) ${message}`,
    retryable: mayPass(thrown),
    ...(help !== undefined && { help }),
    cause: { code, message, ...(from.length > 0 && { from }) },
    trace: usersFrames(thrown, folder),
  };
}

const relativeFileHelp =
  "A path is seen from the folder in which flow was started: join(import.meta.dirname, 'name') is beside the code.";

function unusableOutput(thrown: UnprintableValue, node: string): NodeError {
  return {
    code: 'NodeOutputUnusable',
    message: `node '${node}' ${thrown.message}`,
    retryable: false,
  };
}
