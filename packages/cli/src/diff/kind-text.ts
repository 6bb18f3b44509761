import { kindCounts, type NodeDiff } from '@unroll/evals';

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
