import { type DataRow, pythonEquals, type ReadRow, type RunInfo, type Value, type Values } from '@unroll/engine';

/** The columns of a recorded row, or why there are none. */
export type RowColumns =
  | { readonly columns: Values }
  | { readonly missing: 'not in the data' | 'unreadable in the data' | 'other inputs than in the data' };

/** Finds the data's row for recorded rows that come in order of line. */
export interface DataJoin {
  columnsOf(row: Pick<ReadRow, 'line' | 'inputs'>): Promise<RowColumns> | RowColumns;
}

/**
 * Joins recorded rows to the rows of the data they were run over, by line, one of each in memory. A record of other data
 * than this is found out by its inputs: a row whose inputs are not those of its line is not scored against it.
 */
export function joinData(rows: AsyncIterable<DataRow>, info: RunInfo, isSameData: boolean): DataJoin {
  const iterator = rows[Symbol.asyncIterator]();
  const ahead = new Map<number, DataRow>();
  const mapped = isSameData ? [] : mappedColumns(info);
  let isNumbered = false;
  let last = -1;
  let isDone = false;

  const find = async (line: number): Promise<DataRow | undefined> => {
    // Rows that say their line themselves come in any order.
    while (!isDone && !ahead.has(line) && (isNumbered || last < line)) {
      const next = await iterator.next();
      if (next.done === true) isDone = true;
      else {
        const own = lineOf(next.value);
        isNumbered ||= own !== next.value.line;
        last = Math.max(last, own);
        if (own >= line) ahead.set(own, next.value);
      }
    }
    return ahead.get(line);
  };

  let current: { readonly line: number; readonly row: DataRow | undefined } | undefined;
  const settle = (row: DataRow | undefined, recorded: Pick<ReadRow, 'inputs'>): RowColumns => {
    if (row === undefined) return { missing: 'not in the data' };
    if ('problem' in row) return { missing: 'unreadable in the data' };
    const isOther = mapped.some(({ input, column }) => differ(recorded.inputs[input], row.values[column]));
    return isOther ? { missing: 'other inputs than in the data' } : { columns: row.values };
  };
  return {
    columnsOf: (recorded) => {
      const { line } = recorded;
      if (current?.line === line) return settle(current.row, recorded);
      return find(line).then((row) => {
        for (const before of ahead.keys()) if (before < line) ahead.delete(before);
        current = { line, row };
        return settle(row, recorded);
      });
    },
  };
}

function lineOf(row: DataRow): number {
  const given = 'values' in row ? row.values['line_number'] : undefined;
  return typeof given === 'number' && Number.isSafeInteger(given) && given >= 0 ? given : row.line;
}

interface MappedColumn {
  readonly input: string;
  readonly column: string;
}

function mappedColumns({ columnMapping = {} }: RunInfo): readonly MappedColumn[] {
  return Object.entries(columnMapping).flatMap(([input, written]) => {
    const column = typeof written === 'string' ? /^\$\{data\.([^{}]+)\}$/.exec(written)?.[1] : undefined;
    return column === undefined ? [] : [{ input, column }];
  });
}

/** Values that a flow may have converted are taken to be the same. */
function differ(input: Value | undefined, column: Value | undefined): boolean {
  return typeof input === 'string' && typeof column === 'string' && !pythonEquals(input, column);
}
