import type { MetricChip, RunPage } from '@unroll/project/studio-contract';
import { broken } from '../../parts/broken-name.tsx';
import { countText } from '../../parts/count.ts';
import { FigureText } from '../../parts/figure-text.tsx';
import { Mark } from '../../parts/mark.tsx';
import { placeAddress } from '../../route/view.ts';
import { words } from '../../words/words.ts';

export interface RunFactsProps {
  readonly page: RunPage;
}

/** Metrics with their gates, what nodes logged, then the figures of the run in a line. */
export function RunFacts({ page: { metrics, logged, facts, evaluationProblem } }: RunFactsProps) {
  const { gatesAndMetrics, loggedMetrics, facts: names } = words.value;
  return (
    <>
      {metrics.length === 0 ? null : (
        <ul class="gates" aria-label={gatesAndMetrics}>
          {metrics.map((metric) => (
            <li key={metric.name}>
              <Metric metric={metric} />
            </li>
          ))}
        </ul>
      )}
      {evaluationProblem === undefined ? null : <p class="quiet small">{words.value.toldProblem(evaluationProblem)}</p>}
      {logged.length === 0 ? null : (
        <dl class="facts run-facts" aria-label={loggedMetrics}>
          {logged.map(({ name, text }) => (
            <div key={name}>
              <dt>{broken(name)}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      )}
      <dl class="facts run-facts">
        {facts.map(({ name, figure, note }) => (
          <div key={name}>
            <dt>{names[name] ?? name}</dt>
            <dd>
              <FigureText figure={figure} isWhyShown={true} />
              {note === undefined ? null : <small> {note}</small>}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function Metric({ metric: { name, mean, gate, interval, lacking, trend, to, on } }: { readonly metric: MetricChip }) {
  const { passes, doesNotPass, withoutScore, trend: trends } = words.value;
  const isBad = gate?.passed === false;
  // A mean that meets its bound does not tell why the gate fails.
  const missing = isBad && lacking !== undefined ? withoutScore(countText(lacking)) : undefined;
  const notes = [
    gate?.rule ?? interval?.text,
    missing,
    trend === undefined || trend === 'same' ? undefined : trends[trend],
  ];
  const content = (
    <>
      {gate === undefined ? (
        <span />
      ) : (
        <Mark shape={isBad ? 'does-not-pass' : 'passes'} label={isBad ? doesNotPass : passes} />
      )}
      <span>{broken(name)}</span>
      <b class={isBad ? 'bad' : ''}>{words.value.figureText(mean.text)}</b>
      <span class="faint small">{words.value.figureText(notes.filter(Boolean).join(' · '))}</span>
    </>
  );
  const title = [on === 'row' ? words.value.comparing.evaluation.wholeRow : on, gate?.reason]
    .filter(Boolean)
    .join('\n');
  if (to === undefined)
    return (
      <span class="gate" title={title}>
        {content}
      </span>
    );
  return (
    <a class="gate" href={placeAddress(to)} title={title}>
      {content}
    </a>
  );
}
