import {
  type Diagnostic,
  type NodeError,
  type NodeRun,
  type OpenedFlow,
  preventsRun,
  promptFlowCodes,
  type Value,
  type Values,
} from '@unroll/engine';

/** An error in the form of the cases. */
export function caseError(error: NodeError): Record<string, Value> {
  const { code, message, cause, codes } = error;
  return {
    message,
    // The original wraps what a model service answers, and tells the service's own class as the last code.
    class: codes?.includes('OpenAIError') === true ? 'WrappedOpenAIError' : code,
    codes: codes ?? ['SystemError', code],
    ...(code === 'ToolExecutionError' && cause !== undefined
      ? { user_error: { type: cause.code, message: cause.message } }
      : {}),
  };
}

/** Why a flow could not be made ready, as Prompt flow would have raised it. */
export function loadError(
  { diagnostics, loadError: failed }: OpenedFlow,
  stage: 'load' | 'run' | 'batch' | 'node',
): Record<string, Value> {
  if (failed !== undefined) {
    const isTool = failed.code === 'ResolveToolError';
    return { stage, ...caseError(failed), ...(isTool ? inner(failed.cause?.code) : {}) };
  }
  const [first] = diagnostics.filter(preventsRun).flatMap(({ promptFlow }) => promptFlow ?? []);
  if (first === undefined) return { stage, ...refusal(diagnostics) };
  const innerClass = /^Tool load failed in '.*?': (?:Jinja parsing failed at line \d+: )?\((\w+)\)/.exec(
    first.message,
  )?.[1];
  return {
    stage,
    class: first.code,
    message: first.message,
    codes: [...promptFlowCodes(innerClass ?? first.code)],
    ...(first.code === 'ResolveToolError' ? inner(innerClass) : {}),
  };
}

function inner(name: string | undefined): Record<string, Value> {
  return name === undefined ? {} : { inner_class: name };
}

function refusal(diagnostics: readonly Diagnostic[]): Record<string, Value> {
  const [first] = diagnostics.filter(preventsRun);
  return { class: first?.code ?? 'none', message: first?.message ?? 'no diagnostic' };
}

/** A record in the form of the cases. */
export function nodeResult({ status, output, error }: NodeRun): Values {
  return {
    status,
    ...(status !== 'Completed' || output === undefined ? {} : { output }),
    ...(error === undefined ? {} : { error: caseError(error) }),
  };
}
