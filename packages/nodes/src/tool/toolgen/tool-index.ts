import { linearCongruential } from '../../tool-catalogue/linear-congruential.ts';
/** How a tool becomes a sequence of tokens (ToolGen, section on indexing). */
export type IndexingScheme = 'atomic' | 'semantic' | 'numeric' | 'hierarchical';

/** What ends an episode in each scheme: ids that ToolGen's code holds fixed. */
export const finishIds: Readonly<Record<IndexingScheme, string>> = {
  atomic: '<<Finish>>',
  semantic: 'Finish',
  numeric: '4 6 7 3 2',
  hierarchical: '9 9 9 9 3',
};

/** One new vocabulary entry a tool: `<<tool&&api>>`. */
export function atomicToken(tool: string, api: string): string {
  return `<<${tool}&&${api}>>`;
}

/** Digits of a fixed width, separated by spaces. */
export function numericToken(index: number, width: number): string {
  return [...String(index).padStart(width, '0')].join(' ');
}

/** Digits that number `count` tools. */
export function numericWidth(count: number): number {
  return String(Math.max(0, count - 1)).length;
}

/**
 * Paths of digits from clustering into at most ten groups, again and again until each group holds one tool. The
 * same seed gives the same paths; no path is the start of another.
 *
 * @param vectors one a tool, all of one length
 */
export function hierarchicalPaths(
  vectors: readonly (readonly number[])[],
  seed: number,
): readonly (readonly number[])[] {
  const paths: number[][] = vectors.map(() => []);
  const random = linearCongruential(seed);
  const split = (members: readonly number[]): void => {
    if (members.length < 2) return;
    const groups = members.length <= 10 ? members.map((member) => [member]) : cluster(members, vectors, random);
    for (const [digit, group] of groups.entries()) {
      for (const member of group) paths[member]?.push(digit);
      split(group);
    }
  };
  split(vectors.map((_, index) => index));
  return vectors.length === 1 ? [[0]] : paths;
}

/** Ten means, a few rounds; where all vectors are equal the members are dealt out. */
function cluster(
  members: readonly number[],
  vectors: readonly (readonly number[])[],
  random: () => number,
): readonly (readonly number[])[] {
  const vectorOf = (member: number): readonly number[] => vectors[member] ?? [];
  let centres = Array.from({ length: 10 }, () => vectorOf(members[Math.floor(random() * members.length)] ?? 0));
  let groups: readonly number[][] = [];
  for (let round = 0; round < 10; round += 1) {
    const next: number[][] = centres.map(() => []);
    for (const member of members) next[nearest(vectorOf(member), centres)]?.push(member);
    groups = next;
    centres = centres.map((centre, at) => meanOf((groups[at] ?? []).map(vectorOf)) ?? centre);
  }
  const filled = groups.filter((group) => group.length > 0);
  return filled.length > 1 ? filled : dealtOut(members);
}

function dealtOut(members: readonly number[]): readonly (readonly number[])[] {
  return Array.from({ length: 10 }, (_, digit) => members.filter((_, at) => at % 10 === digit));
}

function nearest(vector: readonly number[], centres: readonly (readonly number[])[]): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [at, centre] of centres.entries()) {
    const distance = vector.reduce((sum, value, axis) => sum + (value - (centre[axis] ?? 0)) ** 2, 0);
    if (distance < least) [best, least] = [at, distance];
  }
  return best;
}

function meanOf(vectors: readonly (readonly number[])[]): readonly number[] | undefined {
  const [first] = vectors;
  return first?.map((_, axis) => vectors.reduce((sum, vector) => sum + (vector[axis] ?? 0), 0) / vectors.length);
}
