import { diffArrays } from 'diff';

/** A stretch of two lists: equal items side by side, or items of which the other list has none like them. */
export interface Stretch<Item> {
  readonly kind: 'same' | 'changed';
  readonly left: readonly Item[];
  readonly right: readonly Item[];
}

/** The search is quadratic in insertions and deletions: of texts that have little in common it takes all of them, and finds little. */
const longestSearch = 500;

/**
 * Sets two lists side by side with as many equal items as can be kept in order (Myers, An O(ND) Difference Algorithm,
 * 1986, by the library `diff`). Neighbouring insertions and deletions come as one stretch; beyond 500 of
 * them all that is between the common beginning and the common end is one.
 */
export function alignLists<Item>(
  left: readonly Item[],
  right: readonly Item[],
  isSame: (left: Item, right: Item) => boolean,
): readonly Stretch<Item>[] {
  const head = commonLength(left, right, isSame);
  const tail = commonLength(left.slice(head).reverse(), right.slice(head).reverse(), isSame);
  const leftEnd = left.length - tail;
  const rightEnd = right.length - tail;
  return [
    { kind: 'same', left: left.slice(0, head), right: right.slice(0, head) } as const,
    ...alignMiddle(left.slice(head, leftEnd), right.slice(head, rightEnd), isSame),
    { kind: 'same', left: left.slice(leftEnd), right: right.slice(rightEnd) } as const,
  ].filter((stretch) => stretch.left.length + stretch.right.length > 0);
}

function commonLength<Item>(
  left: readonly Item[],
  right: readonly Item[],
  isSame: (left: Item, right: Item) => boolean,
): number {
  const least = Math.min(left.length, right.length);
  for (let at = 0; at < least; at += 1) if (!isSame(left[at] as Item, right[at] as Item)) return at;
  return least;
}

function alignMiddle<Item>(
  left: readonly Item[],
  right: readonly Item[],
  isSame: (left: Item, right: Item) => boolean,
): readonly Stretch<Item>[] {
  if (left.length === 0 || right.length === 0) return [{ kind: 'changed', left, right }];
  const changes = diffArrays([...left], [...right], { comparator: isSame, maxEditLength: longestSearch });
  if (changes === undefined) return [{ kind: 'changed', left, right }];
  const stretches: Stretch<Item>[] = [];
  const at = { left: 0, right: 0 };
  for (const { added, removed, count } of changes) {
    const to = { left: at.left + (added ? 0 : count), right: at.right + (removed ? 0 : count) };
    const kind = added || removed ? 'changed' : 'same';
    addStretch(stretches, { kind, left: left.slice(at.left, to.left), right: right.slice(at.right, to.right) });
    Object.assign(at, to);
  }
  return stretches;
}

function addStretch<Item>(stretches: Stretch<Item>[], { kind, left, right }: Stretch<Item>): void {
  const last = stretches.at(-1);
  if (last?.kind !== kind) stretches.push({ kind, left, right });
  else stretches[stretches.length - 1] = { kind, left: [...last.left, ...left], right: [...last.right, ...right] };
}
