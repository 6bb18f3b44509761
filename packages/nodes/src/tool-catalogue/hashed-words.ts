import { splitWords } from './split-words.ts';

/** A text as a vector of length 1 that is 0 but at few places. */
export interface HashedText {
  readonly buckets: readonly number[];
  readonly values: readonly number[];
}

/**
 * Words and pairs of neighbouring words, hashed to `count` buckets.
 *
 * @param rarity `[count]`, what a bucket counts; 1 each where absent
 *
 * Feature hashing as in Weinberger and others, Feature Hashing for Large Scale Multitask Learning (2009), without signs.
 */
export function hashText(text: string, count: number, rarity?: Float32Array): HashedText {
  const words = splitWords(text);
  const pairs = words.slice(1).map((word, at) => `${words[at]} ${word}`);
  const buckets = [...new Set([...words, ...pairs].map((term) => hashOf(term) % count))];
  const raw = buckets.map((bucket) => rarity?.[bucket] ?? 1);
  const length = Math.hypot(...raw) || 1;
  return { buckets, values: raw.map((value) => value / length) };
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 2_166_136_261;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619);
  // The low bits alone are weak.
  return (hash ^ (hash >>> 15)) >>> 0;
}
