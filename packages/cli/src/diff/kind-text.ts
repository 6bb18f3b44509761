import { type ChangeKind, causeText, changeKinds, type NodeDiff } from '@unroll/evals';

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

/** How many row pairs differ for which reason: `cause 10, noise 2`. */
export function kindCounts({ kinds }: NodeDiff): readonly { readonly kind: ChangeKind; readonly rows: number }[] {
  return changeKinds.flatMap((kind) => {
    const rows = kinds[kind] ?? 0;
    return rows === 0 ? [] : [{ kind, rows }];
  });
}

export function kindsText(node: NodeDiff): string {
  const counts = kindCounts(node);
  const [only] = counts;
  if (counts.length === 1 && only !== undefined) return only.kind;
  return counts.map(({ kind, rows }) => `${kind} ${rows}`).join(', ');
}

/** What a table says beside the kinds: the parts that changed, else where it comes from. */
export function reasonText(node: NodeDiff): string {
  const isCause = (node.kinds.cause ?? 0) + (node.kinds.both ?? 0) > 0;
  const own = isCause || node.onlyIn !== undefined ? causeText(node) : idleText(node);
  const ways = node.origins
    .slice(0, 3)
    .map(({ steps, from }) => `${steps.join(' → ')}${from === 'noise' ? ' (noise)' : ''}`);
  const rest = node.origins.length - ways.length;
  return [own, ...ways, rest > 0 ? `${rest} more` : ''].filter((part) => part !== '').join('; ');
}

function idleText(node: NodeDiff): string {
  return (node.changedParts ?? []).length === 0 ? '' : `${causeText(node)}, no effect`;
}

/** `3 failed only in B`. */
export function failuresText({ failedLeft, failedRight }: NodeDiff): string {
  return [failedLeft > 0 ? `A ${failedLeft}` : '', failedRight > 0 ? `B ${failedRight}` : '']
    .filter((part) => part !== '')
    .join(' ');
}
