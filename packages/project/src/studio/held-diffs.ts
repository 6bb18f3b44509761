import type { CatalogFile } from '@unroll/engine';
import { type ComparedRuns, comparedRuns, maxUnpaired, unpairedRows } from '../diff/compared-runs.ts';
import { type OpenRun, setSideBySide } from '../diff/side-by-side.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { recordFile, stampOf } from '../records/open-record.ts';
import { shownPlace } from '../records/record-place.ts';
import type { DiffOptions } from '../studio-contract/contract.ts';
import type { HeldRun } from './held-run.ts';

export interface HeldDiff extends ComparedRuns {
  readonly options: DiffOptions;
}

/** A comparison that was made already: neither run is compared again. */
export interface GivenDiff {
  /** Places of the two records. */
  readonly left: string;
  readonly right: string;
  readonly options: DiffOptions;
  readonly compared: ComparedRuns;
}

const maxHeld = 6;

/** Comparisons that were asked for last: they hold as long as both records stay as they are. */
export class HeldDiffs {
  private readonly host: ProjectHost;
  private readonly given: GivenDiff | undefined;
  private readonly held = new Map<string, Promise<HeldDiff>>();

  constructor(host: ProjectHost, given?: GivenDiff) {
    this.host = host;
    this.given = given;
  }

  async of(left: HeldRun, right: HeldRun, options: DiffOptions): Promise<HeldDiff> {
    const { given } = this;
    if (given !== undefined && isOf(given, left, right, options)) return { ...given.compared, options };
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
    const unpaired = unpairedRows(side.comparison, maxUnpaired);
    const diff = side.diff({ byIteration: options.turns === 'each' });
    return { ...comparedRuns(side, { diff, right: right.reader.info, unpaired }), options };
  }

  /** What of it cannot be read is told with the run itself. */
  private opened({ reader, path: place }: HeldRun, { path }: CatalogFile): OpenRun {
    return { store: reader, place, path, shownPath: shownPlace(place, this.host.folder), onDamage: () => undefined };
  }
}

function isOf(given: GivenDiff, left: HeldRun, right: HeldRun, options: DiffOptions): boolean {
  const asOne = ({ key, rename = [], turns }: DiffOptions): string => JSON.stringify([key, rename, turns]);
  return given.left === left.path && given.right === right.path && asOne(given.options) === asOne(options);
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
