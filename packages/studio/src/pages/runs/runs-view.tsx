import type { RunLine, RunsPage } from '@unroll/project/studio-contract';
import { useState } from 'preact/hooks';
import { useCanWrite } from '../../load/use-session.ts';
import { countText } from '../../parts/count.ts';
import { Mark } from '../../parts/mark.tsx';
import { StaleView } from '../../parts/stale-view.tsx';
import { EmptyView, FailureView, WaitingView } from '../../parts/state-view.tsx';
import { VerdictView } from '../../parts/verdict-view.tsx';
import { query, setQuery } from '../../route/address.ts';
import { queryOf } from '../../route/view.ts';
import { useKeys } from '../../shell/keys.ts';
import { useListKeys } from '../../shell/list-keys.ts';
import { words } from '../../words/words.ts';
import { useTitle } from '../page-title.ts';
import { MarkDialog } from '../run/mark-dialog.tsx';
import { BeginDialog } from './begin-dialog.tsx';
import { RunsKeyHints } from './runs-key-hints.tsx';
import { compareAddress, useRunsKeys } from './runs-keys.ts';
import { RunsTable } from './runs-table.tsx';
import { useRuns } from './use-runs.ts';

/** Which run needs me, and what came of the others? */
export function RunsView() {
  const asked = query.value;
  const filter = asked.get('filter') ?? 'all';
  const flow = asked.get('flow') ?? undefined;
  const text = asked.get('text') ?? undefined;
  const { page, runs, fresh, older, olderFailure, folder, reread } = useRuns(
    `runs?${queryOf({ limit: '100', filter, flow, text })}`,
  );
  const { runsTitle, newRuns, showThem } = words.value;
  const chosen = asked.getAll('chosen');
  useTitle(runsTitle);
  useListKeys();
  useRunsKeys(runs, chosen);
  if (page.value === undefined)
    return (
      <>
        <h1>{runsTitle}</h1>
        {page.failure === undefined ? (
          <WaitingView lines={8} />
        ) : (
          <FailureView failure={page.failure} again={page.again} />
        )}
      </>
    );
  return (
    <>
      <div class="page-head">
        <h1>
          {runsTitle} {folder === undefined ? null : <span class="about">{folder}</span>}
        </h1>
        <BeginButton runs={runs} />
        <MarkFocused runs={runs} done={reread} />
      </div>
      <StaleView failure={page.failure ?? olderFailure} again={reread} />
      <VerdictView verdict={page.value.verdict} />
      <section class="panel" aria-label={runsTitle}>
        <RunsFilters page={page.value} filter={filter} flow={flow} text={text} />
        <Chosen runs={runs} chosen={chosen} />
        {fresh > 0 ? (
          <p class="fresh" role="status">
            {newRuns(fresh)}
            <button type="button" class="button" onClick={reread}>
              {showThem}
            </button>
          </p>
        ) : null}
        {runs.length === 0 ? (
          <NoRuns isFiltered={filter !== 'all' || flow !== undefined || text !== undefined} />
        ) : null}
        {runs.length > 0 ? <RunsTable runs={runs} chosen={chosen} /> : null}
      </section>
      <UnreadRuns runs={page.value.unread} />
      <MoreRuns older={older} />
      <RunsKeyHints />
    </>
  );
}

function BeginButton({ runs }: { readonly runs: readonly RunLine[] }) {
  const [isOpen, setOpen] = useState(false);
  const canWrite = useCanWrite();
  const { begin } = words.value.acting;
  const open = (): void => setOpen(true);
  useKeys(canWrite ? [{ keys: ['b'], group: 'page', label: begin, run: open }] : []);
  if (!canWrite) return null;
  return (
    <div class="actions">
      <button type="button" class="button primary" onClick={open}>
        {begin} <kbd>b</kbd>
      </button>
      {isOpen ? <BeginDialog runs={runs} close={() => setOpen(false)} /> : null}
    </div>
  );
}

/** `t` on a run of the list says something of it. */
function MarkFocused({ runs, done }: { readonly runs: readonly RunLine[]; readonly done: () => void }) {
  const [marked, setMarked] = useState<RunLine>();
  const canWrite = useCanWrite();
  const open = (): void => {
    const { run } = (document.activeElement as HTMLElement | null)?.dataset ?? {};
    setMarked(runs.find(({ id, status }) => id === run && status !== 'Unreadable'));
  };
  useKeys(canWrite ? [{ keys: ['t'], group: 'list', label: words.value.acting.mark, run: open }] : []);
  if (marked === undefined) return null;
  return <MarkDialog run={marked} close={() => setMarked(undefined)} done={done} />;
}

