import type { RowFilter } from '@unroll/project/studio-contract';
import { countText } from '../../parts/count.ts';
import { words } from '../../words/words.ts';
import { facetText, filterText } from './filter-text.ts';
import type { offeredFilters } from './offered-filters.ts';

export interface FilterChipsProps {
  readonly chosen: readonly RowFilter[];
  readonly offered: ReturnType<typeof offeredFilters>;
  readonly toggle: (filter: RowFilter) => void;
}

/** Filters as buttons: the chosen ones, which can be taken away, then those offered with how many rows each leaves. */
export function FilterChips({ chosen, offered, toggle }: FilterChipsProps) {
  return (
    <>
      {chosen.map((filter) => (
        <button
          key={JSON.stringify(filter)}
          type="button"
          class="chip"
          aria-pressed={true}
          onClick={() => toggle(filter)}
        >
          {filterText(filter)} <span aria-hidden="true">×</span>
          <span class="unseen">{words.value.removeFilter}</span>
        </button>
      ))}
      {offered.map(({ filter, title, rows }) => (
        <button
          key={JSON.stringify(filter)}
          type="button"
          class="chip"
          aria-pressed={false}
          onClick={() => toggle(filter)}
        >
          {facetText({ filter, title })} <b>{countText(rows)}</b>
        </button>
      ))}
    </>
  );
}
