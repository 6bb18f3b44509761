import type { RunReader } from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { recordedPrices } from '../prices/node-prices.ts';
import { findPrices } from '../prices/price-list.ts';
import { openRecord, stampOf } from '../records/open-record.ts';
import { readRowIndex } from '../row-index/read-row-index.ts';
import type { RowIndex } from '../row-index/row-index.ts';
import { placeOfRun } from './run-places.ts';

/** A record that is open for who looks at it. */
export interface HeldRun {
  readonly id: string;
  /** Where its record is. */
  readonly path: string;
  readonly reader: RunReader;
  /** What of it cannot be read, told so far. */
  readonly damages: ReadonlySet<string>;
  /** How the record stands: what was worked out from it holds as long as this does. */
  readonly stamp: () => Promise<string>;
  /** Read once, and again where `isFresh` and rows were added since. */
  index(isFresh?: boolean): Promise<RowIndex>;
  /** Undefined until it is read. */
  indexNow(): RowIndex | undefined;
  /** Whether reading all of it takes so long that nobody should wait for it. */
  isLarge(): Promise<boolean>;
}

/** Rows of all open indexes together: beyond that the one that was asked for longest ago is closed. */
const maxRows = 400_000;
const maxRuns = 24;
const maxRowsAtOnce = 20_000;

/** Records that are open, those that were asked for last. */
export class HeldRuns implements AsyncDisposable {
  private readonly host: ProjectHost;
  private readonly held = new Map<string, Holding>();
  private readonly records: ReadonlyMap<string, string>;

  /** @param records places of records that are looked at wherever they are, by their ids */
  constructor(host: ProjectHost, records: ReadonlyMap<string, string> = new Map()) {
    this.host = host;
    this.records = records;
  }

  /** @throws ProjectFailure where there is no such run, or it cannot be read */
  async open(id: string): Promise<HeldRun> {
    const place = await this.placeOf(id);
    const stamp = await stampOf(place, this.host);
    const known = this.held.get(id);
    if (known?.isOf(place, stamp) === true) {
      this.held.delete(id);
      this.held.set(id, known);
      return known;
    }
    await known?.close();
    const damages = new Set<string>();
    const reader = await openRecord(place, this.host, ({ message }) => damages.add(message));
    const holding = new Holding(id, { place, stamp, reader, damages }, this.host);
    this.held.set(id, holding);
    await this.closeSurplus();
    return holding;
  }

  /** @throws ProjectFailure where there is no run of that id */
  async placeOf(id: string): Promise<string> {
    const place = this.records.get(id) ?? (await placeOfRun(id, this.host));
    if (place !== undefined) return place;
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
      if (at > 0 && (rows > maxRows || at >= maxRuns)) await this.drop(id);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const id of [...this.held.keys()]) await this.drop(id);
  }
}

interface OpenedRecord {
  readonly place: string;
  readonly stamp: string;
  readonly reader: RunReader;
  readonly damages: ReadonlySet<string>;
}

/** What of a stamp stays as long as it is the same record. */
function recordOf(stamp: string): string {
  return stamp.slice(0, stamp.indexOf(':'));
}

class Holding implements HeldRun {
  readonly id: string;
  readonly path: string;
  readonly reader: RunReader;
  readonly damages: ReadonlySet<string>;
  private readonly host: ProjectHost;
  private readonly record: string;
  private readonly closing = new AbortController();
  private reading: { readonly stamp: string; readonly index: Promise<RowIndex> } | undefined;
  private read: RowIndex | undefined;
  /** Rows only become more. */
  private wasLarge = false;

  constructor(id: string, { place, stamp, reader, damages }: OpenedRecord, host: ProjectHost) {
    this.id = id;
    this.path = place;
    this.record = recordOf(stamp);
    this.host = host;
    this.reader = reader;
    this.damages = damages;
  }

  isOf(place: string, stamp: string): boolean {
    return this.path === place && this.record === recordOf(stamp);
  }

  readonly stamp = async (): Promise<string> => await stampOf(this.path, this.host);

  async index(isFresh = false): Promise<RowIndex> {
    if (this.reading !== undefined && !isFresh) return await this.reading.index;
    const stamp = await this.stamp();
    if (this.reading?.stamp === stamp) return await this.reading.index;
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
    return await index;
  }

  indexNow(): RowIndex | undefined {
    return this.read;
  }

  async isLarge(): Promise<boolean> {
    if (this.wasLarge) return true;
    const { Completed, Failed, Canceled } = await this.reader.rowCounts();
    this.wasLarge = Completed + Failed + Canceled > maxRowsAtOnce;
    return this.wasLarge;
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.reading?.index.catch(() => undefined);
    await this.reader[Symbol.asyncDispose]();
  }
}
