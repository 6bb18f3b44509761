import { stringifyJson } from '@unroll/engine';
import type { RecordedCall } from './recorded-call.ts';

/** A recorded call that comes near to one that was not found. */
export interface NearCall {
  readonly call: RecordedCall;
  /** Place in the cassette, from 1. */
  readonly number: number;
}

/** A call that was asked for and is not on the cassette. */
export interface MissedCall {
  readonly call: Omit<RecordedCall, 'answer'>;
  readonly nearest: NearCall | undefined;
}

type Asked = Pick<RecordedCall, 'node' | 'request'>;

/** The recorded call with the most words in common: of the same node, else of its family, else of any. */
export function nearestCall(asked: Asked, calls: readonly RecordedCall[]): NearCall | undefined {
  const wanted = wordsOf(asked);
  const of = (isOne: (call: RecordedCall) => boolean): NearCall | undefined => {
    let best: NearCall | undefined;
    let bestScore = -1;
    for (const [index, call] of calls.entries()) {
      if (!isOne(call)) continue;
      const score = likeness(wanted, wordsOf(call));
      if (score > bestScore) [best, bestScore] = [{ call, number: index + 1 }, score];
    }
    return best;
  };
  return (
    of(({ node }) => node === asked.node) ?? of(({ node }) => familyOf(node) === familyOf(asked.node)) ?? of(() => true)
  );
}

/** `agent` of `agent_2`. */
function familyOf(node: string): string {
  return node.replace(/_\d+$/, '');
}

const words = new WeakMap<object, ReadonlySet<string>>();
let segmenter: Intl.Segmenter | undefined;

function wordsOf({ request }: Asked): ReadonlySet<string> {
  const known = words.get(request);
  if (known !== undefined) return known;
  // Slow to make.
  segmenter ??= new Intl.Segmenter('ja', { granularity: 'word' });
  const found = new Set(Array.from(segmenter.segment(stringifyJson(request)), ({ segment }) => segment));
  words.set(request, found);
  return found;
}

/** Words in common as a share of all (Jaccard), 0 to 1. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let common = 0;
  for (const word of one) if (other.has(word)) common += 1;
  return common / Math.max(1, one.size + other.size - common);
}
