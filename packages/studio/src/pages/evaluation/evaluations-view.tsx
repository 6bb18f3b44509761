import type { EvaluationsPage } from '@unroll/project/studio-contract';
import { useJson } from '../../load/use-json.ts';
import { PlainText } from '../../parts/plain-text.tsx';
import { EmptyView, FailureView, WaitingView } from '../../parts/state-view.tsx';
import { query } from '../../route/address.ts';
import { queryOf } from '../../route/view.ts';
import { useListKeys } from '../../shell/list-keys.ts';
import { words } from '../../words/words.ts';
import { useTitle } from '../page-title.ts';
import { EvaluationView } from './evaluation-view.tsx';

/** One evaluation where the address names it, else all of the folder. */
export function EvaluationsView() {
  const path = query.value.get('path');
  return path === null ? <EvaluationList /> : <EvaluationView key={path} path={path} />;
}

function EvaluationList() {
  const page = useJson<EvaluationsPage>('evaluations');
  const { evaluation } = words.value.comparing;
  useTitle(evaluation.list);
  useListKeys();
  return (
    <>
      <div class="page-head">
        <h1>{evaluation.list}</h1>
      </div>
      {page.failure === undefined ? null : <FailureView failure={page.failure} again={page.again} />}
      {page.value === undefined && page.failure === undefined ? <WaitingView lines={4} /> : null}
      {page.value?.evaluations.length === 0 ? (
        <EmptyView title={evaluation.none}>
          <p class="quiet">{evaluation.noneHelp}</p>
          <pre>flow eval evals/NAME</pre>
        </EmptyView>
      ) : null}
      <ul class="evaluations">
        {page.value?.evaluations.map((one) => (
          <li key={one.path} class="panel">
            <h2>
              <a data-item href={`/evaluations?${queryOf({ path: one.path })}`}>
                {one.name}
              </a>{' '}
              <span class="about">{one.path}</span>
            </h2>
            <p class="quiet">{factsOf(one)}</p>
            {one.mistakes.map((mistake) => (
              <p key={mistake} class="bad plain-text">
                <PlainText text={mistake} />
              </p>
            ))}
          </li>
        ))}
      </ul>
    </>
  );
}

function factsOf(one: EvaluationsPage['evaluations'][number]): string {
  const { evaluation } = words.value.comparing;
  return [
    evaluation.metricsAndGates(one.metrics, one.gates),
    one.data ?? '',
    evaluation.runs(one.runs.length),
    one.hasBaseline ? '' : evaluation.noBaseline,
    one.asksJudges ? evaluation.asksJudges : '',
  ]
    .filter((text) => text !== '')
    .join(' · ');
}
