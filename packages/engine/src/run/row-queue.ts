import type { DataRow } from '../data/data-row.ts';

export interface PulledRow {
  readonly row: DataRow;
  /** Which repetition of the row, from 0. */
  readonly repeat: number;
}

export interface RowQueue {
  /** The next row, whoever asks; undefined when there is none. */
  next(): Promise<PulledRow | undefined>;
  /** Ends the reading of the data before its end. */
  close(): Promise<void>;
}

/** Gives each row `repeat` times, one at a time, and reads the next only when it is asked for. Several may ask at once. */
export function rowQueue(data: AsyncIterable<DataRow> | Iterable<DataRow>, repeat: number): RowQueue {
  const rows = iteratorOf(data);
  let row: ReturnType<typeof rows.next> | undefined;
  let given = repeat;
  return {
    async next() {
      if (row === undefined || given >= repeat) {
        row = rows.next();
        given = 0;
      }
      const time = given;
      given += 1;
      const { done, value } = await row;
      return done === true ? undefined : { row: value, repeat: time };
    },
    async close() {
      await rows.return?.();
    },
  };
}

function iteratorOf(data: AsyncIterable<DataRow> | Iterable<DataRow>): AsyncIterator<DataRow> | Iterator<DataRow> {
  return Symbol.asyncIterator in data ? data[Symbol.asyncIterator]() : data[Symbol.iterator]();
}
