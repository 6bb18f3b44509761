import type { RowColumn, RowFilter, RowsPage } from '@unroll/project/studio-contract';
import { useEffect, useState } from 'preact/hooks';
import { countText } from '../../parts/count.ts';
import { Mark } from '../../parts/mark.tsx';
import { StaleView } from '../../parts/stale-view.tsx';
import { EmptyView, FailureView, WaitingView } from '../../parts/state-view.tsx';
import { query, setQuery } from '../../route/address.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { useKeys } from '../../shell/keys.ts';
import { words } from '../../words/words.ts';
import { FilterChips } from './filter-chips.tsx';
import { FilterDialog } from './filter-dialog.tsx';
import { offeredFilters } from './offered-filters.ts';
import { filtersOf, rowQuery, toggledFilter } from './row-query.ts';
import { RowsTable } from './rows-table.tsx';
import { useRows } from './use-rows.ts';

export interface RowsPanelProps {
  readonly run: string;
  /** Rows that ended since the table was read. */
  readonly fresh: number;
  readonly reportRead: () => void;
  /** Counts how often the rows are to be read again: a large run comes in two steps. */
  readonly reads: number;
  readonly reportPending: (isPending: boolean) => void;
}

/** The rows of a run: search, filters, columns, and the table. */
export function RowsPanel({ run, fresh, reportRead, reads, reportPending }: RowsPanelProps) {
  const asked = query.value;
  const kept = rowQuery(asked);
  const filters = filtersOf(asked);
  const rows = useRows(`runs/${encodeURIComponent(run)}/rows?${kept}`);
  const [areColumnsOpen, openColumns] = useState(false);
  const [areFiltersOpen, openFilters] = useState(false);
  const { newRows, showThem, keys, clearFilters, noRow, noRowYet } = words.value;
  const reread = (): void => {
    rows.again();
    reportRead();
  };
  useKeys([
    { keys: ['c'], group: 'list', label: keys.columns, run: () => openColumns(true) },
    { keys: ['f'], group: 'list', label: keys.filter, run: () => openFilters(true) },
    { keys: ['n'], group: 'list', label: keys.showNew, run: reread },
  ]);
  const { head, failure } = rows;
  useEffect(() => (reads > 0 ? rows.again() : undefined), [reads]);
  useEffect(() => reportPending(head?.isPending === true), [head?.isPending]);
  if (head === undefined)
    return (
      <section class="panel">
        {failure === undefined ? <WaitingView lines={10} /> : <FailureView failure={failure} again={rows.again} />}
      </section>
    );
  const columns = chosenColumns(named(head.columns), asked.get('columns'));
  const at = asked.get('at');
  return (
    <section class="panel" aria-labelledby="rows-title" aria-busy={!rows.isCurrent}>
      <RowsHead
        head={head}
        filters={filters}
        columns={columns.length}
        openColumns={() => openColumns(true)}
        openFilters={() => openFilters(true)}
      />
      {head.leftOut === undefined ? null : <p class="body quiet">{words.value.leftOut(countText(head.leftOut))}</p>}
      <StaleView failure={failure} again={rows.again} />
      {fresh > 0 ? (
        <p class="fresh" role="status">
          {newRows(fresh)}
          <button type="button" class="button" onClick={reread}>
            {showThem} <kbd>n</kbd>
          </button>
        </p>
      ) : null}
      {head.paging.total === 0 ? (
        <EmptyView title={filters.length > 0 ? noRow : noRowYet}>
          {filters.length > 0 ? (
            <p class="actions">
              <button type="button" class="button" onClick={() => setQuery({ filter: undefined, at: undefined })}>
                {clearFilters}
              </button>
            </p>
          ) : null}
        </EmptyView>
      ) : (
        <RowsTable
          run={run}
          rows={rows}
          columns={columns}
          sort={asked.get('sort') ?? undefined}
          at={at === null ? undefined : Number(at)}
          kept={kept}
        />
      )}
      {areFiltersOpen ? (
        <FilterDialog
          head={head}
          filters={filters}
          toggle={(one) => toggle(filters, one)}
          close={() => openFilters(false)}
        />
      ) : null}
      {areColumnsOpen ? <ColumnsDialog head={head} columns={columns} close={() => openColumns(false)} /> : null}
    </section>
  );
}

/** Columns that every run has are named in the reader's language, others as the flow and the evaluation name them. */
function named(columns: readonly RowColumn[]): readonly RowColumn[] {
  const { columnNames } = words.value;
  return columns.map((column) => ({
    ...column,
    title: columnNames[column.id] ?? columnNames[column.title] ?? column.title,
  }));
}

function chosenColumns(all: readonly RowColumn[], chosen: string | null): readonly RowColumn[] {
  if (chosen === null) return all.filter(({ isShown }) => isShown);
  const names = chosen.split(',');
  return all.filter(({ id }) => names.includes(id));
}

interface RowsHeadProps {
  readonly head: RowsPage;
  readonly filters: readonly RowFilter[];
  readonly columns: number;
  readonly openColumns: () => void;
  readonly openFilters: () => void;
}

function toggle(filters: readonly RowFilter[], filter: RowFilter): void {
  setQuery({ filter: toggledFilter(filters, filter), at: undefined });
}

function RowsHead({ head, filters, columns, openColumns, openFilters }: RowsHeadProps) {
  const { rowsTitle, ofAll, searchRows, columns: columnsWord } = words.value;
  const text = filters.find((filter) => filter.by === 'text');
  const chips = filters.filter((filter) => filter.by !== 'text');
  const offered = offeredFilters(head, filters).slice(0, 4);
  const [left, all] = [countText(head.paging.total), countText(head.all)];
  const search = (is: string): void => {
    const others = filters.filter(({ by }) => by !== 'text');
    const next = is === '' ? others.map((one) => JSON.stringify(one)) : toggledFilter(others, { by: 'text', is });
    setQuery({ filter: next, at: undefined }, 'replace');
  };
  return (
    <header>
      <h2 id="rows-title">
        {rowsTitle(left)} {left === all ? null : <span class="faint">{ofAll(all)}</span>}
      </h2>
      <label class="search rows-search">
        <Mark shape="search" />
        <span class="unseen">{searchRows}</span>
        <input
          value={text?.is ?? ''}
          placeholder={searchRows}
          onInput={({ currentTarget: { value } }) => search(value)}
        />
        <kbd>/</kbd>
      </label>
      <FilterChips chosen={chips} offered={offered} toggle={(filter) => toggle(filters, filter)} />
      <button type="button" class="button" onClick={openFilters}>
        {words.value.filter} <kbd>f</kbd>
      </button>
      <button type="button" class="button" onClick={openColumns}>
        {columnsWord} <span class="faint">{columns}</span>
      </button>
    </header>
  );
}

interface ColumnsDialogProps {
  readonly head: RowsPage;
  readonly columns: readonly RowColumn[];
  readonly close: () => void;
}

function ColumnsDialog({ head, columns, close }: ColumnsDialogProps) {
  const shown = new Set(columns.map(({ id }) => id));
  const toggle = (id: string): void => {
    const next = head.columns
      .filter((column) => shown.has(column.id) !== (column.id === id))
      .map((column) => column.id);
    setQuery({ columns: next.join(',') }, 'replace');
  };
  return (
    <Dialog title={words.value.columns} close={close}>
      <div class="column-choice">
        {named(head.columns).map(({ id, title }) => (
          <label key={id}>
            <input type="checkbox" checked={shown.has(id)} onChange={() => toggle(id)} /> {title}
          </label>
        ))}
      </div>
    </Dialog>
  );
}
