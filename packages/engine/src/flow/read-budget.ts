import { plainNumber } from '../value/float.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import type { Budget } from './flow-spec.ts';

/** A budget as it is written; what is no number is left out. */
export function readBudget({ tokens, cost, seconds }: JsonObject): Budget {
  return { ...limit('tokens', tokens), ...limit('cost', cost), ...limit('seconds', seconds) };
}

function limit<K extends keyof Budget>(key: K, written: JsonValue | undefined): { readonly [P in K]?: number } {
  const number = plainNumber(written);
  return number === undefined ? {} : ({ [key]: number } as { readonly [P in K]?: number });
}
