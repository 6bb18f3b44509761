import type { DataRow } from '@unroll/engine';

/** How many rows a worker runs at the same time, whatever their runs and jobs. A slot that is freed goes to whoever waits longest. */
export class RowSlots {
  private free: number;
  private readonly waiting: (() => void)[] = [];
  private readonly onFree: () => void;

  /** @param onFree told when a slot is free and no row waits for it */
  constructor(count: number, onFree: () => void) {
    this.free = count;
    this.onFree = onFree;
  }

  /** Whether another job would find a slot for a row. */
  get isHungry(): boolean {
    return this.free > 0 && this.waiting.length === 0;
  }

  async take(): Promise<void> {
    if (this.free > 0) {
      this.free -= 1;
      return;
    }
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  give(): void {
    const next = this.waiting.shift();
    if (next !== undefined) {
      next();
      return;
    }
    this.free += 1;
    this.onFree();
  }
}

/** The rows of one job, each given once there is a slot for it. */
export class SlottedRows {
  private readonly slots: RowSlots;
  /** Ends a row still owes, by its line: as many as it is repeated. */
  private readonly owed = new Map<number, number>();

  constructor(slots: RowSlots) {
    this.slots = slots;
  }

  async *of(rows: readonly DataRow[], repeat: number, onBegun: () => void): AsyncGenerator<DataRow, void> {
    onBegun();
    for (const row of rows) {
      if ('values' in row) {
        await this.slots.take();
        this.owed.set(row.line, repeat);
      }
      yield row;
    }
  }

  /** A row ran, or was found to have run before. */
  ended(line: number): void {
    const left = (this.owed.get(line) ?? 0) - 1;
    if (left < 0) return;
    if (left > 0) this.owed.set(line, left);
    else this.release(line);
  }

  /** The job is over: rows that were given and will not run have their slots no longer. */
  close(): void {
    for (const line of [...this.owed.keys()]) this.release(line);
  }

  private release(line: number): void {
    this.owed.delete(line);
    this.slots.give();
  }
}
