import type { DiffOptions, Place } from '@unroll/project/studio-contract';

/** What an address shows. Filters, sort, columns and what is chosen stand in its query. */
export type View =
  | { readonly page: 'runs' | 'diff' | 'evaluations' | 'labels' | 'playground' | 'chat' | 'unknown' }
  | { readonly page: 'run'; readonly run: string }
  | { readonly page: 'row'; readonly run: string; readonly line: number; readonly repeat: number };

const plainPages = ['diff', 'evaluations', 'labels', 'playground', 'chat'] as const;

export function viewOf(path: string): View {
  const parts = path.split('/').filter(Boolean).map(decoded);
  const [first, run = '', rows, line = '', repeat = '0'] = parts;
  if (first === undefined) return { page: 'runs' };
  const plain = plainPages.find((page) => page === first);
  if (plain !== undefined && parts.length === 1) return { page: plain };
  if (first !== 'runs' || run === '') return { page: parts.length === 1 && first === 'runs' ? 'runs' : 'unknown' };
  if (rows === undefined) return { page: 'run', run };
  const isRow = rows === 'rows' && /^\d+$/.test(line) && /^\d+$/.test(repeat) && parts.length <= 5;
  return isRow ? { page: 'row', run, line: Number(line), repeat: Number(repeat) } : { page: 'unknown' };
}

/** Of a part of an address; what is not written as one is taken as it stands. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function runAddress(run: string, query?: URLSearchParams): string {
  return withQuery(`/runs/${encodeURIComponent(run)}`, query);
}

export function rowAddress(
  run: string,
  at: { readonly line: number; readonly repeat: number },
  query?: URLSearchParams,
): string {
  return withQuery(`/runs/${encodeURIComponent(run)}/rows/${at.line}/${at.repeat}`, query);
}

/** Where a change of a node is tried on a row. */
export function playgroundAddress(run: string, line: number, node: string | undefined): string {
  return withQuery('/playground', queryOf({ run, line: String(line), node }));
}

/** Where people judge the answer of a row. */
export function labelsAddress(run: string, line: number, repeat: number): string {
  return withQuery('/labels', queryOf({ run, line: String(line), repeat: String(repeat) }));
}

/** The address of a place that a sentence names. */
export function placeAddress(place: Place): string {
  if (place.page === 'run') return runAddress(place.run, runQuery(place));
  if (place.page === 'row') return rowAddress(place.run, place, queryOf({ node: place.node }));
  if (place.page === 'runs') return withQuery('/', queryOf({ filter: place.filter }));
  if (place.page === 'diff')
    return withQuery('/diff', comparedQuery(place.left, place.right, place, { node: place.node, group: place.group }));
  if (place.page === 'evaluation')
    return withQuery('/evaluations', queryOf({ path: place.evaluation, metric: place.metric }));
  return withQuery('/labels', queryOf({ evaluation: place.set, run: place.run }));
}

function runQuery({ node, filters = [] }: Extract<Place, { page: 'run' }>): URLSearchParams {
  const query = queryOf({ node });
  for (const filter of filters) query.append('filter', JSON.stringify(filter));
  return query;
}

/** Two runs, how they are compared, and what else is asked of them. */
export function comparedQuery(left: string, right: string, options: DiffOptions, more: Asked = {}): URLSearchParams {
  const { key, rename, turns } = options;
  return queryOf({ left, right, key, rename, turns, ...more });
}

type Asked = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A list stands as often as it has items. */
export function queryOf(values: Asked): URLSearchParams {
  return new URLSearchParams(
    Object.entries(values).flatMap(([name, value]) => [value ?? []].flat().map((one) => [name, one])),
  );
}

function withQuery(path: string, query?: URLSearchParams): string {
  const text = query?.toString() ?? '';
  return text === '' ? path : `${path}?${text}`;
}
