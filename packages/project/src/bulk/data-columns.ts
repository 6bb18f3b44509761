import type { DataColumnsOf, RunInfo } from '@unroll/engine';
import { joinData } from '@unroll/evals';
import { ProjectFailure } from '../host/project-failure.ts';
import { openRecordedData } from './recorded-data.ts';

export interface DataColumns {
  /** Columns that are no inputs of the row, by their names. */
  readonly columnsOf: DataColumnsOf;
  /** Where the data is another one than that of the run: rows of other inputs have no columns. */
  readonly changedPath?: string;
}

/**
 * What the data of a run has of its rows beside their inputs: what tells them apart, what is expected of them.
 *
 * @param folder where the path of the data starts from, absolute
 * @throws ProjectFailure where the data is not known, or cannot be read
 */
export async function dataColumns(info: RunInfo, folder: string): Promise<DataColumns> {
  const recorded = await openRecordedData(info, folder);
  if (recorded === undefined) throw new ProjectFailure(`run ${info.id} was made of no file of data`);
  if (recorded.state === 'unreadable')
    throw new ProjectFailure(`the data of run ${info.id} cannot be read: ${recorded.message}`);
  const join = joinData(recorded.data.batches(), info, recorded.state === 'same');
  return {
    columnsOf: async (row) => {
      const found = await join.columnsOf(row);
      if (!('columns' in found)) return undefined;
      const others = Object.entries(found.columns).filter(([name]) => !Object.hasOwn(row.inputs, name));
      return Object.fromEntries(others);
    },
    ...(recorded.state === 'same' ? {} : { changedPath: recorded.path }),
  };
}
