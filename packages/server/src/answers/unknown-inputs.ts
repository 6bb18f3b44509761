import type { JsonObject } from '@unroll/engine';
import type { ServedFlow } from '@unroll/project';

/** Names of what is given and is no input of the flow: one that is written wrong would else be answered as if its default had been meant. */
export function unknownInputs({ plan }: ServedFlow, given: JsonObject): readonly string[] {
  if (plan.takesAnyInput === true) return [];
  const known = new Set(plan.inputs.map(({ name }) => name));
  return Object.keys(given).filter((name) => !known.has(name));
}