function UnreadRuns({ runs }: { readonly runs: number }) {
  if (runs === 0) return null;
  return (
    <p class="quiet" role="status">
      {words.value.unreadRuns(countText(runs))}
    </p>
  );
}

function MoreRuns({ older }: { readonly older: (() => void) | undefined }) {
  if (older === undefined) return null;
  return (
    <p class="actions">
      <button type="button" class="button" onClick={older}>
        {words.value.older}
      </button>
    </p>
  );
}

interface RunsFiltersProps {
  readonly page: RunsPage;
  readonly filter: string;
  readonly flow: string | undefined;
  readonly text: string | undefined;
}

const filterShapes = { live: 'running', 'needs-look': 'does-not-pass', resumable: 'canceled' } as const;

function RunsFilters({ page, filter, flow, text }: RunsFiltersProps) {
  const { runsFilter, filters, flowFilter, anyFlow } = words.value;
  const offered = page.filters.filter(({ name, runs }) => name === 'all' || runs > 0 || name === filter);
  return (
    <header>
      <label class="search grow">
        <Mark shape="search" />
        <span class="unseen">{runsFilter}</span>
        <input
          value={text ?? ''}
          placeholder={runsFilter}
          onInput={({ currentTarget: { value } }) => setQuery({ text: value === '' ? undefined : value }, 'replace')}
        />
        <kbd>/</kbd>
      </label>
      {offered.map(({ name, runs }) => (
        <button
          key={name}
          type="button"
          class="chip"
          aria-pressed={name === filter}
          onClick={() => setQuery({ filter: name === 'all' ? undefined : name })}
        >
          {name in filterShapes ? <Mark shape={filterShapes[name as keyof typeof filterShapes]} /> : null}
          {filters[name]} <b>{countText(runs)}</b>
        </button>
      ))}
      {page.flows.length > 1 || flow !== undefined ? (
        <label>
          <span class="unseen">{flowFilter}</span>
          <select
            class="button"
            value={flow ?? ''}
            onChange={({ currentTarget: { value } }) => setQuery({ flow: value === '' ? undefined : value })}
          >
            <option value="">{anyFlow}</option>
            {page.flows.map(({ name, runs }) => (
              <option key={name} value={name}>
                {name} ({countText(runs)})
              </option>
            ))}
          </select>
        </label>
      ) : null}
    </header>
  );
}

interface ChosenProps {
  readonly runs: readonly RunLine[];
  readonly chosen: readonly string[];
}

function Chosen({ runs, chosen }: ChosenProps) {
  const { chosen: chosenWord, chooseOneMore, compare, clear } = words.value;
  if (chosen.length === 0) return null;
  const names = chosen.map((id) => runs.find((run) => run.id === id)?.name ?? id);
  return (
    <div class="chosen-bar">
      <p>
        <b>
          {chosen.length} {chosenWord}
        </b>{' '}
        {names.join(', ')}
        {chosen.length === 1 ? <span class="faint"> · {chooseOneMore}</span> : null}
      </p>
      {chosen.length === 2 ? (
        <a class="button primary" href={compareAddress(runs, chosen)}>
          {compare} <kbd>d</kbd>
        </a>
      ) : null}
      <button type="button" class="button" onClick={() => setQuery({ chosen: undefined }, 'replace')}>
        {clear} <kbd>Esc</kbd>
      </button>
    </div>
  );
}

function NoRuns({ isFiltered }: { readonly isFiltered: boolean }) {
  const { noRuns, noRunsHelp, noRunsCommand, noRunMatches, clearFilters } = words.value;
  if (!isFiltered)
    return (
      <EmptyView title={noRuns}>
        <p class="quiet">{noRunsHelp}</p>
        <pre>{noRunsCommand}</pre>
      </EmptyView>
    );
  const cleared = { filter: undefined, flow: undefined, text: undefined };
  return (
    <EmptyView title={noRunMatches}>
      <p class="actions">
        <button type="button" class="button" onClick={() => setQuery(cleared)}>
          {clearFilters}
        </button>
      </p>
    </EmptyView>
  );
}
