import type { CatalogFile, RowId, RowPairId } from '@unroll/engine';
import type { RunDiff, RunGraph, VerdictOptions } from '@unroll/evals';
import { type OpenRun, setSideBySide } from '../diff/side-by-side.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { recordFile, stampOf } from '../records/open-record.ts';
import { shownPlace } from '../records/record-place.ts';
import type { DiffOptions } from '../studio-contract/contract.ts';
import type { HeldRun } from './held-run.ts';

/** Two runs as they were compared: which rows are pairs, and why they differ. */
export interface HeldDiff {
  readonly pairedBy: 'key' | 'content' | 'line';
  readonly options: DiffOptions;
  readonly diff: RunDiff;
  readonly graph: RunGraph;
  readonly verdictOptions: VerdictOptions;
  /** Nodes that outputs of the flow are taken from. */
  readonly outputReads: ReadonlyMap<string, string>;
  /** All pairs in the order of the left run. */
  readonly pairs: readonly RowPairId[];
  /** First rows that only one run has. */
  readonly unpaired: { readonly left: readonly RowId[]; readonly right: readonly RowId[] };
  /** By id of a pattern: its outputs, or how its rows ended, differ. */
  readonly outputsDiffer: ReadonlySet<number>;
  /** By id of a pattern: only the right run failed. */
  readonly failed: ReadonlySet<number>;
  /** Name of a node in the left run. */
  leftName(node: string): string;
}

const maxHeld = 6;
const maxUnpaired = 20;

/** Comparisons that were asked for last: they hold as long as both records stay as they are. */
export class HeldDiffs {
  private readonly host: ProjectHost;
  private readonly held = new Map<string, Promise<HeldDiff>>();

  constructor(host: ProjectHost) {
    this.host = host;
  }

  async of(left: HeldRun, right: HeldRun, options: DiffOptions): Promise<HeldDiff> {
    const stamps = [left, right].map(async ({ path }) => `${path} ${await stampOf(path, this.host)}`);
    const key = [...(await Promise.all(stamps)), JSON.stringify(options)].join('\n');
    const known = this.held.get(key);
    if (known !== undefined) return await known;
    const compared = this.compare(left, right, options);
    this.held.set(key, compared);
    compared.catch(() => this.held.delete(key));
    for (const old of [...this.held.keys()].slice(0, -maxHeld)) this.held.delete(old);
    return await compared;
  }

  private async compare(left: HeldRun, right: HeldRun, options: DiffOptions): Promise<HeldDiff> {
    const { folder } = this.host;
    await using was = await recordFile(left.path, this.host);
    await using is = await recordFile(right.path, this.host);
    using side = await setSideBySide({
      ...{ left: this.opened(left, was), right: this.opened(right, is), folder },
      ...{ key: options.key, renames: readRenames(options.rename) },
    });
    const { comparison, graph, verdictOptions } = side;
    const { patterns, pairedBy } = comparison;
    const ids = patterns.map(({ id }) => id);
    const idsOf = (isMeant: (pattern: (typeof patterns)[number]) => boolean) =>
      new Set(patterns.filter(isMeant).map(({ id }) => id));
    return {
      ...{ pairedBy, options, graph, verdictOptions },
      diff: side.diff({ byIteration: options.turns === 'each' }),
      outputReads: new Map((right.reader.info.outputs ?? []).map(({ name, reads = '' }) => [name, reads])),
      pairs: comparison.pairs(ids, comparison.left),
      unpaired: {
        left: comparison.unpaired('left', maxUnpaired),
        right: comparison.unpaired('right', maxUnpaired),
      },
      outputsDiffer: idsOf((pattern) => pattern.outputsDiffer || pattern.left !== pattern.right),
      failed: idsOf((pattern) => pattern.right === 'Failed' && pattern.left !== 'Failed'),
      leftName: side.leftName,
    };
  }

  /** What of it cannot be read is told with the run itself. */
  private opened({ reader, path: place }: HeldRun, { path }: CatalogFile): OpenRun {
    return { store: reader, place, path, shownPath: shownPlace(place, this.host.folder), onDamage: () => undefined };
  }
}

/** @throws ProjectFailure for one that is not written `old=new` */
function readRenames(given: readonly string[] = []): ReadonlyMap<string, string> {
  return new Map(
    given.map((pair) => {
      const [, old, name] = /^([^=]+)=([^=]+)$/.exec(pair) ?? [];
      if (old === undefined || name === undefined)
        throw new ProjectFailure(`rename takes old=new, not "${pair}"`, { code: 'BadQuery' });
      return [old, name];
    }),
  );
}
