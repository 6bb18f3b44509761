import type { LiveEvent, RunPage, WorkView } from '@unroll/project/studio-contract';
import { useEffect, useState } from 'preact/hooks';
import { useLiveEvents } from '../../load/live-events.ts';
import { useJson } from '../../load/use-json.ts';
import { Choice } from '../../parts/choice.tsx';
import { fullTimeText } from '../../parts/count.ts';
import { Mark } from '../../parts/mark.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { StaleView } from '../../parts/stale-view.tsx';
import { FailureView, WaitingView } from '../../parts/state-view.tsx';
import { statusShape } from '../../parts/status.ts';
import { VerdictView } from '../../parts/verdict-view.tsx';
import { go, query, setQuery } from '../../route/address.ts';
import { queryOf } from '../../route/view.ts';
import { useKeys } from '../../shell/keys.ts';
import { words } from '../../words/words.ts';
import { useTitle } from '../page-title.ts';
import { Failures } from './failures.tsx';
import { FlowPanel } from './flow-panel.tsx';
import { RowsPanel } from './rows-panel.tsx';
import { RunActions } from './run-actions.tsx';
import { RunFacts } from './run-facts.tsx';
import { WorkPanel } from './work-panel.tsx';

export interface RunViewProps {
  readonly run: string;
}

/** Milliseconds until a live run that could not be read is asked for again. */
const againMs = 2000;

/** Did it do well, and if not, at which node did rows go wrong first, and why? */
export function RunView({ run }: RunViewProps) {
  const asked = query.value;
  const about = queryOf({
    evaluation: asked.get('evaluation') ?? undefined,
    against: asked.get('against') ?? undefined,
  });
  const page = useJson<RunPage>(`runs/${encodeURIComponent(run)}?${about}`);
  const [counted, setCounted] = useState<{ readonly of: RunPage; readonly rows: number }>();
  // So many rows there were when the table was read, which stays as it is until somebody asks.
  const [inTable, setInTable] = useState<number>();
  const [told, setTold] = useState<{ readonly of: RunPage; readonly work: WorkView }>();
  const shown = page.value;
  const isLive = shown?.run.status === 'Running';
  const [areRowsPending, setRowsPending] = useState(false);
  const [reads, setReads] = useState(0);
  const isPending = areRowsPending || (shown?.pending.length ?? 0) > 0;
  const reread = (): void => {
    if (!isPending) return;
    page.again();
    setReads(reads + 1);
  };
  const tell = (event: LiveEvent): void => {
    if (event.type === 'ready') reread();
    if (event.type === 'run' && event.run.id === run) page.again();
    if (event.type === 'work' && shown !== undefined) setTold({ of: shown, work: event.work });
    if (event.type === 'rows' && shown !== undefined) setCounted({ of: shown, rows: event.rows });
  };
  // A run may have ended between being read and being heard of.
  useLiveEvents(run, isLive || isPending, tell, () => (isLive ? page.again() : reread()));
  useEffect(() => {
    if (!isLive || page.failure === undefined) return;
    // Nothing may happen to it any more that would have it read again.
    const later = setTimeout(page.again, againMs);
    return () => clearTimeout(later);
  }, [isLive, page.failure]);
  const name = shown?.run.name ?? run;
  const rowsNow = counted !== undefined && counted.of === shown ? counted.rows : (shown?.run.rows.value ?? 0);
  useEffect(() => {
    if (shown !== undefined && inTable === undefined) setInTable(rowsNow);
  }, [shown, inTable]);
  // What was told of it since it was read.
  const work = told !== undefined && told.of === shown ? told.work : shown?.work;
  useTitle(isLive ? shown?.run.progress?.share.text : undefined, name, shown?.run.flow);
  const compare = (): void => {
    if (shown?.against !== undefined) go(compareAddress(shown.against, run));
  };
  useKeys([{ keys: ['d'], group: 'page', label: words.value.keys.compare, run: compare }]);
  if (shown === undefined)
    return (
      <>
        <Where name={run} flow={undefined} />
        <h1>{run}</h1>
        {page.failure === undefined ? (
          <WaitingView lines={10} />
        ) : (
          <FailureView failure={page.failure} again={page.again} />
        )}
      </>
    );
  return (
    <>
      <RunHead page={shown} name={name} done={page.again} />
      {shown.run.note === undefined ? null : (
        <div class="run-note">
          <PlainText text={shown.run.note} />
        </div>
      )}
      <StaleView failure={page.failure} again={page.again} />
      <VerdictView verdict={shown.verdict} />
      <RunFacts page={shown} />
      {work === undefined ? null : <WorkPanel work={work} />}
      <FlowPanel page={shown} />
      <Failures run={run} failures={shown.failures} />
      <RowsPanel
        run={run}
        fresh={rowsNow - (inTable ?? rowsNow)}
        reads={reads}
        reportRead={() => setInTable(rowsNow)}
        reportPending={setRowsPending}
      />
    </>
  );
}

function compareAddress(left: string, right: string): string {
  return `/diff?${queryOf({ left, right })}`;
}

function Where({ name, flow }: { readonly name: string; readonly flow: string | undefined }) {
  const { whereYouAre, runsTitle } = words.value;
  return (
    <nav class="where" aria-label={whereYouAre}>
      <a href="/">{runsTitle}</a> <span aria-hidden="true">/</span>
      {flow === undefined ? null : (
        <>
          <a href={`/?${queryOf({ flow })}`}>{flow}</a> <span aria-hidden="true">/</span>
        </>
      )}
      <span aria-current="page">{name}</span>
    </nav>
  );
}

function RunHead({
  page: { run, against, evaluations, evaluation },
  name,
  done,
}: {
  readonly page: RunPage;
  readonly name: string;
  readonly done: () => void;
}) {
  const { compareWith, evaluation: evaluationWord, language, status } = words.value;
  return (
    <>
      <Where name={name} flow={run.flow} />
      <div class="page-head">
        <h1>
          <Mark shape={statusShape(run.status)} label={status[run.status]} /> {name}{' '}
          <span class="about">
            {run.data === undefined ? '' : `${run.data} · `}
            {fullTimeText(run.startedAt, language)}
          </span>
          {run.name === undefined ? null : <span class="about"> {run.id}</span>}
          {run.tags.map((tag) => (
            <span key={tag} class="tag">
              {tag}
            </span>
          ))}
        </h1>
        <div class="actions">
          <RunActions run={run} done={done} />
          <Choice
            label={evaluationWord}
            values={evaluations}
            chosen={evaluation}
            onChoice={(path) => setQuery({ evaluation: path })}
          />
          {against === undefined ? null : (
            <a class="button" href={compareAddress(against, run.id)}>
              {compareWith(against)} <kbd>d</kbd>
            </a>
          )}
        </div>
      </div>
    </>
  );
}
