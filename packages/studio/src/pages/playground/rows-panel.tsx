import type {
  DiffPage,
  Edits,
  Forecast,
  LiveRun,
  PlaygroundPage,
  RunLine,
  RunPage,
} from '@unroll/project/studio-contract';
import { useEffect, useState } from 'preact/hooks';
import { useLiveEvents } from '../../load/live-events.ts';
import { type Failure, request, sendJson } from '../../load/request.ts';
import { useJson } from '../../load/use-json.ts';
import { countText } from '../../parts/count.ts';
import { FigureText } from '../../parts/figure-text.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Segments } from '../../parts/segments.tsx';
import { VerdictView } from '../../parts/verdict-view.tsx';
import { queryOf, runAddress } from '../../route/view.ts';
import { words } from '../../words/words.ts';

export interface RowsPanelProps {
  readonly page: PlaygroundPage;
  readonly edits: Edits;
  readonly canRun: boolean;
  /** The edits were looked at as they are. */
  readonly isCurrent: boolean;
}

const few = [10, 100] as const;

/** Over more rows: what that takes before anything is spent, then how far it is, then what came of it. */
export function RowsPanel({ page, edits, canRun, isCurrent }: RowsPanelProps) {
  const { playground } = words.value.trying;
  const choices = [...few.filter((count) => count < page.rows).map(String), 'all'];
  const [chosen, choose] = useState(choices[0] ?? 'all');
  const [begun, setBegun] = useState<string>();
  const [failure, setFailure] = useState<Failure>();
  const rows = chosen === 'all' ? ('all' as const) : Number(chosen);
  const { inputs: _, ...ofFlow } = edits;
  const forecast = useForecast(page, ofFlow, rows, canRun && isCurrent);
  const run = async (): Promise<void> => {
    const { run: base, line, node } = page;
    const answer = await sendJson<LiveRun>('POST', 'playground/runs', { run: base, line, node, edits: ofFlow, rows });
    setFailure('value' in answer ? undefined : answer.failure);
    if ('value' in answer) setBegun(answer.value.run);
  };
  const count = countText(rows === 'all' ? page.rows : rows);
  const cost = forecast?.cost.value == null ? '' : playground.about(forecast.cost.text);
  return (
    <section class="panel" aria-labelledby="rows-heading">
      <header>
        <h2 id="rows-heading">{playground.rows}</h2>
        <span class="faint small">{playground.rowsHelp}</span>
        <Segments
          label={playground.howMany}
          choices={choices.map((id) => ({
            id,
            text: id === 'all' ? playground.all(countText(page.rows)) : playground.first(id),
          }))}
          chosen={chosen}
          choose={choose}
        />
      </header>
      <div class="body">
        {forecast === undefined ? null : <ForecastFacts forecast={forecast} />}
        {failure === undefined ? null : (
          <p class="bad plain-text" role="alert">
            <PlainText text={failure.message} />
          </p>
        )}
        <div class="actions run-rows">
          <button type="button" class="button" disabled={!canRun || forecast === undefined} onClick={() => void run()}>
            {playground.runRows(count)}
            {cost}
          </button>
        </div>
        {begun === undefined ? null : <TrialRun key={begun} run={begun} base={page.run} />}
      </div>
    </section>
  );
}

/** Undefined until it is known of the edits as they are. */
function useForecast(
  page: PlaygroundPage,
  edits: Edits,
  rows: 'all' | number,
  isWanted: boolean,
): Forecast | undefined {
  const { run, line, node } = page;
  const asked = JSON.stringify({ run, line, node, edits, rows });
  const [state, setState] = useState<{ readonly asked: string; readonly forecast: Forecast }>();
  useEffect(() => {
    if (!isWanted) return;
    const ended = new AbortController();
    sendJson<Forecast>('POST', 'playground/forecast', JSON.parse(asked) as object, ended.signal).then(
      (answer) => ('value' in answer ? setState({ asked, forecast: answer.value }) : undefined),
      () => undefined,
    );
    return () => ended.abort();
  }, [asked, isWanted]);
  return state?.asked === asked ? state.forecast : undefined;
}

function ForecastFacts({ forecast }: { readonly forecast: Forecast }) {
  const { playground } = words.value.trying;
  const { between, basis, leftOut } = forecast;
  const facts = [
    { name: 'rows', figure: forecast.rows, range: '' },
    { name: 'calls', figure: forecast.calls, range: between.calls },
    { name: 'tokens', figure: forecast.tokens, range: between.tokens },
    { name: 'cost', figure: forecast.cost, range: between.cost },
    { name: 'taken', figure: forecast.taken, range: '' },
  ] as const;
  return (
    <>
      <dl class="facts forecast">
        {facts.map(({ name, figure, range }) => (
          <div key={name}>
            <dt>{playground.facts[name]}</dt>
            <dd>
              <FigureText figure={figure} isWhyShown={true} /> <small>{range}</small>
            </dd>
          </div>
        ))}
      </dl>
      {basis === undefined ? null : <p class="faint small">{playground.basis(basis)}</p>}
      {leftOut.map((sentence) => (
        <p key={sentence} class="small">
          {sentence}
        </p>
      ))}
    </>
  );
}

function TrialRun({ run, base }: { readonly run: string; readonly base: string }) {
  const { playground } = words.value.trying;
  const [line, setLine] = useState<RunLine>();
  const isLive = line === undefined || line.status === 'Running';
  const read = (): void => {
    void request<RunPage>(`runs/${encodeURIComponent(run)}`).then((answer) => {
      if ('value' in answer) setLine(answer.value.run);
    });
  };
  useLiveEvents(run, isLive, (event) => event.type === 'run' && setLine(event.run), read);
  const stop = (): void => void sendJson('POST', `runs/${encodeURIComponent(run)}/control`, { do: 'stop' });
  return (
    <div class="trial-run">
      <p role="status">
        <a href={runAddress(run)}>{run}</a>{' '}
        {line === undefined ? '' : playground.running(line.rows.text, countText(line.total ?? line.rows.value ?? 0))}{' '}
        {line === undefined ? '' : words.value.status[line.status]}
      </p>
      {isLive ? (
        <button type="button" class="button" onClick={stop}>
          {playground.stop}
        </button>
      ) : (
        <Compared left={base} right={run} />
      )}
    </div>
  );
}

function Compared({ left, right }: { readonly left: string; readonly right: string }) {
  const diff = useJson<DiffPage>(`diff?${queryOf({ left, right })}`).value;
  return (
    <>
      {diff === undefined ? null : <VerdictView verdict={diff.verdict} />}
      <a class="button primary" href={`/diff?${queryOf({ left, right })}`}>
        {words.value.trying.playground.compare(left)}
      </a>
    </>
  );
}
