import type { TokenTrie } from './token-trie.ts';

/** Scores of every token of the vocabulary after a prefix; undefined where the model knows none. */
export type NextLogits = (prefix: readonly number[]) => readonly number[] | undefined;

export interface RankedSequence {
  readonly ids: readonly number[];
  /** Sum of the log probabilities over the whole vocabulary. */
  readonly logprob: number;
}

/** Takes the best allowed token at each step until the trie ends. */
export function decodeGreedy(trie: TokenTrie, logits: NextLogits): readonly number[] {
  const ids: number[] = [];
  for (;;) {
    const allowed = trie.next(ids) ?? [];
    if (allowed.length === 0) return ids;
    const scores = logits(ids) ?? [];
    ids.push(allowed.reduce((best, id) => ((scores[id] ?? -Infinity) > (scores[best] ?? -Infinity) ? id : best)));
  }
}

/** Takes the best token of all at each step: what a model says when nothing holds it to the tools. */
export function decodeUnconstrained(logits: NextLogits, end: number, longest: number): readonly number[] {
  const ids: number[] = [];
  while (ids.length < longest) {
    const scores = logits(ids);
    if (scores === undefined) return ids;
    const best = scores.reduce((at, score, id) => (score > (scores[at] ?? -Infinity) ? id : at), 0);
    ids.push(best);
    if (best === end) return ids;
  }
  return ids;
}

/**
 * Beam search over the trie, best first. Scores are log probabilities over the whole vocabulary; tokens outside the
 * trie are masked after normalising, as a logits processor does, so that scores are not those of the trie alone.
 */
export function decodeBeams(trie: TokenTrie, logits: NextLogits, width: number): readonly RankedSequence[] {
  let beams: readonly RankedSequence[] = [{ ids: [], logprob: 0 }];
  while (beams.some(({ ids }) => !isEnd(trie, ids))) {
    beams = beams.flatMap((beam) => (isEnd(trie, beam.ids) ? [beam] : expand(beam, trie, logits)));
    beams = [...beams].sort((one, other) => other.logprob - one.logprob).slice(0, width);
  }
  return beams;
}

/** Every sequence of the trie by its log probability, best first. */
export function rankAll(sequences: readonly (readonly number[])[], logits: NextLogits): readonly RankedSequence[] {
  return sequences
    .map((ids) => ({
      ids,
      logprob: ids.reduce((sum, id, at) => sum + (logProbabilities(logits(ids.slice(0, at)) ?? [])[id] ?? 0), 0),
    }))
    .sort((one, other) => other.logprob - one.logprob);
}

function expand({ ids, logprob }: RankedSequence, trie: TokenTrie, logits: NextLogits): readonly RankedSequence[] {
  const scores = logProbabilities(logits(ids) ?? []);
  return (trie.next(ids) ?? []).map((id) => ({ ids: [...ids, id], logprob: logprob + (scores[id] ?? -Infinity) }));
}

function isEnd(trie: TokenTrie, ids: readonly number[]): boolean {
  return (trie.next(ids) ?? []).length === 0;
}

function logProbabilities(scores: readonly number[]): readonly number[] {
  const highest = Math.max(...scores);
  const total = Math.log(scores.reduce((sum, score) => sum + Math.exp(score - highest), 0)) + highest;
  return scores.map((score) => score - total);
}
