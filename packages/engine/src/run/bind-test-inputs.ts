import type { NodeError } from '../node/node-error.ts';
import type { Plan } from '../plan/plan.ts';
import type { Values } from '../value/json.ts';
import { pythonRepr } from '../value/python-text.ts';
import { isRequired } from './coerce-inputs.ts';

export type BoundTestInputs =
  | { readonly ok: true; readonly inputs: Values }
  /** `missing` names every input that has to be given. */
  | { readonly ok: false; readonly error: NodeError; readonly missing: readonly string[] };

/**
 * The inputs of one row as Prompt flow's test of a flow takes them, before anything runs (`TestSubmitter.resolve_data`):
 * a chat that has no history yet has an empty one, and all required inputs that are absent are told at once.
 */
export function bindTestInputs(plan: Plan, given: Values): BoundTestInputs {
  const history = chatHistoryName(plan);
  const absent = plan.inputs.filter((input) => isRequired(input) && !Object.hasOwn(given, input.name));
  const missing = absent.map(({ name }) => name).filter((name) => name !== history);
  if (missing.length === 0) {
    const isNew = absent.some(({ name }) => name === history);
    return { ok: true, inputs: isNew && history !== undefined ? { ...given, [history]: [] } : given };
  }
  const message = `Required input(s) ${pythonRepr(missing)} are missing for "flow".`;
  return {
    ok: false,
    missing,
    error: { code: 'UserErrorException', message, retryable: false, codes: ['UserError'] },
  };
}

/** Of a chat flow: one chat input, at most one chat output, and an input for the history. */
function chatHistoryName({ inputs, outputs }: Plan): string | undefined {
  const isChat =
    inputs.filter(({ isChatInput }) => isChatInput).length === 1 &&
    outputs.filter(({ isChatOutput }) => isChatOutput).length <= 1;
  if (!isChat) return undefined;
  const marked = inputs.find(({ isChatHistory }) => isChatHistory);
  return (marked ?? inputs.find(({ name }) => name === 'chat_history'))?.name;
}
