import { statSync } from 'node:fs';
import type { RunReader } from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { recordedPrices } from '../prices/node-prices.ts';
import { findPrices } from '../prices/price-list.ts';
import { openRecord } from '../records/open-record.ts';
import { lockState } from '../records/run-lock.ts';
import { listRunIds, madeFolder, runPath } from '../records/runs-folder.ts';
import { readRowIndex } from '../row-index/read-row-index.ts';
import type { RowIndex } from '../row-index/row-index.ts';

/** A record that is open for who looks at it. */
export interface HeldRun {
  readonly id: string;
  /** Absolute. */
  readonly path: string;
  readonly reader: RunReader;
  /** What of it cannot be read, told so far. */
  readonly damages: ReadonlySet<string>;
  isRunning(): boolean;
  /** Read once, and again where `isFresh` and rows were added since. */
  index(isFresh?: boolean): Promise<RowIndex>;
  /** Undefined until it is read. */
  indexNow(): RowIndex | undefined;
  /** Whether reading all of it takes so long that nobody should wait for it. */
  isLarge(): Promise<boolean>;
}

/** How a record stood: what was worked out from it holds as long as this does. */
export function recordStamp(path: string): string {
  const stampOf = (file: string): string => {
    const stat = statSync(file, { throwIfNoEntry: false });
    return stat === undefined ? '' : `${stat.ino}:${stat.size}:${stat.mtimeMs}`;
  };
  return `${stampOf(path)} ${stampOf(`${path}-wal`)}`;
}

/** Rows of all open indexes together: beyond that the one that was asked for longest ago is closed. */
const mostRows = 400_000;
const mostRuns = 24;
const mostRowsAtOnce = 20_000;

/** Records that are open, those that were asked for last. */
export class HeldRuns implements AsyncDisposable {
  private readonly host: ProjectHost;
  private readonly held = new Map<string, Holding>();

  constructor(host: ProjectHost) {
    this.host = host;
  }

  /** @throws ProjectFailure where there is no such run, or it cannot be read */
  async open(id: string): Promise<HeldRun> {
    const path = this.pathOf(id);
    const known = this.held.get(id);
    if (known !== undefined && !known.isReplaced()) {
      this.held.delete(id);
      this.held.set(id, known);
      return known;
    }
    await known?.close();
    const holding = new Holding(id, path, this.host);
    this.held.set(id, holding);
    await this.closeSurplus();
    return holding;
  }

  /** Only ids of runs in the folder, as they stand there: nothing that leads elsewhere is looked at. */
  pathOf(id: string): string {
    const { runsFolder } = this.host;
    for (const folder of [runsFolder, madeFolder(runsFolder)]) {
      if (listRunIds(folder).includes(id)) return runPath(folder, id);
    }
    if (this.held.has(id)) {
      void this.drop(id);
      throw new ProjectFailure(`run ${id} was removed`, { code: 'RunRemoved' });
    }
    throw new ProjectFailure(`there is no run ${id}`, { code: 'RunNotFound', help: 'It may have been removed.' });
  }

  async drop(id: string): Promise<void> {
    const holding = this.held.get(id);
    this.held.delete(id);
    await holding?.close();
  }

  private async closeSurplus(): Promise<void> {
    let rows = 0;
    for (const [at, [id, holding]] of [...this.held].toReversed().entries()) {
      rows += holding.indexNow()?.size ?? 0;
      if (at > 0 && (rows > mostRows || at >= mostRuns)) await this.drop(id);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const id of [...this.held.keys()]) await this.drop(id);
  }
}

class Holding implements HeldRun {
  readonly id: string;
  readonly path: string;
  readonly reader: RunReader;
  readonly damages = new Set<string>();
  private readonly host: ProjectHost;
  private readonly inode: number;
  private readonly closing = new AbortController();
  private reading: { readonly stamp: string; readonly index: Promise<RowIndex> } | undefined;
  private read: RowIndex | undefined;

  constructor(id: string, path: string, host: ProjectHost) {
    this.id = id;
    this.path = path;
    this.host = host;
    this.reader = openRecord(path, host, ({ message }) => this.damages.add(message));
    this.inode = statSync(path).ino;
  }

  isReplaced(): boolean {
    return statSync(this.path, { throwIfNoEntry: false })?.ino !== this.inode;
  }

  isRunning(): boolean {
    return lockState(this.path) === 'running';
  }

  index(isFresh = false): Promise<RowIndex> {
    const stamp = recordStamp(this.path);
    const isOld = this.reading === undefined || (isFresh && this.reading.stamp !== stamp);
    if (this.reading !== undefined && !isOld) return this.reading.index;
    const priceOf = recordedPrices(this.reader.info, findPrices(this.host));
    const index = readRowIndex(this.reader, priceOf, this.closing.signal);
    const reading = { stamp, index };
    this.reading = reading;
    index.then(
      (read) => {
        this.read = read;
      },
      () => {
        if (this.reading === reading) this.reading = undefined;
      },
    );
    return index;
  }

  indexNow(): RowIndex | undefined {
    return this.read;
  }

  async isLarge(): Promise<boolean> {
    const { Completed, Failed, Canceled } = await this.reader.rowCounts();
    return Completed + Failed + Canceled > mostRowsAtOnce;
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.reading?.index.catch(() => undefined);
    await this.reader[Symbol.asyncDispose]();
  }
}
