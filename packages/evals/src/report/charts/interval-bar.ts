import type { MetricResult } from '../../eval-result/eval-result.ts';
import { escapeMarkup } from '../markup.ts';
import { scoreText } from '../score-text.ts';
import { niceScale } from './scale.ts';

const [width, height, middle] = [180, 34, 12];

/** The mean of a metric as a dot on its interval, with the baseline as a hollow mark and the bounds of its gate as lines. */
export function intervalBar(metric: MetricResult): string {
  const { mean, interval } = metric.summary;
  if (mean === null) return '';
  const before = metric.comparison?.before;
  const bounds = gateBounds(metric.gate?.rule);
  const values = [mean, ...(interval === undefined ? [] : [interval.low, interval.high]), ...bounds];
  const scale = niceScale([...values, ...(before === undefined ? [] : [before])], [8, width - 8]);
  const axis = `<line class="axis" x1="${scale(scale.from)}" x2="${scale(scale.to)}" y1="${middle}" y2="${middle}"/>`;
  const ends = [scale.from, scale.to].map(
    (value, at) =>
      `<text class="tick" x="${scale(value)}" y="31" text-anchor="${at === 0 ? 'start' : 'end'}">${scoreText(value, { kind: metric.kind })}</text>`,
  );
  const parts = [
    axis,
    ...scale.ticks.map(
      (tick) => `<line class="axis" x1="${scale(tick)}" x2="${scale(tick)}" y1="${middle - 3}" y2="${middle + 3}"/>`,
    ),
    ...bounds.map(
      (bound) => `<line class="bound" x1="${scale(bound)}" x2="${scale(bound)}" y1="1" y2="${middle + 11}"/>`,
    ),
    ...(interval === undefined ? [] : [band(scale(interval.low), scale(interval.high))]),
    ...(before === undefined ? [] : [diamond(scale(before))]),
    `<circle class="mean" cx="${scale(mean)}" cy="${middle}" r="4.5"/>`,
    ...ends,
  ];
  return `<svg class="interval ${toneOf(metric)}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeMarkup(label(metric))}">${parts.join('')}</svg>`;
}

function band(low: number, high: number): string {
  return `<rect class="band" x="${low}" y="${middle - 5}" width="${Math.max(2, high - low)}" height="10" rx="5"/>`;
}

function diamond(x: number): string {
  return `<path class="before" d="M${x} ${middle - 6}L${x + 5} ${middle}L${x} ${middle + 6}L${x - 5} ${middle}Z"/>`;
}

function toneOf({ comparison, gate }: MetricResult): string {
  const verdict = comparison?.verdict;
  if (gate?.passed === false || verdict === 'worse') return 'is-bad';
  return verdict === 'better' || gate?.passed === true ? 'is-good' : 'is-plain';
}

/** Numbers of `min 0.95, max 3`. */
function gateBounds(rule: string | undefined): readonly number[] {
  return Array.from((rule ?? '').matchAll(/\b(?:min|max) (-?[\d.]+(?:e-?\d+)?)/g), ([, bound]) => Number(bound));
}

function label(metric: MetricResult): string {
  const { mean, interval } = metric.summary;
  const range =
    interval === undefined
      ? ''
      : `, 95 % interval ${scoreText(interval.low, metric)} to ${scoreText(interval.high, metric)}`;
  const before = metric.comparison === undefined ? '' : `, baseline ${scoreText(metric.comparison.before, metric)}`;
  return `mean ${mean === null ? 'none' : scoreText(mean, metric)}${range}${before}`;
}
