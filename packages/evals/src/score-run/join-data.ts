import {
  type DataRow,
  type JsonObject,
  type JsonValue,
  plainNumber,
  pythonStr,
  RowLines,
  type RowView,
  type RunInfo,
} from '@unroll/engine';

/** The columns of a recorded row, or why there are none. */
export type RowColumns =
  | { readonly columns: JsonObject }
  | {
      readonly missing: 'not in the data' | 'unreadable in the data' | 'other inputs than in the data';
      /** What is wrong with a line that cannot be read. */
      readonly said?: string;
    };

/** Finds the data's row for recorded rows that come in order of line. */
export interface DataJoin {
  columnsOf(row: Pick<RowView, 'line' | 'inputs'>): Promise<RowColumns> | RowColumns;
}

/**
 * Joins recorded rows to the rows of the data they were run over, by line, one of each in memory. A record of other data
 * than this is found out by its inputs: a row whose inputs are not those of its line is not scored against it.
 */
export function joinData(batches: AsyncIterable<readonly DataRow[]>, info: RunInfo, isSameData: boolean): DataJoin {
  const rows = new RowsAhead(batches);
  const mapped = isSameData ? [] : mappedColumns(info);
  const settle = (recorded: Pick<RowView, 'line' | 'inputs'>): RowColumns => {
    const row = rows.take(recorded.line);
    if (row === undefined) return { missing: 'not in the data' };
    if ('problem' in row) return { missing: 'unreadable in the data', said: row.problem };
    const isOther = mapped.some(({ input, column }) => differ(recorded.inputs[input], row.values[column]));
    return isOther ? { missing: 'other inputs than in the data' } : { columns: row.values };
  };
  return {
    columnsOf: (recorded) => {
      if (rows.isFound(recorded.line)) return settle(recorded);
      return rows.find(recorded.line).then(() => settle(recorded));
    },
  };
}

/** Rows of the data that are read and not yet asked for: one batch, or all where rows say their lines in any order. */
class RowsAhead {
  private readonly batches: AsyncIterator<readonly DataRow[]>;
  private current: { readonly line: number; readonly row: DataRow | undefined } = { line: -1, row: undefined };
  /** Of lines after that one. */
  private readonly later = new Map<number, DataRow>();
  private batch: readonly DataRow[] = [];
  private at = 0;
  private readonly lines = new RowLines();
  private isNumbered = false;
  private isDone = false;
  private last = -1;

  constructor(batches: AsyncIterable<readonly DataRow[]>) {
    this.batches = batches[Symbol.asyncIterator]();
  }

  /** Whether it is known if there is such a row. Lines are asked for in their order. */
  isFound(line: number): boolean {
    while (this.current.line !== line && !this.later.has(line)) {
      if (this.isDone || (!this.isNumbered && this.last >= line)) return true;
      const row = this.batch[this.at];
      if (row === undefined) return false;
      this.at += 1;
      this.keep(row, line);
    }
    return true;
  }

  async find(line: number): Promise<void> {
    while (!this.isFound(line)) {
      const next = await this.batches.next();
      if (next.done === true) this.isDone = true;
      else this.batch = next.value;
      this.at = 0;
    }
  }

  /** Once it is found. The row stays for repetitions of the line. */
  take(line: number): DataRow | undefined {
    if (line !== this.current.line) {
      this.current = { line, row: this.later.get(line) };
      this.later.delete(line);
    }
    return this.current.row;
  }

  private keep(row: DataRow, wanted: number): void {
    const { line } = this.lines.add(row);
    this.isNumbered ||= line !== row.line;
    this.last = Math.max(this.last, line);
    // A map that is added to and taken from for every row leaves tables that keep each other alive.
    if (line === wanted) this.current = { line, row };
    else if (line > wanted) this.later.set(line, row);
  }
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

/** Values that a flow may have converted in ways of its own are taken to be the same. */
function differ(input: JsonValue | undefined, column: JsonValue | undefined): boolean {
  if (typeof input === 'boolean') return typeof column === 'boolean' && input !== column;
  const stood = typeof column === 'string' ? Number.parseFloat(column) : plainNumber(column);
  if (typeof input === 'string')
    return (typeof column === 'string' || stood !== undefined) && input !== pythonStr(column);
  const given = plainNumber(input);
  if (given === undefined || stood === undefined || Number.isNaN(stood)) return false;
  // An input of type int has lost what stands behind the point.
  return given !== stood && given !== Math.trunc(stood);
}
