import { type JsonObject, type JsonValue, stringifyJson } from '@unroll/engine';
import type { SpokenOutputs } from '../studio-contract/contract.ts';
import { preview, valueView } from './value-view.ts';

/** Characters of another output that is shown beside the answer. */
const longestFact = 2_000;

/**
 * What a row gave as people read it: the output that speaks as text, the others as facts beside it.
 *
 * @param marked the output that the flow marks as what it says
 */
export function spokenOutputs(outputs: JsonObject, marked?: string): SpokenOutputs {
  const names = Object.keys(outputs);
  const isText = (name: string): boolean => typeof outputs[name] === 'string';
  const first = [marked, 'answer', ...names].find((name) => name !== undefined && isText(name));
  const spoken = first ?? (names.length === 1 ? names[0] : undefined);
  if (spoken === undefined) return { answer: valueView(outputs, 'row.outputs'), others: [] };
  const others = names.filter((name) => name !== spoken);
  return {
    answer: valueView(outputs[spoken], `row.outputs.${spoken}`),
    others: others.map((name) => ({ name, text: factText(outputs[name] ?? null) })),
  };
}

function factText(value: JsonValue): string {
  if (typeof value === 'string') return value.length > longestFact ? preview(value) : value;
  const json = stringifyJson(value);
  return json.length > longestFact ? preview(value) : json;
}
