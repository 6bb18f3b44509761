import { isMapping, type JsonValue } from '@unroll/engine';
import { jsonOf, type Step } from '../targets/target.ts';

/** Where a path ends before its last step, and what there is in its place. */
export interface LostStep {
  /** The name that is not there; undefined for a place in a list. */
  readonly missing: string | undefined;
  readonly known: readonly string[];
}

/** Undefined where the steps lead to something, be it null, in any member. */
export function lostStep(value: JsonValue | undefined, steps: readonly Step[], from = 0): LostStep | undefined {
  const step = steps[from];
  if (step === undefined) return value === undefined ? nowhere : undefined;
  const within = typeof value === 'string' ? jsonOf(value) : value;
  if (step.kind === 'key') return lostKey(within, step.name, (member) => lostStep(member, steps, from + 1));
  const members = Array.isArray(within) ? (within as readonly JsonValue[]) : [];
  if (step.kind === 'index') return lostStep(members.at(step.index), steps, from + 1);
  const lost = members.map((member) => lostStep(member, steps, from + 1));
  return lost.includes(undefined) ? undefined : (lost[0] ?? nowhere);
}

const nowhere: LostStep = { missing: undefined, known: [] };

function lostKey(
  within: JsonValue | undefined,
  name: string,
  further: (member: JsonValue | undefined) => LostStep | undefined,
): LostStep | undefined {
  if (!isMapping(within)) return { missing: name, known: [] };
  return Object.hasOwn(within, name) ? further(within[name]) : { missing: name, known: Object.keys(within) };
}
