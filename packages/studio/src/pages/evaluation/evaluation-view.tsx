import type { EvaluationPage } from '@unroll/project/studio-contract';
import { useJson } from '../../load/use-json.ts';
import { countText } from '../../parts/count.ts';
import { PlainText } from '../../parts/plain-text.tsx';
import { EmptyView, FailureView, WaitingView } from '../../parts/state-view.tsx';
import { VerdictView } from '../../parts/verdict-view.tsx';
import { query, setQuery } from '../../route/address.ts';
import { queryOf } from '../../route/view.ts';
import { words } from '../../words/words.ts';
import { useTitle } from '../page-title.ts';
import { FailingRows } from './failing-rows.tsx';
import { FlowByMetrics } from './flow-by-metrics.tsx';
import { MetricsPanel } from './metrics-panel.tsx';
import { RunCards } from './run-cards.tsx';
import { ScorePictures } from './score-pictures.tsx';
import { SincePanel } from './since-panel.tsx';
import { SlicesPanel } from './slices-panel.tsx';

export interface EvaluationViewProps {
  readonly path: string;
}

/** Which of these runs may be kept, by how much, and how sure is that? */
export function EvaluationView({ path }: EvaluationViewProps) {
  const asked = queryOf({ path });
  for (const run of query.value.getAll('run')) asked.append('run', run);
  const page = useJson<EvaluationPage>(`evaluation?${asked}`);
  const { evaluation } = words.value.comparing;
  const shown = page.value;
  useTitle(shown?.name ?? path, evaluation.list);
  if (shown === undefined || (page.failure !== undefined && page.isCurrent))
    return (
      <>
        <Where name={path} />
        <h1>{path}</h1>
        {page.failure === undefined ? (
          <WaitingView lines={10} />
        ) : (
          <FailureView failure={page.failure} again={page.again} />
        )}
      </>
    );
  return (
    <div aria-busy={!page.isCurrent}>
      <Head page={shown} />
      <VerdictView verdict={shown.verdict} />
      {shown.problem === undefined ? (
        <>
          <RunCards page={shown} choose={chooseRuns} />
          <MetricsPanel page={shown} />
          <FlowByMetrics page={shown} />
          <SincePanel page={shown} />
          <FailingRows page={shown} />
          <SlicesPanel page={shown} />
          <ScorePictures page={shown} />
        </>
      ) : (
        <EmptyView title={evaluation.noScores}>
          <p class="plain-text quiet">
            <PlainText text={words.value.toldProblem(shown.problem)} />
          </p>
        </EmptyView>
      )}
    </div>
  );
}

function chooseRuns(runs: readonly string[]): void {
  setQuery({ run: runs });
}

function Where({ name }: { readonly name: string }) {
  const { whereYouAre, comparing } = words.value;
  return (
    <nav class="where" aria-label={whereYouAre}>
      <a href="/evaluations">{comparing.evaluation.list}</a> <span aria-hidden="true">/</span>
      <span aria-current="page">{name}</span>
    </nav>
  );
}

function Head({ page: { name, rows, pairedBy, runs, candidates } }: { readonly page: EvaluationPage }) {
  const { evaluation } = words.value.comparing;
  const shown = runs.map(({ run }) => run.id);
  const others = candidates.filter((id) => !shown.includes(id));
  return (
    <>
      <Where name={name} />
      <div class="page-head">
        <h1>
          {name} <span class="about">{evaluation.about(runs.length, countText(rows), pairedBy)}</span>
        </h1>
        {others.length === 0 ? null : (
          <div class="actions">
            <select
              class="button"
              aria-label={evaluation.add}
              value=""
              onChange={({ currentTarget: { value } }) => chooseRuns([...shown, value])}
            >
              <option value="" disabled>
                {evaluation.add}
              </option>
              {others.map((id) => (
                <option key={id} value={id}>
                  {id}
                </option>
              ))}
            </select>
          </div>
        )}
      </div>
    </>
  );
}
