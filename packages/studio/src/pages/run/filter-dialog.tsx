import type { RowFilter, RowsPage } from '@unroll/project/studio-contract';
import { Dialog } from '../../shell/dialog.tsx';
import { words } from '../../words/words.ts';
import { FilterChips } from './filter-chips.tsx';
import { offeredFilters } from './offered-filters.ts';

export interface FilterDialogProps {
  readonly head: RowsPage;
  readonly filters: readonly RowFilter[];
  readonly toggle: (filter: RowFilter) => void;
  readonly close: () => void;
}

/** Every filter that tells the rows apart, with how many it leaves; what is chosen stands first and can be taken away. */
export function FilterDialog({ head, filters, toggle, close }: FilterDialogProps) {
  const { filterRows, noMoreFilters } = words.value;
  const chosen = filters.filter(({ by }) => by !== 'text');
  const offered = offeredFilters(head, filters);
  return (
    <Dialog title={filterRows} close={close}>
      <div class="filter-choice">
        <FilterChips chosen={chosen} offered={offered} toggle={toggle} />
      </div>
      {offered.length === 0 ? <p class="quiet">{noMoreFilters}</p> : null}
    </Dialog>
  );
}
