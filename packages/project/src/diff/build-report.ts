import {
  didYouMean,
  type OnDamage,
  type RunComparison,
  RunDamageError,
  type RunReader,
  stringifyJson,
} from '@unroll/engine';
import {
  type ChangeKind,
  isSame,
  type NodeDiff,
  type RowChange,
  type RunDiff,
  type ValueChange,
  verdict,
} from '@unroll/evals';
import { ProjectFailure } from '../host/project-failure.ts';
import { runIdOf } from '../records/record-place.ts';
import { comparedRuns, maxUnpaired, unpairedRows } from './compared-runs.ts';
import type { DiffReport, ReportedRun, RowReport } from './diff-report.ts';
import { metricDiffs } from './metric-diffs.ts';
import { reportRow } from './report-row.ts';
import { type OpenRun, setSideBySide } from './side-by-side.ts';

export interface DiffRequest {
  readonly left: OpenRun;
  readonly right: OpenRun;
  readonly renames: ReadonlyMap<string, string>;
  readonly key: string | undefined;
  readonly byIteration: boolean;
  /** A node or a family. */
  readonly node: string | undefined;
  readonly only: readonly ChangeKind[] | undefined;
  /** How many row pairs to tell in full. */
  readonly rows: number;
  /** Where paths of data start from, absolute. */
  readonly folder: string;
}

/**
 * Compares two runs and gathers what is to be told.
 *
 * @throws ProjectFailure when a name is of no node, or a key tells rows not apart
 */
export async function buildReport(request: DiffRequest): Promise<DiffReport> {
  const { left, right, key } = request;
  using compared = await setSideBySide(request);
  const { comparison, graph } = compared;
  const unpaired = unpairedRows(comparison, Math.max(request.rows, maxUnpaired));
  const isByIteration = request.byIteration || asksForOne(request);
  const diff = compared.diff({ byIteration: isByIteration });
  const wanted = wantedOf(request, diff);
  const found = findRows(comparison, diff, wanted, request.rows);
  const changesOf = (pattern: number): readonly RowChange[] => diff.patterns.get(pattern) ?? [];
  const rows: RowReport[] = [];
  for (const pair of found.pairs) {
    const reported = reportRow(pair, {
      left: left.store,
      right: right.store,
      changes: changesOf(pair.pattern),
      isAsked: wanted.isAsked,
      leftName: (name) => compared.leftName(name),
    });
    rows.push(...(await orLeftOut(left.onDamage, reported)));
  }
  return {
    left: reportedRun(left),
    right: reportedRun(right),
    isSame: isSame(diff),
    verdict: verdict(diff, compared.verdictOptions),
    pairedBy: comparison.pairedBy,
    isByIteration,
    ...(key === undefined ? {} : { key }),
    diff,
    graph,
    metrics: metricDiffs(await left.store.metrics(), await right.store.metrics()),
    nodes: diff.nodes.filter((node) => wanted.isWantedNode(node)),
    rows: withoutRepeated(rows),
    rowsFound: found.count,
    onlyLeft: unpaired.left.slice(0, request.rows),
    onlyRight: unpaired.right.slice(0, request.rows),
    compared: () => comparedRuns(compared, { diff, right: right.store.info, unpaired }),
  };
}

/** The message names the file. */
async function orLeftOut<T>(onDamage: OnDamage, read: Promise<T>): Promise<readonly T[]> {
  try {
    return [await read];
  } catch (error) {
    if (!(error instanceof RunDamageError)) throw error;
    onDamage({ message: error.message });
    return [];
  }
}

/** Whether one instance of a loop's node is asked for: the others do not count then. */
function asksForOne({ node, left, right }: DiffRequest): boolean {
  return [left, right].some(({ store }) => store.info.nodes.some(({ name, iteration }) => name === node && iteration));
}

/** What changed in every prompt alike is told once, where it is met first. */
export function withoutRepeated(rows: readonly RowReport[]): readonly RowReport[] {
  const reported = new Set<string>();
  const isNew = (change: ValueChange): boolean => {
    const key = stringifyJson([change.left ?? null, change.right ?? null]);
    const isFirst = !reported.has(key);
    reported.add(key);
    return isFirst;
  };
  return rows.map((row) => ({
    ...row,
    nodes: row.nodes.map((node) => ({ ...node, promptChanges: node.promptChanges.filter(isNew) })),
  }));
}

function reportedRun({ store: { info }, place, shownPath }: OpenRun): ReportedRun {
  return {
    id: runIdOf(place),
    path: shownPath,
    place,
    flow: info.flowName,
    flowPath: info.flowPath,
    startedAt: new Date(info.startedAt).toISOString(),
    ...(info.madeWith === undefined ? {} : { madeWith: info.madeWith }),
  };
}

interface Wanted {
  isWantedNode(node: NodeDiff): boolean;
  /** Undefined where nothing in particular is asked for. */
  readonly isAsked: ((change: RowChange) => boolean) | undefined;
}

function wantedOf({ node, only, left, right }: DiffRequest, diff: RunDiff): Wanted {
  const isKind = (kind: ChangeKind): boolean => only === undefined || only.includes(kind);
  const name = node?.endsWith('[*]') ? node.slice(0, -3) : node;
  const names = name === undefined ? undefined : instancesOf(name, [left.store, right.store], diff);
  return {
    isWantedNode: ({ instances, kinds }) =>
      (names === undefined || instances.some((instance) => names.has(instance))) &&
      (only === undefined || only.some((kind) => (kinds[kind] ?? 0) > 0)),
    isAsked:
      names === undefined && only === undefined
        ? undefined
        : ({ pair, attribution }) => (names?.has(pair.node) ?? true) && isKind(attribution.kind),
  };
}

/** The node of this name, else the instances of the family of this name. */
function instancesOf(name: string, stores: readonly RunReader[], { nodes }: RunDiff): ReadonlySet<string> {
  const known = new Set(nodes.flatMap(({ instances }) => instances));
  if (known.has(name)) return new Set([name]);
  const listed = stores.flatMap(({ info }) => info.nodes.filter(({ family }) => family === name));
  const family = listed.map((node) => node.name).filter((instance) => known.has(instance));
  if (family.length > 0) return new Set(family);
  const names = [...new Set(nodes.flatMap((line) => [line.name, ...line.instances]))];
  throw new ProjectFailure(`neither run has a node or family "${name}"`, {
    code: 'NodeNotFound',
    help: didYouMean(name, names) ?? `Nodes: ${nodes.map((line) => line.name).join(', ')}`,
  });
}

function findRows(
  comparison: RunComparison,
  diff: RunDiff,
  { isAsked }: Wanted,
  limit: number,
): { readonly pairs: ReturnType<RunComparison['pairs']>; readonly count: number } {
  const wanted = comparison.patterns.filter(({ id, inputs }) => {
    const changes = diff.patterns.get(id);
    if (changes === undefined) return isAsked === undefined && inputs.length > 0;
    return isAsked === undefined || changes.some(isAsked);
  });
  const count = wanted.reduce((sum, { rows }) => sum + rows, 0);
  return {
    pairs: comparison.pairs(
      wanted.map(({ id }) => id),
      limit,
    ),
    count,
  };
}
