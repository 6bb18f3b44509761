import type { DiffPage, DiffRows } from '@unroll/project/studio-contract';
import { countText } from '../../parts/count.ts';
import { RowTitle } from '../../parts/row-title.tsx';
import { Segments } from '../../parts/segments.tsx';
import { EmptyView, FailureView, WaitingView } from '../../parts/state-view.tsx';
import { go, query, setQuery } from '../../route/address.ts';
import { comparedQuery, rowAddress } from '../../route/view.ts';
import { useKeys } from '../../shell/keys.ts';
import { words } from '../../words/words.ts';
import { DiffRowView } from './diff-row.tsx';
import { useDiffRows } from './use-diff-rows.ts';

export interface DiffRowsPanelProps {
  readonly page: DiffPage;
  readonly node: string | undefined;
  readonly group: string | undefined;
  /** Kinds of change; all where it is empty. */
  readonly only: readonly string[];
  readonly isSideBySide: boolean;
  /** The address of this view with other values of its query. */
  readonly addressOf: (values: Readonly<Record<string, string | undefined>>) => string;
}

type Pair = DiffRows['rows'][number];

/** The rows of a group beside one of them, with everything that differs in it. */
export function DiffRowsPanel({ page, node, only, group, isSideBySide, addressOf }: DiffRowsPanelProps) {
  const { diff } = words.value.comparing;
  const narrowed = { evaluation: page.evaluation, group, node, only, limit: '50' };
  const asked = comparedQuery(page.left.id, page.right.id, page.options, narrowed);
  const { rows, paging, failure, more } = useDiffRows(`diff/rows?${asked}`);
  const chosen = rows.find((row) => placeText(row) === query.value.get('row')) ?? rows[0];
  useRowKeys(rows, chosen, addressOf);
  const leftOut = (paging?.total ?? 0) - rows.length;
  return (
    <section class="panel" aria-labelledby="diff-rows-title" id="rows">
      <header>
        <h2 id="diff-rows-title">
          {diff.rows} {paging === undefined ? '' : <span class="about">{countText(paging.total)}</span>}
        </h2>
        <Groups page={page} chosen={group} addressOf={addressOf} />
        {node === undefined ? null : (
          <a class="chip" href={addressOf({ node: undefined, row: undefined })}>
            {diff.ofNode(node)} <span aria-hidden="true">×</span>
            <span class="unseen">{words.value.removeFilter}</span>
          </a>
        )}
        {only.length === 0 ? null : (
          <a class="chip" href={addressOf({ only: undefined, row: undefined })}>
            {diff.ofKind(only.join(', '))} <span aria-hidden="true">×</span>
            <span class="unseen">{words.value.removeFilter}</span>
          </a>
        )}
        <Segments
          label={diff.layout}
          chosen={isSideBySide ? 'sides' : 'inline'}
          choices={[
            { id: 'inline', text: diff.inline },
            { id: 'sides', text: diff.sides },
          ]}
          choose={(id) => setQuery({ words: id === 'sides' ? id : undefined }, 'replace')}
        />
      </header>
      {failure === undefined ? null : <FailureView failure={failure} again={() => setQuery({ group: undefined })} />}
      {paging === undefined && failure === undefined ? <WaitingView lines={6} /> : null}
      {paging?.total === 0 ? <EmptyView title={diff.noRows} /> : null}
      {chosen === undefined ? null : (
        <div class="list-and-one">
          <div>
            <ul class="pick-list">
              {rows.map((row) => (
                <RowLink key={placeText(row)} {...{ row, isChosen: row === chosen, addressOf }} />
              ))}
            </ul>
            {more === undefined && leftOut > 0 ? (
              <p class="lonely small quiet">{diff.leftOut(countText(leftOut))}</p>
            ) : null}
            {more === undefined ? null : (
              <p class="actions">
                <button type="button" class="button" onClick={more}>
                  {diff.more(countText(Math.min(50, (paging?.total ?? 0) - rows.length)))}
                </button>
              </p>
            )}
          </div>
          <DiffRowView key={placeText(chosen)} {...{ page, at: chosen.right, node, only, isSideBySide }} />
        </div>
      )}
      <OnlyIn run={page.left.id} letter="A" {...page.onlyLeft} />
      <OnlyIn run={page.right.id} letter="B" {...page.onlyRight} />
    </section>
  );
}

