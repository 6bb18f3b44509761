import type { EvaluationPage, MetricRow, RunScore } from '@unroll/project/studio-contract';
import { countText } from '../../parts/count.ts';
import { FigureText } from '../../parts/figure-text.tsx';
import { Mark } from '../../parts/mark.tsx';
import { Segments } from '../../parts/segments.tsx';
import { query, setQuery } from '../../route/address.ts';
import { words } from '../../words/words.ts';
import { Difference } from './difference.tsx';
import { IntervalBars } from './interval-bars.tsx';
import { firstMark } from './marks-of.ts';
import { MetricNotes } from './metric-notes.tsx';
import { RunMark } from './run-mark.tsx';

export interface MetricsPanelProps {
  readonly page: EvaluationPage;
}

type Show = 'all' | 'gated' | 'significant';

/** Every metric of all runs: means with their intervals drawn, gates, and paired differences. */
export function MetricsPanel({ page }: MetricsPanelProps) {
  const { evaluation } = words.value.comparing;
  const { metrics, method } = page;
  const show = (query.value.get('show') ?? 'all') as Show;
  const kinds: Readonly<Record<Show, readonly MetricRow[]>> = {
    all: metrics,
    gated: metrics.filter((metric) => metric.runs.some(({ gate }) => gate !== undefined)),
    significant: metrics.filter(({ isSignificant }) => isSignificant),
  };
  const shown = kinds[show] ?? metrics;
  return (
    <section class="panel" aria-labelledby="metrics-title">
      <header>
        <h2 id="metrics-title">{evaluation.metrics}</h2>
        <span class="small faint">{evaluation.legend(firstMark(page) === 1)}</span>
        <Segments<Show>
          label={evaluation.show}
          chosen={show}
          choices={(['all', 'gated', 'significant'] as const).map((id) => ({
            id,
            text: `${evaluation.shows[id]} ${kinds[id].length}`,
          }))}
          choose={(id) => setQuery({ show: id === 'all' ? undefined : id }, 'replace')}
        />
      </header>
      <table class="plain-table metrics-table">
        <thead>
          <tr>
            <th scope="col">{words.value.comparing.diff.metric}</th>
            <th scope="col" class="number">
              {evaluation.mean}
            </th>
            <td />
            {comparedRuns(page).map((run) => (
              <th scope="col" key={run}>
                {differenceTitle(page, run)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((metric) => (
            <MetricLine key={metric.name} metric={metric} page={page} />
          ))}
        </tbody>
      </table>
      <p class="legend">{comparedRuns(page).length === 0 ? '' : method}</p>
    </section>
  );
}

/** Runs whose differences are shown: all but the first, or where it is alone that one against the baseline. */
function comparedRuns({ runs, baseline }: EvaluationPage): readonly string[] {
  const ids = runs.map(({ run }) => run.id);
  if (ids.length > 1) return ids.slice(1);
  return baseline === undefined ? [] : ids;
}

/** Ids that nobody chose are longer; they are told apart by their ends. */
const longestName = 18;

function differenceTitle({ runs }: EvaluationPage, id: string): string {
  const { evaluation } = words.value.comparing;
  if (runs.length === 1) return evaluation.againstBaseline;
  const nameOf = (run: string): string => {
    const found = runs.find((one) => one.run.id === run)?.run;
    return found?.name ?? (run.length > longestName ? `…${run.slice(-4)}` : run);
  };
  return evaluation.minus(nameOf(id), nameOf(runs[0]?.run.id ?? ''));
}

/** Of one run alone it is the baseline that it is compared with, as usual. */
function lensOf({ path, runs }: EvaluationPage) {
  return { evaluation: path, against: runs.length > 1 ? runs[0]?.run.id : undefined };
}

function MetricLine({ metric, page }: { readonly metric: MetricRow; readonly page: EvaluationPage }) {
  const { evaluation } = words.value.comparing;
  const [first] = metric.runs;
  const rule = metric.runs.find(({ gate }) => gate !== undefined)?.gate?.rule;
  const about = [
    evaluation.scored(countText(first?.scored ?? 0)),
    metric.better === 'lower' ? evaluation.lowerIsBetter : '',
    rule ?? '',
  ];
  return (
    <tr>
      <th scope="row">
        <b>{metric.name}</b>
        <span class="small quiet metric-about">
          {metric.evaluator} <MeasuredAt on={metric.on} />
          <br />
          {about.filter((text) => text !== '').join(' · ')}
        </span>
        <MetricNotes metric={metric} page={page} />
      </th>
      <td class="number means">
        {metric.runs.map((score, at) => (
          <Mean key={score.run} score={score} at={at + firstMark(page)} />
        ))}
      </td>
      <td class="bars">
        <IntervalBars
          metric={metric}
          from={firstMark(page)}
          nameOf={(id) => page.runs.find(({ run }) => run.id === id)?.run.name ?? id}
        />
      </td>
      {comparedRuns(page).map((run) => (
        <td key={run}>
          <Difference score={metric.runs.find((one) => one.run === run)} lens={lensOf(page)} />
        </td>
      ))}
    </tr>
  );
}

function Mean({ score: { mean, gate }, at }: { readonly score: RunScore; readonly at: number }) {
  const { evaluation } = words.value.comparing;
  return (
    <span class="mean" title={gate?.reason}>
      <RunMark at={at} />
      <FigureText figure={mean} />
      {gate === undefined ? (
        <i class="no-gate" />
      ) : (
        <span class={gate.passed ? 'ok' : 'bad'}>
          <Mark
            shape={gate.passed ? 'passes' : 'does-not-pass'}
            label={gate.passed ? evaluation.met : evaluation.notMet}
          />
        </span>
      )}
    </span>
  );
}

/** A metric without a place, as latency, measures the row. */
function MeasuredAt({ on }: { readonly on: string }) {
  if (on === 'row') return <>{words.value.comparing.evaluation.wholeRow}</>;
  return on === '' ? null : <code>{on}</code>;
}
