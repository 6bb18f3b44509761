import type { RowColumn, RowLine } from '@unroll/project/studio-contract';
import { useEffect, useRef, useState } from 'preact/hooks';
import { pipsWidth } from '../../parts/pips.tsx';
import { useVirtual } from '../../parts/use-virtual.ts';
import { go, setQuery } from '../../route/address.ts';
import { rowAddress } from '../../route/view.ts';
import { useKeys } from '../../shell/keys.ts';
import { words } from '../../words/words.ts';
import { rowCell } from './row-cell.tsx';
import type { Rows } from './use-rows.ts';

export interface RowsTableProps {
  readonly run: string;
  readonly rows: Rows;
  readonly columns: readonly RowColumn[];
  readonly sort: string | undefined;
  /** Place of the chosen row in the filter. */
  readonly at: number | undefined;
  /** What rows keep of the run's address. */
  readonly kept: URLSearchParams;
}

/** Of the rows only those in view are in the page; they are asked for as they come into view. */
export function RowsTable({ run, rows, columns, sort, at, kept }: RowsTableProps) {
  const scrolled = useRef<HTMLElement>(null);
  const isNarrow = useNarrow();
  const count = rows.head?.paging.total ?? 0;
  const virtual = useVirtual(scrolled, count, isNarrow ? 92 : 32);
  const items = virtual.getVirtualItems();
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  useEffect(() => rows.see(first, last), [first, last, rows.head]);
  const addressAt = (index: number): string | undefined => {
    const row = rows.rowAt(index);
    return row === undefined ? undefined : rowAddress(run, row, kept);
  };
  const choose = (index: number): void => {
    setQuery({ at: String(index) }, 'replace');
    virtual.scrollToIndex(index);
  };
  useRowKeys(at, count, choose, addressAt);
  const seen = [0, ...items.map(({ index }) => index)].map((index) => rows.rowAt(index));
  // A loop may take as many turns in each row.
  const timesOf = (loop: string): number => seen.find((row) => row?.turns[loop] !== undefined)?.turns[loop]?.times ?? 0;
  useEffect(() => (at === undefined ? undefined : virtual.scrollToIndex(at)), [rows.head === undefined]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be focused, so that keys scroll it
    <section class="rows-scroll" ref={scrolled} tabIndex={0} aria-label={words.value.rowsTable}>
      <div
        class="rows-table"
        role="table"
        aria-label={words.value.rows}
        aria-rowcount={count + 1}
        style={gridOf(columns, timesOf)}
      >
        <Heads columns={columns} sort={sort} />
        <div class="space" style={{ height: `${virtual.getTotalSize()}px` }} role="rowgroup">
          {items.map(({ index, start }) => (
            <RowLink
              key={index}
              row={rows.rowAt(index)}
              index={index}
              start={start}
              columns={columns}
              isChosen={index === at}
              address={addressAt(index)}
            />
          ))}
        </div>
      </div>
    </section>
  );
}

function useRowKeys(
  at: number | undefined,
  count: number,
  choose: (index: number) => void,
  addressAt: (index: number) => string | undefined,
): void {
  const { keys } = words.value;
  const to = (step: number): void => {
    if (count > 0) choose(Math.min(Math.max(at === undefined ? (step > 0 ? 0 : count - 1) : at + step, 0), count - 1));
  };
  const open = (): void => {
    const address = at === undefined ? undefined : addressAt(at);
    if (address !== undefined) go(address);
  };
  useKeys([
    { keys: ['j', 'ArrowDown'], group: 'list', label: keys.next, run: () => to(1) },
    { keys: ['k', 'ArrowUp'], group: 'list', label: keys.previous, run: () => to(-1) },
    { keys: ['Enter'], group: 'list', label: keys.open, run: open },
  ]);
}

interface HeadsProps {
  readonly columns: readonly RowColumn[];
  readonly sort: string | undefined;
}

