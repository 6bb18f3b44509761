import { type ReadWords, toolFields } from './tool-words.ts';

/** How soon more of the same word adds less (BM25's usual value). */
export const k1 = 1.2;

/** How much the length of a field counts (BM25's usual value). */
const b = 0.75;

/** Of each word, from `start` of it on: which tools hold it, and how much it weighs there. */
interface Postings {
  readonly start: Int32Array;
  readonly holders: Int32Array;
  readonly weights: Float32Array;
}

/** Two walks over all words: one counts how many tools hold each, one writes their weights. */
export function weighWords({ words, text, bounds }: ReadWords, count: number): Postings {
  const norms = lengthNorms(bounds, count);
  const start = startsOf(text, bounds, words.size, count);
  const total = start[words.size] ?? 0;
  const holders = new Int32Array(total);
  const weights = new Float32Array(total);
  /** Of each word, the place behind its last holder. */
  const next = start.slice();
  const seen = new Int32Array(words.size).fill(-1);
  for (let part = 0; part < norms.length; part += 1) {
    const tool = Math.trunc(part / toolFields.length);
    const norm = norms[part] as number;
    const end = bounds[part + 1] as number;
    for (let at = bounds[part] as number; at < end; at += 1) {
      const word = text[at] as number;
      let place = (next[word] as number) - 1;
      if (seen[word] !== tool) {
        seen[word] = tool;
        next[word] = ++place + 1;
        holders[place] = tool;
      }
      weights[place] = (weights[place] as number) + norm;
    }
  }
  return { start, holders, weights };
}

/** `[words + 1]`: where the holders of each word begin. */
function startsOf(text: Int32Array, bounds: Int32Array, words: number, count: number): Int32Array {
  const start = new Int32Array(words + 1);
  const seen = new Int32Array(words).fill(-1);
  for (let tool = 0; tool < count; tool += 1) {
    const end = bounds[(tool + 1) * toolFields.length] as number;
    for (let at = bounds[tool * toolFields.length] as number; at < end; at += 1) {
      const word = text[at] as number;
      if (seen[word] === tool) continue;
      seen[word] = tool;
      start[word + 1] = (start[word + 1] as number) + 1;
    }
  }
  for (let word = 0; word < words; word += 1) start[word + 1] = (start[word + 1] as number) + (start[word] as number);
  return start;
}

/** What one occurrence of a word counts, for each field of each tool. */
function lengthNorms(bounds: Int32Array, count: number): Float64Array {
  const fields = toolFields.length;
  const totals = new Float64Array(fields);
  for (let part = 0; part < count * fields; part += 1)
    totals[part % fields] = (totals[part % fields] as number) + (bounds[part + 1] as number) - (bounds[part] as number);
  const means = totals.map((total) => total / Math.max(1, count) || 1);
  const norms = new Float64Array(count * fields);
  for (let part = 0; part < norms.length; part += 1) {
    const length = (bounds[part + 1] as number) - (bounds[part] as number);
    norms[part] = 1 / (1 - b + (b * length) / (means[part % fields] as number));
  }
  return norms;
}

/** Where `wanted` stands among ascending numbers from `from` up to `to`; -1 where it does not. */
export function positionOf(ascending: Int32Array, wanted: number, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return low < to && ascending[low] === wanted ? low : -1;
}
