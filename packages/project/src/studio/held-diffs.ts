import type { RowPairId } from '@unroll/engine';
import type { RunDiff, RunGraph, VerdictOptions } from '@unroll/evals';
import { type OpenRun, setSideBySide } from '../diff/side-by-side.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { shownPath } from '../host/shown-path.ts';
import { type HeldRun, recordStamp } from './held-run.ts';

/** Two runs as they were compared: which rows are pairs, and why they differ. */
export interface HeldDiff {
  readonly pairedBy: 'key' | 'content' | 'line';
  /** Instances of a loop's node as one. */
  readonly diff: RunDiff;
  readonly graph: RunGraph;
  readonly verdictOptions: VerdictOptions;
  /** Nodes that outputs of the flow are taken from. */
  readonly outputReads: ReadonlyMap<string, string>;
  /** All pairs in the order of the left run. */
  readonly pairs: readonly RowPairId[];
  /** By id of a pattern: its outputs, or how its rows ended, differ. */
  readonly outputsDiffer: ReadonlySet<number>;
  /** By id of a pattern: only the right run failed. */
  readonly failed: ReadonlySet<number>;
  /** Name of a node in the left run. */
  leftName(node: string): string;
}

const mostHeld = 6;

/** Comparisons that were asked for last: they hold as long as both records stay as they are. */
export class HeldDiffs {
  private readonly host: ProjectHost;
  private readonly held = new Map<string, Promise<HeldDiff>>();

  constructor(host: ProjectHost) {
    this.host = host;
  }

  of(left: HeldRun, right: HeldRun): Promise<HeldDiff> {
    const key = [left, right].map(({ path }) => `${path} ${recordStamp(path)}`).join('\n');
    const known = this.held.get(key);
    if (known !== undefined) return known;
    const compared = this.compare(left, right);
    this.held.set(key, compared);
    compared.catch(() => this.held.delete(key));
    for (const old of [...this.held.keys()].slice(0, -mostHeld)) this.held.delete(old);
    return compared;
  }

  private async compare(left: HeldRun, right: HeldRun): Promise<HeldDiff> {
    const { folder } = this.host;
    using side = await setSideBySide({ left: this.opened(left), right: this.opened(right), folder });
    const { comparison, graph, verdictOptions } = side;
    const { patterns, pairedBy } = comparison;
    const ids = patterns.map(({ id }) => id);
    const idsOf = (isMeant: (pattern: (typeof patterns)[number]) => boolean) =>
      new Set(patterns.filter(isMeant).map(({ id }) => id));
    return {
      ...{ pairedBy, graph, verdictOptions },
      diff: side.diff({ byIteration: false }),
      outputReads: new Map((right.reader.info.outputs ?? []).map(({ name, reads = '' }) => [name, reads])),
      pairs: comparison.pairs(ids, comparison.left),
      outputsDiffer: idsOf((pattern) => pattern.outputsDiffer || pattern.left !== pattern.right),
      failed: idsOf((pattern) => pattern.right === 'Failed' && pattern.left !== 'Failed'),
      leftName: side.leftName,
    };
  }

  /** What of it cannot be read is told with the run itself. */
  private opened({ reader, path }: HeldRun): OpenRun {
    return { store: reader, path, shownPath: shownPath(path, this.host.folder), onDamage: () => undefined };
  }
}