function Heads({ columns, sort }: HeadsProps) {
  return (
    <div role="rowgroup" class="heads-group">
      <div class="heads" role="row">
        {columns.map((column) => (
          <Head key={column.id} column={column} sort={sort} />
        ))}
      </div>
    </div>
  );
}

function Head({
  column: { id, title, isNumber, isSortable, kind },
  sort,
}: {
  readonly column: RowColumn;
  readonly sort: string | undefined;
}) {
  const isUp = sort === id;
  const isDown = sort === `-${id}`;
  const next = isDown ? id : isUp ? undefined : `-${id}`;
  const text = kind === 'status' ? <span class="unseen">{title}</span> : title;
  return (
    <span
      role="columnheader"
      class={isNumber ? 'number' : ''}
      aria-sort={isUp ? 'ascending' : isDown ? 'descending' : undefined}
      title={title}
    >
      {isSortable && kind !== 'status' ? (
        <button type="button" onClick={() => setQuery({ sort: next, at: undefined })}>
          <span class="unseen">{words.value.sortBy(title)}</span>
          <span aria-hidden="true">
            {title}
            {isUp ? ' ↑' : isDown ? ' ↓' : ''}
          </span>
        </button>
      ) : (
        text
      )}
    </span>
  );
}

interface RowLinkProps {
  readonly row: RowLine | undefined;
  readonly index: number;
  readonly start: number;
  readonly columns: readonly RowColumn[];
  readonly isChosen: boolean;
  readonly address: string | undefined;
}

/** The link lies over the whole row. */
function RowLink({ row, index, start, columns, isChosen, address }: RowLinkProps) {
  const style = { transform: `translateY(${start}px)` };
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isChosen}
      class={isChosen ? 'line chosen' : 'line'}
      style={style}
    >
      {columns.map((column, at) => (
        <span key={column.id} role="cell" class={cellClass(column)}>
          {row === undefined ? <span class="skeleton" /> : rowCell(row, column)}
          {at > 0 || row === undefined || address === undefined ? null : (
            <a class="row-link" href={address} tabIndex={isChosen ? 0 : -1}>
              <span class="unseen">{`${words.value.row} ${row.line}`}</span>
            </a>
          )}
        </span>
      ))}
    </div>
  );
}

const lesser: readonly RowColumn['kind'][] = ['score', 'label', 'figure'];

function cellClass({ kind, isNumber, id }: RowColumn): string {
  const parts = [
    isNumber ? 'number' : '',
    kind === 'text' ? 'line-text' : '',
    kind === 'line' ? 'faint' : '',
    id.startsWith('output.') ? 'answer' : '',
    lesser.includes(kind) ? 'lesser' : '',
  ];
  return parts.filter(Boolean).join(' ');
}

/** Pixels of a column: of texts a share of what is left, of scores what their heading takes. */
function widthOf({ id, kind, title }: RowColumn, timesOf: (loop: string) => number): string {
  const heading = Math.min(Math.max(44, Math.ceil(title.length * 6.8) + 14), 132);
  if (kind === 'text') return 'minmax(140px, 1fr)';
  if (kind === 'status') return '20px';
  if (kind === 'turns') return `${Math.max(heading, 52, pipsWidth(timesOf(id.slice('turns.'.length))))}px`;
  return `${kind === 'line' ? 52 : kind === 'node' ? Math.max(heading, 92) : Math.max(heading, 52)}px`;
}

function gridOf(columns: readonly RowColumn[], timesOf: (loop: string) => number) {
  return { '--columns': columns.map((column) => widthOf(column, timesOf)).join(' ') };
}

const narrow = window.matchMedia('(max-width: 640px)');

function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(narrow.matches);
  useEffect(() => {
    const tell = (): void => setNarrow(narrow.matches);
    narrow.addEventListener('change', tell);
    return () => narrow.removeEventListener('change', tell);
  }, []);
  return isNarrow;
}
