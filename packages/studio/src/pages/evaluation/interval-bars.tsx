import type { MetricRow, RunScore } from '@unroll/project/studio-contract';
import { words } from '../../words/words.ts';
import { RunMark } from './run-mark.tsx';

export interface IntervalBarsProps {
  readonly metric: MetricRow;
  readonly nameOf: (run: string) => string;
}

/** Mean and interval of each run on one scale, a line a run; the figures stand beside it and in the accessible name. */
export function IntervalBars({ metric, nameOf }: IntervalBarsProps) {
  const { evaluation } = words.value.comparing;
  const { scale, gateAt, runs, name } = metric;
  const label = runs
    .map(({ run, mean, interval }) => evaluation.interval(name, nameOf(run), mean.text, interval?.text ?? ''))
    .join('; ');
  return (
    <div class="interval-bars" role="img" aria-label={label}>
      {gateAt === undefined ? null : <i class="gate-line" style={{ left: share(gateAt, scale) }} />}
      {runs.map((score, at) => (
        <Bar key={score.run} score={score} at={at} scale={scale} />
      ))}
    </div>
  );
}

interface BarProps {
  readonly score: RunScore;
  readonly at: number;
  readonly scale: MetricRow['scale'];
}

function Bar({ score: { mean, interval }, at, scale }: BarProps) {
  const left = interval === undefined ? undefined : share(interval.low, scale);
  const right = interval === undefined ? undefined : share(scale.high - (interval.high - scale.low), scale);
  return (
    <span class="interval-bar">
      {left === undefined ? null : <i class="band" style={{ left, right }} />}
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
