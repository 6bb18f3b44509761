import {
  type Coerced,
  coerceInputs,
  type FlowInputSpec,
  isRequired,
  type JsonObject,
  type NodeError,
  type Plan,
  pythonRepr,
} from '@unroll/engine';
import { oneRowRefusal } from './one-row-refusal.ts';

export type BoundTestInputs =
  | { readonly ok: true; readonly inputs: JsonObject }
  /** `missing` names every input that has to be given. */
  | { readonly ok: false; readonly error: NodeError; readonly missing: readonly string[] };

/**
 * The inputs of one row as Prompt flow's test of a flow takes them, before anything runs (`TestSubmitter.resolve_data`):
 * where there is no history yet it is empty, and all required inputs that are absent are told at once.
 */
export function bindTestInputs(plan: Plan, given: JsonObject): BoundTestInputs {
  const refusal = oneRowRefusal(plan);
  if (refusal !== undefined) return { ok: false, missing: [], error: refusal };
  const history = chatHistoryName(plan);
  const absent = plan.inputs.filter((input) => isRequired(input) && !Object.hasOwn(given, input.name));
  const missing = absent.map(({ name }) => name).filter((name) => name !== history);
  if (missing.length === 0) {
    const isNew = absent.some(({ name }) => name === history);
    const read = readAnnotated(plan, isNew && history !== undefined ? { ...given, [history]: [] } : given);
    return read.ok ? read : { ...read, missing: [] };
  }
  const message = `Required input(s) ${pythonRepr(missing)} are missing for "flow".`;
  return {
    ok: false,
    missing,
    error: { code: 'UserErrorException', message, retryable: false },
  };
}

/**
 * What a row gives of the inputs that only the signature of code tells of, read by its annotations, as `pf flow test` and
 * `pf run create` do, which write the signature into the flow before they run it.
 */
export function readAnnotated(plan: Plan, given: JsonObject): Coerced {
  const annotated = plan.inputs.filter(({ name, isAnnotated = false }) => isAnnotated && Object.hasOwn(given, name));
  return coerceInputs(
    annotated.map(({ isAnnotated: _signature, ...input }) => input),
    given,
    undefined,
  );
}

/** The input marked as history, else the one called `chat_history` unless it is marked as none; in any flow. */
function chatHistoryName({ inputs }: Plan): string | undefined {
  const isHistory = ({ name, isChatHistory = name === 'chat_history' }: FlowInputSpec): boolean => isChatHistory;
  return (inputs.find(({ isChatHistory }) => isChatHistory) ?? inputs.find(isHistory))?.name;
}
