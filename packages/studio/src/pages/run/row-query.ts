import type { RowFilter } from '@unroll/project/studio-contract';

/** What of a run's address tells which rows, and against what; the API takes the same names. */
const passedOn = ['evaluation', 'against', 'sort'] as const;

/** Filters of an address; what cannot be read of one is left out. */
export function filtersOf(query: URLSearchParams): readonly RowFilter[] {
  return query.getAll('filter').flatMap((text) => {
    try {
      const filter: unknown = JSON.parse(text);
      return typeof filter === 'object' && filter !== null && 'by' in filter ? [filter as RowFilter] : [];
    } catch {
      return [];
    }
  });
}

/** Filters, sort, evaluation and the run compared with: the part of a run's address that its rows keep. */
export function rowQuery(query: URLSearchParams): URLSearchParams {
  const kept = new URLSearchParams();
  for (const name of passedOn) {
    const value = query.get(name);
    if (value !== null) kept.set(name, value);
  }
  for (const filter of filtersOf(query)) kept.append('filter', JSON.stringify(filter));
  return kept;
}

/** The filters with one more, or without it where it is there; a second text takes the place of the first. */
export function toggledFilter(filters: readonly RowFilter[], filter: RowFilter): readonly string[] {
  const written = JSON.stringify(filter);
  const others = filters.filter((one) => JSON.stringify(one) !== written);
  if (others.length < filters.length) return others.map((one) => JSON.stringify(one));
  const kept = filter.by === 'text' ? others.filter(({ by }) => by !== 'text') : others;
  return [...kept.map((one) => JSON.stringify(one)), written];
}
