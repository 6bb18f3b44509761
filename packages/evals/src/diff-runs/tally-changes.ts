import type { Attribution, ChangeKind, ChangePath, PartChange } from '../attribute-changes/attribution.ts';
import type { NodeDiff, Origin, RowChange } from './run-diff.ts';

type Counts = Pick<
  NodeDiff,
  'changed' | 'statusDiffers' | 'failedLeft' | 'failedRight' | 'kinds' | 'effectsOf' | 'causeParts' | 'origins'
>;

/** Counts over all rows what became of the nodes that are told of together. */
export interface NodeTally {
  /**
   * @param changes of these nodes in one pattern, in order
   * @param rows how many rows are of that pattern
   * @param groupOf the name under which a node is told of
   */
  add(changes: readonly RowChange[], rows: number, groupOf: (node: string) => string): void;
  counts(): Counts;
}

export function createTally(name: string): NodeTally {
  const counts = { changed: 0, statusDiffers: 0, failedLeft: 0, failedRight: 0 };
  const kinds: Tally<ChangeKind> = {};
  const effectsOf: Tally<ChangePath['from']> = {};
  const causeParts = new Map<string, PartChange>();
  const paths = new Map<string, CountedPath>();
  return {
    add(changes, rows, groupOf) {
      addStatuses(counts, changes, rows);
      const own = foldChanges(changes, name, groupOf);
      addTo(kinds, own.kind, rows);
      if (own.kind === 'effect') addTo(effectsOf, strongestOf(own.paths), rows);
      for (const part of changes.flatMap(({ attribution }) => attribution.parts)) causeParts.set(part.part, part);
      for (const path of own.paths) {
        const key = JSON.stringify(path);
        paths.set(key, { path, rows: rows + (paths.get(key)?.rows ?? 0) });
      }
    },
    counts: () => ({
      ...counts,
      kinds,
      effectsOf,
      causeParts: [...causeParts.values()],
      origins: originsOf([...paths.values()]),
    }),
  };
}

type Tally<Key extends string> = Partial<Record<Key, number>>;

function addTo<Key extends string>(tally: Tally<Key>, key: Key, rows: number): void {
  tally[key] = (tally[key] ?? 0) + rows;
}

type StatusCounts = { -readonly [Key in 'changed' | 'statusDiffers' | 'failedLeft' | 'failedRight']: number };

function addStatuses(counts: StatusCounts, changes: readonly RowChange[], rows: number): void {
  const left = changes.some(({ pair }) => pair.left === 'Failed');
  const right = changes.some(({ pair }) => pair.right === 'Failed');
  counts.changed += rows;
  if (changes.some(({ pair }) => pair.left !== pair.right)) counts.statusDiffers += rows;
  if (left && !right) counts.failedLeft += rows;
  if (right && !left) counts.failedRight += rows;
}

interface CountedPath {
  readonly path: ChangePath;
  readonly rows: number;
}

/**
 * One kind for the instances of a node together. What an earlier instance did to a later one, through whatever nodes,
 * is the node's own doing:
 *
 *     agent_1 cause -> function_1 effect -> agent_2 both        agent: cause, function: effect
 */
function foldChanges(
  changes: readonly RowChange[],
  name: string,
  groupOf: (node: string) => string,
): Pick<Attribution, 'kind' | 'paths'> {
  const folded = changes.flatMap(({ attribution }) => attribution.paths.map((path) => foldPath(path, groupOf)));
  const foreign = folded.filter(({ steps }) => steps[0] !== name).reverse();
  const paths = new Map(foreign.map((path) => [`${path.from} ${path.steps[0]}`, path]));
  const kinds = changes.map(({ attribution }) => attribution.kind);
  const isCause = kinds.includes('cause') || kinds.includes('both');
  const kind = isCause ? (paths.size > 0 ? 'both' : 'cause') : kinds[0];
  return { kind: kind ?? 'unknown', paths: [...paths.values()] };
}

function strongestOf(paths: readonly ChangePath[]): ChangePath['from'] {
  const order = ['cause', 'input', 'noise'] as const;
  return order.find((from) => paths.some((path) => path.from === from)) ?? 'unknown';
}

/** The path in names of groups, without steps that stay in one. */
function foldPath({ from, steps }: ChangePath, groupOf: (node: string) => string): ChangePath {
  return { from, steps: steps.map(groupOf).filter((step, index, all) => step !== all[index - 1]) };
}

function originsOf(paths: readonly CountedPath[]): readonly Origin[] {
  const byOrigin = Map.groupBy(
    paths.toSorted((one, other) => other.rows - one.rows),
    ({ path }) => `${path.from} ${path.steps[0]}`,
  );
  const origins = [...byOrigin.values()].flatMap((ofOrigin): readonly Origin[] => {
    const [max] = ofOrigin;
    if (max === undefined) return [];
    const { from, steps } = max.path;
    return [{ name: steps[0] ?? '', from, rows: ofOrigin.reduce((sum, { rows }) => sum + rows, 0), steps }];
  });
  return origins.sort((one, other) => other.rows - one.rows);
}
