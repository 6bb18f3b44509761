import { basename } from 'node:path';
import {
  type Diagnostic,
  type JsonObject,
  type JsonValue,
  type NodeError,
  type NodeRun,
  type OpenedFlow,
  preventsRun,
} from '@unroll/engine';
import {
  commandLineError,
  oneRowRefusal,
  promptFlowCodes,
  promptFlowError,
  promptFlowTestError,
} from '@unroll/promptflow';
import type { PromptFlowCase } from './case.ts';

/** An error in the form of the cases. */
export function caseError(error: NodeError): Record<string, JsonValue> {
  const { code, message, cause } = error;
  const codes = promptFlowCodes(code, message);
  return {
    message,
    // The original wraps what a model service answers, and tells the service's own class as the last code.
    class: codes.includes('OpenAIError') ? 'WrappedOpenAIError' : code,
    codes,
    ...(code === 'ToolExecutionError' && cause !== undefined
      ? { user_error: { type: cause.code, message: cause.message } }
      : {}),
  };
}

/**
 * Why a flow could not be made ready, as Prompt flow would have raised it in a case of this mode.
 *
 * @param file the flow's definition, absolute: the original is told it so where it runs one node
 */
export function loadError(
  { diagnostics, spec, loadError: failed }: OpenedFlow,
  mode: PromptFlowCase['mode'],
  file: string,
): JsonObject {
  const stage = stages[mode];
  const told = (error: NodeError): NodeError => (mode === 'test' ? { ...error, ...commandLineError(error) } : error);
  const refused = mode === 'test' && spec !== undefined ? oneRowRefusal(spec) : undefined;
  if (refused !== undefined) return { stage, ...caseError(refused) };
  if (failed !== undefined) {
    const error = told(failed);
    return { stage, ...caseError(error), ...(withInner.has(error.code) ? inner(failed.cause?.code) : {}) };
  }
  const errorOf = mode === 'test' ? promptFlowTestError : promptFlowError;
  const [found] = diagnostics.filter(preventsRun).flatMap((one) => errorOf(one) ?? []);
  if (found === undefined) return { stage, ...refusal(diagnostics) };
  const first = told({ code: found.code, message: withFile(found, mode, file), retryable: false });
  const innerClass = /^Tool load failed in '.*?': (?:Jinja parsing failed at line \d+: )?\((\w+)\)/.exec(
    first.message,
  )?.[1];
  return {
    stage,
    class: first.code,
    message: first.message,
    codes: promptFlowCodes(first.code, first.message),
    ...(first.code === 'ResolveToolError' ? inner(innerClass) : {}),
  };
}

/** Errors that the original raises from another one, whose class the cases tell. */
const withInner: ReadonlySet<string> = new Set(['ResolveToolError', 'FlowEntryInitializationError']);

/** What raised an error of making a flow ready: the executor, or what made one for itself. */
const stages = { load: 'load', exec: 'load', stream: 'load', test: 'run', node: 'node', batch: 'batch' } as const;

/** The original is told the definition as an absolute path. */
function withFile(
  { code, message }: { readonly code: string; readonly message: string },
  mode: PromptFlowCase['mode'],
  file: string,
): string {
  const shown = basename(file);
  if (code === 'YAMLError')
    return message.replace(`yaml file: ${shown}`, `yaml file: ${file}`).replaceAll(`"${shown}"`, `"${file}"`);
  return mode === 'node' ? message.replace(`in flow '${shown}'`, `in flow '${file}'`) : message;
}

function inner(name: string | undefined): Record<string, JsonValue> {
  return name === undefined ? {} : { inner_class: name };
}

function refusal(diagnostics: readonly Diagnostic[]): Record<string, JsonValue> {
  const [first] = diagnostics.filter(preventsRun);
  return { class: first?.code ?? 'none', message: first?.message ?? 'no diagnostic' };
}

/** A record in the form of the cases. */
export function nodeResult({ status, output, error, pieces }: NodeRun): JsonObject {
  // The original records a stream as what it gave.
  const recorded = pieces ?? output;
  return {
    status,
    ...(status !== 'Completed' || recorded === undefined ? {} : { output: recorded }),
    ...(error === undefined ? {} : { error: caseError(error) }),
  };
}
