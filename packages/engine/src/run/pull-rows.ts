import type { DataRow } from '../data/data-row.ts';

export interface PulledRow {
  readonly row: DataRow;
  /** Which repetition of the row, from 0. */
  readonly repeat: number;
}

export interface RowPuller {
  /** The next row, whoever asks; undefined when there is none. */
  next(): Promise<PulledRow | undefined>;
  /** Ends the reading of the data before its end. */
  close(): Promise<void>;
}

/** Gives each row `repeat` times, one at a time, and reads the next only when it is asked for. */
export function pullRows(data: AsyncIterable<DataRow> | Iterable<DataRow>, repeat: number): RowPuller {
  const rows = repeated(data, repeat);
  return {
    async next() {
      const { done, value } = await rows.next();
      return done === true ? undefined : value;
    },
    async close() {
      await rows.return();
    },
  };
}

/** Several may ask at once: a generator answers them in turn. */
async function* repeated(
  data: AsyncIterable<DataRow> | Iterable<DataRow>,
  times: number,
): AsyncGenerator<PulledRow, void> {
  for await (const row of data) {
    for (let repeat = 0; repeat < times; repeat += 1) yield { row, repeat };
  }
}
