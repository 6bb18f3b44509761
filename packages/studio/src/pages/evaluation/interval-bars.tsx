import type { MetricRow, RunScore } from '@unroll/project/studio-contract';
import { words } from '../../words/words.ts';
import { RunMark } from './run-mark.tsx';

export interface IntervalBarsProps {
  readonly metric: MetricRow;
  readonly nameOf: (run: string) => string;
  /** Place of the first run among the marks: 1 where the baseline stands before it. */
  readonly from: number;
}

/** Mean and interval of each run on one scale, a line a run; the figures stand beside it and in the accessible name. */
export function IntervalBars({ metric, nameOf, from }: IntervalBarsProps) {
  const { evaluation } = words.value.comparing;
  const { scale, bounds, runs, name } = metric;
  const before = from === 0 ? undefined : runs[0]?.difference?.before;
  const ofRuns = runs.map(({ run, mean, interval }) =>
    evaluation.interval(name, nameOf(run), mean.text, interval?.text ?? ''),
  );
  const ofBaseline = before === undefined ? [] : [`${words.value.baseline} ${before.text}`];
  const label = words.value.figureText([...ofRuns, ...ofBaseline].join('; '));
  return (
    <div class="interval-bars" role="img" aria-label={label}>
      {bounds.map((bound) => (
        <i key={bound} class="gate-line" style={{ left: share(bound, scale) }} />
      ))}
      {runs.map((score, at) => (
        <Bar key={score.run} score={score} at={at + from} scale={scale} before={before?.value ?? undefined} />
      ))}
    </div>
  );
}

interface BarProps {
  readonly score: RunScore;
  readonly at: number;
  readonly scale: MetricRow['scale'];
  /** Mean of the baseline. */
  readonly before: number | undefined;
}

function Bar({ score: { mean, interval }, at, scale, before }: BarProps) {
  const left = interval === undefined ? undefined : share(interval.low, scale);
  const right = interval === undefined ? undefined : share(scale.high - (interval.high - scale.low), scale);
  return (
    <span class="interval-bar">
      {left === undefined ? null : <i class="band" style={{ left, right }} />}
      {before === undefined ? null : (
        <span class="at" style={{ left: share(before, scale) }}>
          <RunMark at={0} />
        </span>
      )}
      {mean.value === null ? null : (
        <span class="at" style={{ left: share(mean.value, scale) }}>
          <RunMark at={at} />
        </span>
      )}
    </span>
  );
}

/** Where a value stands on the scale, in per cent of its width. */
function share(value: number, { low, high }: MetricRow['scale']): string {
  const part = high === low ? 0 : (value - low) / (high - low);
  return `${Math.min(100, Math.max(0, part * 100)).toFixed(2)}%`;
}
