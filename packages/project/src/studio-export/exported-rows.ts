import type { HeldRun } from '../studio/held-run.ts';
import { rowMarks } from '../studio/row-marks.ts';
import { sortedPlaces } from '../studio/rows-page.ts';
import type { Studio } from '../studio/studio.ts';
import type { ExportedRows, RowFilter, RowsPage, RunPage } from '../studio-contract/contract.ts';

export interface RowBounds {
  /** Rows of a run whose lines are in an export. */
  readonly lines: number;
  /** Rows of a run whose own pages are. */
  readonly pages: number;
  /** Of those pages together, in characters; the one that goes beyond is the last. */
  readonly bytes: number;
}

export type RowPlace = Pick<RowsPage['rows'][number], 'line' | 'repeat'>;

interface WantedRows extends RowBounds {
  /** Rows that come before all others. */
  readonly first: readonly RowPlace[];
}

/** The rows of a run as an export holds them: of a large one those that failed first, then those that are worst. */
export async function exportedRows(
  page: RunPage,
  studio: Studio,
  { lines, pages, first }: WantedRows,
): Promise<ExportedRows> {
  const run = await studio.held.open(page.run.id);
  const lens = { evaluation: page.evaluation };
  const whole = await studio.rows(run.id, { ...lens, limit: 1 });
  const places = await placesIn(run, page, studio);
  const filters = filtersOf(page, whole);
  const index = await run.index();
  const named = first.flatMap(({ line, repeat }) => index.find(line, repeat) ?? []);
  const chosen = [...new Set([...named, ...worstFirst(places, whole)])].slice(0, lines);
  const kept = chosen.toSorted((one, other) => one - other);
  const at = new Map(kept.map((place, index) => [place, index]));
  const within = (found: readonly number[]): readonly number[] => found.flatMap((place) => at.get(place) ?? []);
  const rows = await linesOf(kept, run.id, lens, studio);
  const leftOut = whole.all - kept.length;
  return {
    head: {
      ...{ ...whole, rows: [], offset: 0, paging: { next: null, total: kept.length } },
      columns: rows.columns,
      ...(leftOut > 0 ? { leftOut } : {}),
    },
    lines: rows.lines,
    orders: Object.fromEntries(
      rows.columns
        .filter(({ id, isSortable }) => isSortable && id !== 'line')
        .flatMap(({ id }) => [id, `-${id}`])
        .concat('-line')
        .map((sort) => [sort, within(places({ sort }))]),
    ),
    filtered: Object.fromEntries(
      filters.map((filter) => [JSON.stringify(filter), within(places({ filters: [filter] }))]),
    ),
    opened: chosen.slice(0, pages).flatMap((place) => at.get(place) ?? []),
  };
}

type PlacesOf = (query: { readonly sort?: string; readonly filters?: readonly RowFilter[] }) => readonly number[];

async function placesIn(run: HeldRun, page: RunPage, studio: Studio): Promise<PlacesOf> {
  const index = await run.index();
  const evaluation = page.evaluation === undefined ? undefined : await studio.evaluations.named(page.evaluation);
  const isScored = evaluation !== undefined && page.metrics.length > 0;
  const marks = rowMarks(
    index,
    isScored ? await studio.evaluations.score(evaluation, run.path) : undefined,
    await studio.lenses.labelsOf(run),
  );
  return (query) => sortedPlaces({ index, marks }, query);
}

/** Failed ones, then those that an evaluation is against, then all others in their order. */
function worstFirst(places: PlacesOf, { facets }: RowsPage): readonly number[] {
  const isBad = ({ filter }: RowsPage['facets'][number]): boolean =>
    filter.by === 'first-bad' || (filter.by === 'score' && (filter.is === 'broken' || filter.is === 'fail'));
  const bad = facets.filter(isBad).map(({ filter }) => filter);
  const failed: readonly RowFilter[] = [
    { by: 'status', is: 'Failed' },
    { by: 'status', is: 'Canceled' },
  ];
  const first = [...failed, ...bad].flatMap((filter) => Array.from(places({ filters: [filter] })));
  return [...new Set([...first, ...places({})])];
}

/** What the page offers, what its sentences lead to, and how each node ended. */
function filtersOf(page: RunPage, { facets }: RowsPage): readonly RowFilter[] {
  const nodes = [page.unfolded, ...(page.folded === undefined ? [] : [page.folded])].flatMap((graph) => graph.nodes);
  const ofNodes = nodes
    .filter(({ kind }) => kind === 'node')
    .flatMap(({ label: node, counts }): readonly RowFilter[] => [
      { by: 'first-bad', node },
      ...(['Completed', 'Bypassed', 'Failed', 'Canceled', 'NotRun', 'cached'] as const)
        .filter((is) => (counts?.[is] ?? 0) > 0)
        .map((is) => ({ by: 'node' as const, node, is })),
    ]);
  const all = [...facets.map(({ filter }) => filter), ...ofNodes, ...linkedFilters(page)];
  return [...new Map(all.map((filter) => [JSON.stringify(filter), filter])).values()];
}

/** Filters of links, wherever they stand. */
function linkedFilters(value: unknown): readonly RowFilter[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'filters' in value && Array.isArray(value.filters) ? (value.filters as readonly RowFilter[]) : [];
  return [...own, ...Object.values(value).flatMap(linkedFilters)];
}

interface Lines {
  readonly lines: RowsPage['rows'];
  readonly columns: RowsPage['columns'];
}

const atOnce = 500;

/** Stretches of rows that follow each other are read together. */
async function linesOf(
  places: readonly number[],
  run: string,
  lens: { readonly evaluation: string | undefined },
  studio: Studio,
): Promise<Lines> {
  const lines: RowsPage['rows'][number][] = [];
  const columns = new Map<string, RowsPage['columns'][number]>();
  for (let from = 0; from < places.length; ) {
    let to = from + 1;
    while (to < places.length && to - from < atOnce && places[to] === (places[to - 1] ?? 0) + 1) to += 1;
    const read = await studio.rows(run, { ...lens, offset: places[from], limit: to - from });
    lines.push(...read.rows);
    for (const column of read.columns) columns.set(column.id, columns.get(column.id) ?? column);
    from = to;
  }
  return { lines, columns: [...columns.values()] };
}
