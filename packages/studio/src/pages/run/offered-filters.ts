import type { RowFilter, RowsPage } from '@unroll/project/studio-contract';

/** Filters that tell the rows apart and are not chosen. */
export function offeredFilters(head: RowsPage, filters: readonly RowFilter[]): RowsPage['facets'] {
  const written = new Set(filters.map((filter) => JSON.stringify(filter)));
  return head.facets.filter(({ filter }) => !written.has(JSON.stringify(filter)));
}
