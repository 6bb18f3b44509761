import type { EvaluationPage, MetricRow, RunScore } from '@unroll/project/studio-contract';
import { countText } from '../../parts/count.ts';
import { words } from '../../words/words.ts';
import { firstMark } from './marks-of.ts';
import { RunMark } from './run-mark.tsx';

export interface ScorePicturesProps {
  readonly page: EvaluationPage;
}

/** More pictures than these are shown when they are asked for. */
const maxOpen = 12;

/** Of each metric how the scores of rows lie, and of a family of nodes its mean turn by turn. */
export function ScorePictures({ page }: ScorePicturesProps) {
  const { evaluation } = words.value.comparing;
  const withTurns = page.metrics.filter(({ runs }) => runs.some(({ turns }) => turns.length > 0));
  const withBins = page.metrics.filter(({ runs }) => runs.some(({ bins }) => bins.length > 0));
  return (
    <>
      <Cards title={evaluation.byTurn} metrics={withTurns}>
        {(metric) => <Turns metric={metric} page={page} />}
      </Cards>
      <Cards title={evaluation.distributions} metrics={withBins}>
        {(metric) => <Distributions metric={metric} page={page} />}
      </Cards>
    </>
  );
}

interface CardsProps {
  readonly title: string;
  readonly metrics: readonly MetricRow[];
  readonly children: (metric: MetricRow) => preact.ComponentChild;
}

function Cards({ title, metrics, children }: CardsProps) {
  if (metrics.length === 0) return null;
  return (
    <section class="panel score-panel" aria-label={title}>
      <details open={metrics.length <= maxOpen}>
        <summary>
          <h2>{title}</h2> <span class="small faint">{countText(metrics.length)}</span>
        </summary>
        <div class="score-cards">
          {metrics.map((metric) => (
            <div key={metric.name}>
              <h3>{metric.name}</h3>
              {children(metric)}
            </div>
          ))}
        </div>
      </details>
    </section>
  );
}

interface MetricPictureProps {
  readonly metric: MetricRow;
  readonly page: EvaluationPage;
}

function Distributions({ metric, page }: MetricPictureProps) {
  return (
    <>
      {metric.runs.map((score, at) => (
        <Bins key={score.run} metric={metric} score={score} mark={page.runs.length > 1 ? at : undefined} />
      ))}
    </>
  );
}

interface BinsProps {
  readonly metric: MetricRow;
  readonly score: RunScore;
  /** Of the run, where there are several. */
  readonly mark: number | undefined;
}

function Bins({ metric, score: { bins, mean }, mark }: BinsProps) {
  const { rows: rowsWord, comparing } = words.value;
  const max = Math.max(1, ...bins.map(({ rows }) => rows));
  const shown = bins.map((bin) => ({
    ...bin,
    name: comparing.evaluation.bins[bin.text] ?? words.value.figureText(bin.text),
  }));
  const label = shown
    .filter(({ rows }) => rows > 0)
    .map(({ name, rows }) => `${name}: ${countText(rows)} ${rowsWord}`)
    .join(', ');
  const [first, last] = [bins[0], bins.at(-1)];
  const arePasses = bins.length === 2 && first?.to === first?.from;
  return (
    <div class="score-bins">
      <div class="bins" role="img" aria-label={`${metric.name}: ${label}`}>
        {shown.map(({ text, name, rows }) => (
          <span
            key={text}
            class={`bin ${text === 'failed' ? 'fails' : ''}`}
            title={`${name}: ${countText(rows)} ${rowsWord}`}
          >
            <small>{arePasses || rows === max ? countText(rows) : ''}</small>
            <i style={{ height: `${(rows / max) * 72}px` }} />
          </span>
        ))}
      </div>
      <p class="small faint bins-scale" aria-hidden="true">
        {arePasses ? (
          shown.map(({ name }) => <span key={name}>{name}</span>)
        ) : (
          <>
            <span>{endText(first?.from)}</span>
            <span>
              {mark === undefined ? null : <RunMark at={mark} />}
              {comparing.evaluation.meanOf(words.value.figureText(mean.text))}
            </span>
            <span>{endText(last?.to)}</span>
          </>
        )}
      </p>
    </div>
  );
}

function endText(end: number | undefined): string {
  return end === undefined ? '' : Number(end.toPrecision(4)).toLocaleString('en');
}

/** Mean and interval of each turn, a line a turn. */
function Turns({ metric, page }: MetricPictureProps) {
  const { evaluation } = words.value.comparing;
  const from = firstMark(page);
  const values = metric.runs.flatMap(({ turns }) =>
    turns.flatMap(({ mean, interval }) => [mean.value ?? 0, interval?.low ?? 0, interval?.high ?? 0]),
  );
  const [low, high] = [Math.min(0, ...values), Math.max(metric.scale.high <= 1 ? 1 : 0, ...values)];
  const share = (value: number): string => `${(((value - low) / (high - low || 1)) * 100).toFixed(2)}%`;
  return (
    <table class="turn-table">
      <tbody>
        {metric.runs.flatMap(({ run, turns }, at) =>
          turns.map(({ turn, mean, interval, scored }) => (
            <tr key={`${run} ${turn}`}>
              <th scope="row">
                {evaluation.turn} {turn}
              </th>
              <td class="turn-bar">
                <span class="interval-bar" aria-hidden="true">
                  {interval === undefined ? null : (
                    <i class="band" style={{ left: share(interval.low), right: share(high - (interval.high - low)) }} />
                  )}
                  {mean.value === null ? null : (
                    <span class="at" style={{ left: share(mean.value) }}>
                      <RunMark at={at + from} />
                    </span>
                  )}
                </span>
              </td>
              <td class="number">{words.value.figureText(mean.text)}</td>
              <td class="number small faint">
                <span class="one-line">{words.value.figureText(interval?.text ?? '')}</span> · n {countText(scored)}
              </td>
            </tr>
          )),
        )}
      </tbody>
    </table>
  );
}