interface OnlyInProps {
  /** Id. */
  readonly run: string;
  readonly letter: string;
  readonly rows: number;
  readonly first: DiffPage['onlyLeft']['first'];
}

/** Rows that have no other to be compared with, the first ones by name. */
function OnlyIn({ run, letter, rows, first }: OnlyInProps) {
  if (rows === 0) return null;
  const rest = rows - first.length;
  return (
    <p class="lonely small quiet">
      {words.value.comparing.diff.onlyIn(rows, letter)}:{' '}
      {first.map((at, index) => (
        <>
          {index === 0 ? '' : ', '}
          <a href={rowAddress(run, at)}>{at.repeat === 0 ? at.line : `${at.line}.${at.repeat}`}</a>
        </>
      ))}
      {rest > 0 ? ` ${words.value.comparing.diff.andMore(countText(rest))}` : ''}
    </p>
  );
}

/** `3`, `3 → 5` where it stands at another place, `3.1` of a repetition. */
function rowNumber({ left, right }: Pair): string {
  const repeat = right.repeat === 0 ? '' : `.${right.repeat}`;
  return `${left.line === right.line ? '' : `${left.line} → `}${right.line}${repeat}`;
}

function placeText({ right: { line, repeat } }: Pair): string {
  return `${line}/${repeat}`;
}

/** `n` and `p` go through the rows, whatever has the focus. */
function useRowKeys(rows: readonly Pair[], chosen: Pair | undefined, addressOf: DiffRowsPanelProps['addressOf']): void {
  const { diff } = words.value.comparing;
  const step = (by: number): void => {
    const at = chosen === undefined ? -1 : rows.indexOf(chosen);
    const next = rows[Math.min(Math.max(at + by, 0), rows.length - 1)];
    if (next === undefined) return;
    go(addressOf({ row: placeText(next) }), 'replace');
    document.querySelector(`[data-row="${placeText(next)}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  useKeys([
    { keys: ['n', 'j'], group: 'page', label: diff.keyNext, run: () => step(1) },
    { keys: ['p', 'k'], group: 'page', label: diff.keyPrevious, run: () => step(-1) },
    {
      keys: ['s'],
      group: 'page',
      label: diff.keyLayout,
      run: () => setQuery({ words: query.peek().get('words') === 'sides' ? undefined : 'sides' }, 'replace'),
    },
  ]);
}

interface GroupsProps {
  readonly page: DiffPage;
  readonly chosen: string | undefined;
  readonly addressOf: DiffRowsPanelProps['addressOf'];
}

function Groups({ page: { groups, paired }, chosen, addressOf }: GroupsProps) {
  const { diff } = words.value.comparing;
  const all = { name: 'all', title: diff.all, rows: paired, metric: undefined };
  return (
    <div class="chips">
      {[...groups, all].map(({ name, title, rows, metric }) => (
        <a
          key={name}
          class="chip"
          aria-current={name === (chosen ?? 'all') ? 'true' : undefined}
          href={addressOf({ group: name, row: undefined })}
        >
          {metric === undefined
            ? (diff.groups[name] ?? title)
            : `${metric} ${name.startsWith('broken') ? diff.broken : diff.fixed}`}{' '}
          <b>{countText(rows)}</b>
        </a>
      ))}
    </div>
  );
}

interface RowLinkProps {
  readonly row: Pair;
  readonly isChosen: boolean;
  readonly addressOf: DiffRowsPanelProps['addressOf'];
}

function RowLink({ row, isChosen, addressOf }: RowLinkProps) {
  return (
    <li>
      <a
        class="pick"
        data-row={placeText(row)}
        aria-current={isChosen ? 'true' : undefined}
        href={addressOf({ row: placeText(row) })}
      >
        <span class="number faint one-line">{rowNumber(row)}</span>
        <span class="title" lang={row.language} dir="auto">
          <RowTitle title={row.title} line={row.right.line} />
        </span>
        <span class="what small">
          {row.what.slice(0, 2).map(({ text, isBad }) => (
            <span key={text} class={isBad ? 'bad' : 'faint'}>
              {text}
            </span>
          ))}
          {row.what.length > 2 ? <span class="faint">+{row.what.length - 2}</span> : null}
        </span>
      </a>
    </li>
  );
}
