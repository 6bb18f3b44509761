import type { RowRun, RunReader } from '@unroll/engine';
import type { RowColumn, RowLine, RowsPage } from '../studio-contract/contract.ts';
import { durationFigure, noFigure } from './figures.ts';
import { readCursor, sliceOf } from './paging.ts';
import { rowTexts } from './row-line.ts';
import type { RowsQuery } from './rows-page.ts';

/** Lines that are looked at for one row that is shown: of a choice of the data many are missing. */
const linesPerRow = 4;

const notRead = 'worked out while the record is read';

/**
 * Rows of a large run before its record was read: in the order of the data, without what only the whole record tells.
 *
 * @returns undefined where they are asked for otherwise, or cannot be found by their lines
 */
export async function firstRows(reader: RunReader, query: RowsQuery): Promise<RowsPage | undefined> {
  const { sort = 'line', filters = [], limit = 100 } = query;
  if (sort !== 'line' || filters.length > 0 || (await reader.row(0, 1)) !== undefined) return undefined;
  const { Completed, Failed, Canceled } = await reader.rowCounts();
  const total = Completed + Failed + Canceled;
  const slice = sliceOf(total, query.offset ?? readCursor(query.cursor), limit);
  const rows: RowLine[] = [];
  const end = slice.from + (slice.to - slice.from) * linesPerRow;
  for (let line = slice.from; line < end && rows.length < slice.to - slice.from; line += 1) {
    const row = await reader.row(line);
    if (row !== undefined) rows.push(lineOf(row));
  }
  if (rows.length < slice.to - slice.from) return undefined;
  return {
    columns: columnsOf(rows),
    rows,
    facets: [],
    all: total,
    offset: slice.from,
    paging: slice.paging,
    isPending: true,
  };
}

function lineOf(row: RowRun): RowLine {
  return {
    line: row.line,
    repeat: 0,
    status: row.status,
    ...rowTexts(row),
    ...{ turns: {}, scores: {}, labels: {} },
    tokens: noFigure('tokens', notRead),
    cost: noFigure('USD', notRead),
    duration: durationFigure(row.durationMs),
  };
}

function columnsOf(rows: readonly RowLine[]): readonly RowColumn[] {
  const namesOf = (side: 'inputs' | 'outputs'): readonly string[] => [
    ...new Set(rows.flatMap((row) => Object.keys(row[side]))),
  ];
  const text = (id: string, title: string, isShown: boolean): RowColumn => {
    return { id, title, kind: 'text', isNumber: false, isSortable: false, isShown };
  };
  return [
    { id: 'line', title: 'row', kind: 'line', isNumber: true, isSortable: false, isShown: true },
    { id: 'status', title: 'status', kind: 'status', isNumber: false, isSortable: false, isShown: true },
    ...namesOf('inputs').map((name, at) => text(`input.${name}`, name, at < 2)),
    ...namesOf('outputs').map((name, at) => text(`output.${name}`, name, at < 1)),
    { id: 'ms', title: 'time', kind: 'figure', isNumber: true, isSortable: false, isShown: true },
  ];
}
