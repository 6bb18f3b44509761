import type { DataRow } from '@unroll/engine';

/**
 * How many rows a worker runs at the same time, whatever their runs and jobs. A slot that is freed goes to whoever waits longest; rows
 * that another worker has lost go first.
 */
export class RowSlots {
  private readonly count: number;
  private free: number;
  private readonly waiting: (() => void)[] = [];
  private readonly lost: (() => void)[] = [];
  private readonly onFree: () => void;
  /** Resolves when nobody takes all slots. */
  private allTaken: Promise<void> = Promise.resolve();

  /** @param onFree told when a slot is free and no row waits for it */
  constructor(count: number, onFree: () => void) {
    this.count = count;
    this.free = count;
    this.onFree = onFree;
  }

  /** Whether another job would find a slot for a row. */
  get isHungry(): boolean {
    return this.free > 0 && this.waiting.length + this.lost.length === 0;
  }

  /** Whether rows that another worker has lost wait for a slot. */
  get doLostWait(): boolean {
    return this.lost.length > 0;
  }

  async take(isLost: boolean): Promise<void> {
    if (this.free > 0) {
      this.free -= 1;
      return;
    }
    await new Promise<void>((resolve) => (isLost ? this.lost : this.waiting).push(resolve));
  }

  /**
   * Takes all slots, as the rows that have them end: nothing runs beside. Only rows that were lost do so.
   *
   * @returns gives them
   */
  async takeAll(): Promise<() => void> {
    const before = this.allTaken;
    const given = Promise.withResolvers<void>();
    this.allTaken = given.promise;
    await before;
    for (let taken = 0; taken < this.count; taken += 1) await this.take(true);
    return () => {
      given.resolve();
      for (let left = this.count; left > 0; left -= 1) this.give();
    };
  }

  give(): void {
    const next = this.lost.shift() ?? this.waiting.shift();
    if (next !== undefined) {
      next();
      return;
    }
    this.free += 1;
    this.onFree();
  }
}

export interface SlottedSettings {
  /** Whether nothing runs on this worker beside each of them. */
  readonly isAlone: boolean;
  /** So many of them, the first, were perhaps in flight at another worker that has ended: they go before the rows of other jobs. */
  readonly first: number;
}

/** The rows of one job, each given once there is a slot for it. */
export class SlottedRows {
  private readonly slots: RowSlots;
  private readonly settings: SlottedSettings;
  /** Ends a row still owes, by its line: as many as it is repeated. */
  private readonly owed = new Map<number, { readonly left: number; readonly give: () => void }>();

  constructor(slots: RowSlots, settings: SlottedSettings) {
    this.slots = slots;
    this.settings = settings;
  }

  async *of(rows: readonly DataRow[], repeat: number, onBegun: () => void): AsyncGenerator<DataRow, void> {
    onBegun();
    for (const [at, row] of rows.entries()) {
      if ('values' in row) {
        const give = await this.taken(at < this.settings.first);
        this.owed.set(row.line, { left: repeat, give });
      }
      yield row;
    }
  }

  private async taken(isFirst: boolean): Promise<() => void> {
    if (this.settings.isAlone) return await this.slots.takeAll();
    await this.slots.take(isFirst);
    return () => this.slots.give();
  }

  /** A row ran, or was found to have run before. One that runs alone has its slots until it is recorded, which ends its job here. */
  ended(line: number): void {
    if (this.settings.isAlone) return;
    const owed = this.owed.get(line);
    if (owed === undefined) return;
    if (owed.left > 1) this.owed.set(line, { ...owed, left: owed.left - 1 });
    else this.release(line);
  }

  /** The job is over: rows that were given and will not run have their slots no longer. */
  close(): void {
    for (const line of [...this.owed.keys()]) this.release(line);
  }

  private release(line: number): void {
    const give = this.owed.get(line)?.give;
    this.owed.delete(line);
    give?.();
  }
}
