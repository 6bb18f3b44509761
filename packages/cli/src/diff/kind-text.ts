import { type ChangeKind, kindCounts, type NodeDiff } from '@unroll/evals';

export const kindMeanings: Readonly<Record<ChangeKind, string>> = {
  cause: 'its own definition changed',
  both: 'its definition and what went in changed',
  effect: 'only what went in changed',
  input: "the row's own inputs differ",
  noise: 'same definition and inputs, other result',
  unknown: 'a run tells no definitions',
};

/** `agent ×5` for the instances of a loop's node. */
export function nodeTitle({ name, instances }: NodeDiff): string {
  return instances.length > 1 ? `${name} ×${instances.length}` : name;
}

export function kindsText(node: NodeDiff): string {
  const counts = kindCounts(node);
  const [only] = counts;
  if (counts.length === 1 && only !== undefined) return only.kind;
  return counts.map(({ kind, rows }) => `${kind} ${rows}`).join(', ');
}

/** `3 failed only in B`. */
export function failuresText({ failedLeft, failedRight }: NodeDiff): string {
  return [failedLeft > 0 ? `A ${failedLeft}` : '', failedRight > 0 ? `B ${failedRight}` : '']
    .filter((part) => part !== '')
    .join(' ');
}
