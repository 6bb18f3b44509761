import type { RunReader } from '@unroll/engine';
import { didYouMean, thrownText } from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';
import { filterRows } from '../row-index/filter-rows.ts';
import type { RowIndex } from '../row-index/row-index.ts';
import type { RowMarks } from '../row-index/row-scores.ts';
import { sortRows } from '../row-index/sort-rows.ts';
import type { RowFilter, RowLine, RowsPage } from '../studio-contract/contract.ts';
import type { ScoredRecord } from './evaluations.ts';
import { readCursor, sliceOf } from './paging.ts';
import { rowColumns } from './row-columns-view.ts';
import { facets } from './row-facets.ts';
import { rowLine, unreadableRow } from './row-line.ts';

export interface RowsQuery {
  readonly cursor?: string | undefined;
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
  /** A column, with `-` before it the most first. */
  readonly sort?: string | undefined;
  readonly filters?: readonly RowFilter[] | undefined;
}

export interface RowsSubject {
  readonly reader: RunReader;
  readonly index: RowIndex;
  readonly marks: RowMarks;
  readonly scored: ScoredRecord | undefined;
  /** Of the same index and marks, by sort and filters; the rows that were asked for last. */
  readonly kept: Map<string, NarrowedRows>;
}

/** Rows as they were filtered and sorted before. */
export interface NarrowedRows {
  readonly places: readonly number[];
  readonly offered: RowsPage['facets'];
}

const maxKept = 6;
const usualLimit = 100;

/** The rows that filters leave, sorted; only those of the page are read whole. */
export async function rowsPage(subject: RowsSubject, query: RowsQuery): Promise<RowsPage> {
  const { reader, index } = subject;
  const { limit = usualLimit, offset } = query;
  const { places, offered } = narrowed(subject, query);
  const slice = sliceOf(places.length, offset ?? readCursor(query.cursor), limit);
  const rows: RowLine[] = [];
  for (const at of places.slice(slice.from, slice.to)) rows.push(await readLine(at, subject));
  return {
    columns: rowColumns(reader.info, rows, subject),
    rows,
    facets: offered,
    all: index.size,
    offset: slice.from,
    paging: slice.paging,
    isPending: false,
  };
}

/** What scrolling through the same rows asks for again and again. */
function narrowed(subject: RowsSubject, query: RowsQuery): NarrowedRows {
  const { index, marks, kept } = subject;
  const { sort, filters = [] } = query;
  const key = JSON.stringify([sort, filters]);
  const known = kept.get(key);
  if (known !== undefined) return known;
  const places = sortedPlaces(subject, query);
  const found = { places, offered: facets(index, marks, places, filters) };
  kept.set(key, found);
  for (const old of [...kept.keys()].slice(0, -maxKept)) kept.delete(old);
  return found;
}

/** @throws ProjectFailure for a column there is not */
export function sortedPlaces(
  { index, marks }: Pick<RowsSubject, 'index' | 'marks'>,
  { sort, filters = [] }: RowsQuery,
): readonly number[] {
  const places = filterRows(index, marks, filters);
  if (sort === undefined || sort === 'line') return places;
  const isDescending = sort.startsWith('-');
  const column = isDescending ? sort.slice(1) : sort;
  const sorted = sortRows(places, column, isDescending, { index, marks });
  if (sorted !== undefined) return sorted;
  const known = [
    'line',
    'status',
    'first-bad',
    'tokens',
    'cost',
    'ms',
    ...[...index.loops.keys()].map((loop) => `turns.${loop}`),
    ...[...marks.scores.keys()].map((metric) => `score.${metric}`),
  ];
  const help = didYouMean(column, known) ?? `Rows are sorted by ${known.join(', ')}.`;
  throw new ProjectFailure(`rows are not sorted by ${column}`, { code: 'BadQuery', help });
}

async function readLine(at: number, { reader, index, marks, scored }: RowsSubject): Promise<RowLine> {
  const [line, repeat] = [index.lines[at] ?? 0, index.repeats[at] ?? 0];
  try {
    const row = await reader.row(line, repeat);
    if (row !== undefined) return rowLine(row, at, { index, marks, scored });
    return unreadableRow(at, 'it was taken back to be run again', { index, marks, scored });
  } catch (error) {
    return unreadableRow(at, thrownText(error), { index, marks, scored });
  }
}
