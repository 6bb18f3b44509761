import type { EvaluationPage, SlicedScores } from '@unroll/project/studio-contract';
import { countText } from '../../parts/count.ts';
import { FigureText } from '../../parts/figure-text.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { words } from '../../words/words.ts';
import { MetricVerdict } from '../diff/metric-flips.tsx';

export interface SlicesPanelProps {
  readonly page: EvaluationPage;
}

type Slice = SlicedScores['slices'][number];
type Score = Slice['scores'][number];

/** Of each run, for each column that scores are told apart by: every metric among the rows of each value. */
export function SlicesPanel({ page: { runs, metrics } }: SlicesPanelProps) {
  const names = metrics.map(({ name }) => name);
  return (
    <>
      {runs.map(({ run, slices }) =>
        slices.map((sliced) => (
          <ColumnPanel
            key={`${run.id} ${sliced.column}`}
            run={runs.length > 1 ? (run.name ?? run.id) : undefined}
            sliced={sliced}
            metrics={names}
          />
        )),
      )}
    </>
  );
}

interface ColumnPanelProps {
  /** Where there are several. */
  readonly run: string | undefined;
  readonly sliced: SlicedScores;
  readonly metrics: readonly string[];
}

function ColumnPanel({ run, sliced: { column, slices, notes }, metrics }: ColumnPanelProps) {
  const { evaluation, diff } = words.value.comparing;
  const title = run === undefined ? evaluation.by(column) : evaluation.byOf(column, run);
  const isCompared = slices.some(({ scores }) => scores.some(({ difference }) => difference !== undefined));
  return (
    <section class="panel" aria-label={title}>
      <header>
        <h2>
          <PlainText text={title} />
        </h2>
      </header>
      <table class="plain-table">
        <thead>
          <tr>
            <th scope="col">{diff.metric}</th>
            <th scope="col">
              <PlainText text={column} />
            </th>
            <th scope="col" class="number">
              {diff.columns.rows}
            </th>
            <th scope="col" class="number">
              {evaluation.meanAndInterval}
            </th>
            <th scope="col" class="number">
              {evaluation.scoredTitle}
            </th>
            {isCompared ? <th scope="col">{diff.difference}</th> : null}
          </tr>
        </thead>
        <tbody>
          {metrics.map((metric) => (
            <MetricLines key={metric} metric={metric} slices={slices} isCompared={isCompared} />
          ))}
        </tbody>
      </table>
      {notes.map((note) => (
        <p key={note} class="legend">
          <PlainText text={note} />
        </p>
      ))}
    </section>
  );
}

interface MetricLinesProps {
  readonly metric: string;
  readonly slices: readonly Slice[];
  readonly isCompared: boolean;
}

/** The metric is named once. */
function MetricLines({ metric, slices, isCompared }: MetricLinesProps) {
  const { evaluation, diff } = words.value.comparing;
  const shown = slices.flatMap((slice) => {
    const score = slice.scores.find((one) => one.metric === metric);
    return score === undefined ? [] : [{ slice, score }];
  });
  return (
    <>
      {shown.map(({ slice: { value, isNone, rows }, score }, at) => (
        <tr key={`${isNone} ${value}`}>
          {at === 0 ? (
            <th scope="rowgroup" rowSpan={shown.length}>
              {metric}
            </th>
          ) : null}
          <td class={isNone ? 'path faint' : 'path'}>
            <PlainText text={value} />
          </td>
          <td class="number" data-title={diff.columns.rows}>
            {countText(rows)}
          </td>
          <td class="number" data-title={evaluation.meanAndInterval}>
            <FigureText figure={score.mean} />
            {score.interval === undefined ? null : (
              <span class="small quiet one-line"> {words.value.figureText(score.interval.text)}</span>
            )}
          </td>
          <td class="number" data-title={evaluation.scoredTitle}>
            {countText(score.scored)}
          </td>
          {isCompared ? (
            <td>
              <SliceDifference difference={score.difference} />
            </td>
          ) : null}
        </tr>
      ))}
    </>
  );
}

function SliceDifference({ difference }: Pick<Score, 'difference'>) {
  if (difference === undefined) return <span class="faint">–</span>;
  const { interval, verdict } = difference;
  return (
    <>
      {verdict === 'same' ? null : (
        <>
          <b class="one-line">{words.value.figureText(difference.difference.text)}</b>{' '}
          {interval === undefined ? null : (
            <span class="small quiet one-line">{words.value.figureText(interval.text)}</span>
          )}{' '}
        </>
      )}
      <span class="small">
        <MetricVerdict metric={difference} />
      </span>
    </>
  );
}
