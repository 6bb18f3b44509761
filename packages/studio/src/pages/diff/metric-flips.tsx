import type { DiffPage, MetricDifference } from '@unroll/project/studio-contract';
import { broken } from '../../parts/broken-name.tsx';
import { countText } from '../../parts/count.ts';
import { FigureText } from '../../parts/figure-text.tsx';
import { words } from '../../words/words.ts';

export interface MetricFlipsProps {
  readonly page: DiffPage;
  readonly addressOf: (group: string) => string;
}

/** Of each metric the rows that broke and were fixed, and the difference with its interval. */
export function MetricFlips({ page, addressOf }: MetricFlipsProps) {
  const { diff } = words.value.comparing;
  const { metrics, evaluation, evaluationProblem } = page;
  const most = Math.max(1, ...metrics.map(({ flips }) => Math.max(flips?.broken ?? 0, flips?.fixed ?? 0)));
  return (
    <section class="panel" aria-labelledby="flips-title">
      <header>
        <h2 id="flips-title">{metrics.length === 0 ? diff.noScores : diff.metrics}</h2>
        {evaluation === undefined ? null : <span class="small faint">{diff.metricsOf(evaluation)}</span>}
      </header>
      {metrics.length === 0 ? (
        <p class="body quiet">
          {evaluationProblem === undefined ? diff.noEvaluation : words.value.toldProblem(evaluationProblem)}
        </p>
      ) : (
        <table class="plain-table">
          <thead>
            <tr>
              <th scope="col">{diff.metric}</th>
              <th scope="col" class="number">
                A → B
              </th>
              <th scope="col" class="number">
                {diff.broken}
              </th>
              <th scope="col">{diff.fixed}</th>
              <th scope="col" class="number">
                {diff.difference}
              </th>
              <th scope="col">
                <span class="unseen">{words.value.verdict}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {metrics.map((metric) => (
              <MetricLine key={metric.metric} {...{ metric, most, addressOf }} />
            ))}
          </tbody>
        </table>
      )}
      <Logged logged={page.logged} />
    </section>
  );
}

/** What nodes over all rows logged, where it differs. */
function Logged({ logged }: Pick<DiffPage, 'logged'>) {
  if (logged.length === 0) return null;
  return (
    <dl class="facts body" aria-label={words.value.loggedMetrics}>
      {logged.map(({ name, left, right }) => (
        <div key={name}>
          <dt>{broken(name)}</dt>
          <dd>
            {left} → {right}
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface MetricLineProps {
  readonly metric: MetricDifference;
  /** Rows that the longest bar stands for. */
  readonly most: number;
  readonly addressOf: (group: string) => string;
}

function MetricLine({ metric, most, addressOf }: MetricLineProps) {
  const { diff } = words.value.comparing;
  const { before, after, flips, difference, interval } = metric;
  return (
    <tr>
      <th scope="row">{metric.metric}</th>
      <td class="number one-line">
        <span class="quiet">{words.value.figureText(before.text)}</span> → <FigureText figure={after} />
      </td>
      <td class="number flips" data-title={diff.broken}>
        {flips === undefined ? null : <Flips kind="broken" rows={flips.broken} {...{ metric, most, addressOf }} />}
      </td>
      <td class="flips" data-title={diff.fixed}>
        {flips === undefined ? null : <Flips kind="fixed" rows={flips.fixed} {...{ metric, most, addressOf }} />}
      </td>
      <td class="number">
        <b class="one-line">{words.value.figureText(difference.text)}</b>
        {interval === undefined ? null : (
          <span class="small faint one-line"> {words.value.figureText(interval.text)}</span>
        )}
      </td>
      <td>
        <MetricVerdict metric={metric} />
        {metric.verdict === 'same' ? null : <span class="small faint one-line"> · {metric.p}</span>}
      </td>
    </tr>
  );
}

interface FlipsProps extends MetricLineProps {
  readonly kind: 'broken' | 'fixed';
  readonly rows: number;
}

function Flips({ kind, rows, metric, most, addressOf }: FlipsProps) {
  if (rows === 0) return <span class="faint">0</span>;
  const bar = (
    <i class={`flip-bar ${kind}`} style={{ width: `${Math.max(3, (rows / most) * 72)}px` }} aria-hidden="true" />
  );
  const link = <a href={addressOf(`${kind}:${metric.metric}`)}>{countText(rows)}</a>;
  return kind === 'broken' ? (
    <>
      {link} {bar}
    </>
  ) : (
    <>
      {bar} {link}
    </>
  );
}

export interface MetricVerdictProps {
  readonly metric: MetricDifference;
}

/** A shape, a word, and red only for what got worse. */
export function MetricVerdict({ metric: { verdict, rowsNeeded } }: MetricVerdictProps) {
  const { diff } = words.value.comparing;
  const marks = { better: '▲ ', worse: '▼ ', 'not significant': '', same: '' } as const;
  const tint = { better: 'ok', worse: 'bad', 'not significant': 'quiet', same: 'quiet' } as const;
  return (
    <span class={`${tint[verdict]} metric-verdict`}>
      <span aria-hidden="true">{marks[verdict]}</span>
      {diff.verdicts[verdict]}
      {rowsNeeded === undefined ? null : <span class="small faint"> · {diff.rowsNeeded(countText(rowsNeeded))}</span>}
    </span>
  );
}
