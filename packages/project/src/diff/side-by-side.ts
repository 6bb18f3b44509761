import { compareRuns, didYouMean, type OnDamage, type RunComparison, type RunReader } from '@unroll/engine';
import {
  alignNodes,
  diffRuns,
  mergeRuns,
  type RunDiff,
  type RunGraph,
  renamableNames,
  type VerdictOptions,
} from '@unroll/evals';
import { ProjectFailure } from '../host/project-failure.ts';
import { runIdOf } from '../records/record-place.ts';
import { readKeys } from './read-keys.ts';

export interface OpenRun {
  readonly store: RunReader;
  /** Of its record, as `findRun` names it. */
  readonly place: string;
  /** Its record file, absolute, where that is its store. */
  readonly path?: string;
  readonly shownPath: string;
  /** Told of rows that cannot be read. */
  readonly onDamage: OnDamage;
}

/** Two runs, rows and nodes paired, as long as it is not disposed of. */
export interface SideBySide extends Disposable {
  readonly comparison: RunComparison;
  readonly graph: RunGraph;
  readonly verdictOptions: VerdictOptions;
  /** With the instances of a loop's node told of together, or one by one. */
  diff(options: { readonly byIteration: boolean }): RunDiff;
  /** Name of a node in the left run. */
  leftName(node: string): string;
}

interface SideBySideRequest {
  readonly left: OpenRun;
  readonly right: OpenRun;
  /** Old name to new, of nodes or families. */
  readonly renames?: ReadonlyMap<string, string>;
  /** An input or column that tells rows apart. */
  readonly key?: string | undefined;
  /** Where paths of data start from, absolute. */
  readonly folder: string;
}

/**
 * Pairs rows and nodes of two runs.
 *
 * @throws ProjectFailure when a name is of no node, or a key tells rows not apart
 */
export async function setSideBySide(request: SideBySideRequest): Promise<SideBySide> {
  checkRenames(request);
  const { left, right, renames, key, folder } = request;
  const [was, is] = [left.store.info, right.store.info];
  const aligned = alignNodes(was, is, renames);
  const graph = mergeRuns(was, is, aligned);
  const keysOf = ({ store, place }: OpenRun, name: string) => readKeys(store, runIdOf(place), name, folder);
  const keys = key === undefined ? undefined : { left: await keysOf(left, key), right: await keysOf(right, key) };
  const comparison = await compareRuns(left, right, { aligned, keys });
  const leftNames = new Map(aligned.map((pair) => [pair.right ?? pair.left ?? '', pair.left ?? '']));
  const places = new Map(is.nodes.map(({ name, place }) => [name, place]));
  return {
    comparison,
    graph,
    verdictOptions: {
      outputs: (is.outputs ?? []).map(({ name }) => name),
      placeOf: (name) => places.get(name),
    },
    diff: (options) => diffRuns(comparison, graph, options),
    leftName: (node) => leftNames.get(node) ?? node,
    [Symbol.dispose]: () => comparison[Symbol.dispose](),
  };
}

function checkRenames({ renames = new Map(), left, right }: SideBySideRequest): void {
  for (const [old, name] of renames) {
    for (const [given, { store, place }] of [[old, left] as const, [name, right] as const]) {
      const names = renamableNames(store.info);
      if (names.includes(given)) continue;
      const help = didYouMean(given, names) ?? `Its nodes: ${names.join(', ')}`;
      throw new ProjectFailure(`--rename ${old}=${name}: run ${runIdOf(place)} has no node "${given}"`, { help });
    }
  }
}
