import { contentWords } from './content-words.ts';

const dimensions = 1024;

/** A text as a vector of 1,024 numbers of length 1: each content word counted at a place found by hashing it (FNV-1a). */
export function hashedEmbedding(text: string): readonly number[] {
  const vector = new Array<number>(dimensions).fill(0);
  for (const word of contentWords(text)) {
    const hash = fnv(word);
    const place = hash % dimensions;
    vector[place] = (vector[place] ?? 0) + ((hash >>> 16) % 2 === 0 ? 1 : -1);
  }
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}

function fnv(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}
