import type { ExportedRows, RowFilter, RowLine, RowPage, RowsPage } from '@unroll/project/studio-contract';

/** Rows as they are filtered and sorted, a page of them; undefined for what was not worked out when the export was made. */
export function exportedRows(rows: ExportedRows, query: URLSearchParams): RowsPage | undefined {
  const places = placesOf(rows, query);
  if (places === undefined) return undefined;
  const [offset, limit] = ['offset', 'limit'].map((name) => Number(query.get(name) ?? 0)) as [number, number];
  const from = Math.max(0, offset);
  const to = limit === 0 ? places.length : from + limit;
  const { head, lines } = rows;
  return {
    ...head,
    rows: places.slice(from, to).flatMap((place) => lines[place] ?? []),
    facets: query.has('filter') ? facetsAmong(places, rows) : head.facets,
    offset: from,
    paging: { next: null, total: places.length },
  };
}

/** The rows before and after one, of those that have pages of their own. */
export function neighboursOf(
  { line, repeat }: RowPage,
  rows: ExportedRows,
  query: URLSearchParams,
): Pick<RowPage, 'previous' | 'next' | 'inFilter'> {
  const opened = new Set(rows.opened);
  const places = (placesOf(rows, query) ?? []).filter((place) => opened.has(place));
  const at = places.findIndex((place) => isAt(rows.lines[place], line, repeat));
  const placeAt = (index: number): RowPage['next'] => {
    const found = rows.lines[places[index] ?? -1];
    return found === undefined ? undefined : { line: found.line, repeat: found.repeat };
  };
  if (at < 0) return {};
  return { previous: placeAt(at - 1), next: placeAt(at + 1), inFilter: { at: at + 1, of: places.length } };
}

function isAt(row: RowLine | undefined, line: number, repeat: number): boolean {
  return row !== undefined && row.line === line && row.repeat === repeat;
}

/** As the server narrows them: of one kind and name any is enough, others hold at once. */
function placesOf(rows: ExportedRows, query: URLSearchParams): readonly number[] | undefined {
  const sort = query.get('sort') ?? 'line';
  const sorted = sort === 'line' ? [...rows.lines.keys()] : rows.orders[sort];
  const filters = query.getAll('filter').map((text) => ({ text, filter: JSON.parse(text) as RowFilter }));
  const groups = [...Map.groupBy(filters, ({ filter }) => kindOf(filter)).values()];
  const left = groups.map((group) => {
    const found = group.map(({ text, filter }) => foundBy(text, filter, rows));
    return found.includes(undefined) ? undefined : new Set(found.flatMap((places) => places ?? []));
  });
  if (sorted === undefined || left.includes(undefined)) return undefined;
  return sorted.filter((place) => left.every((places) => places?.has(place)));
}

function kindOf(filter: RowFilter): string {
  if (filter.by === 'node') return `node ${filter.node}`;
  if (filter.by === 'turns') return `turns ${filter.loop}`;
  if (filter.by === 'score' || filter.by === 'score-range') return `${filter.by} ${filter.metric}`;
  if (filter.by === 'text') return `text ${filter.is}`;
  return filter.by === 'label' ? `label ${filter.name}` : filter.by;
}

/** Texts are looked for in what the table shows. */
function foundBy(text: string, filter: RowFilter, { filtered, lines }: ExportedRows): readonly number[] | undefined {
  if (filter.by !== 'text') return filtered[text];
  const wanted = plain(filter.is);
  return [...lines.keys()].filter((place) => plain(shownText(lines[place])).includes(wanted));
}

function shownText(row: RowLine | undefined): string {
  if (row === undefined) return '';
  const { inputs, outputs, error } = row;
  return [...Object.values(inputs), ...Object.values(outputs), error?.code ?? '', error?.message ?? ''].join('\n');
}

function plain(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

function facetsAmong(places: readonly number[], { head, filtered }: ExportedRows): RowsPage['facets'] {
  const shown = new Set(places);
  return head.facets.flatMap((facet) => {
    const rows = (filtered[JSON.stringify(facet.filter)] ?? []).filter((place) => shown.has(place)).length;
    return rows === 0 || rows === places.length ? [] : [{ ...facet, rows }];
  });
}
