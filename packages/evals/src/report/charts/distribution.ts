import type { MetricResult } from '../../eval-result/eval-result.ts';
import { rowMeans } from '../../score-run/summarize-scores.ts';
import { count, escapeMarkup } from '../markup.ts';
import { scoreText } from '../score-text.ts';
import { niceScale, round } from './scale.ts';

const [width, height] = [300, 120];
const floor = 96;

/** How the scores of rows lie: passed and failed as two bars, numbers as a histogram. */
export function distribution(metric: MetricResult): string {
  const { kind, scores } = metric;
  const means = [...rowMeans(scores).means];
  if (means.length === 0) return '';
  const isBinary = kind === 'pass' && means.every((mean) => mean === 0 || mean === 1);
  return isBinary ? twoBars(means) : histogram(means, metric);
}

function twoBars(means: readonly number[]): string {
  const passed = means.filter((mean) => mean === 1).length;
  const bars = [
    { label: 'failed', tone: 'is-bad', rows: means.length - passed, x: 45 },
    { label: 'passed', tone: 'is-good', rows: passed, x: 165 },
  ];
  const drawn = bars.map(({ label, tone, rows, x }) => {
    const tall = barHeight(rows, means.length);
    return `<rect class="bar ${tone}" x="${x}" y="${floor - tall}" width="90" height="${tall}" rx="3"/><text class="number" x="${x + 45}" y="${floor - tall - 5}" text-anchor="middle">${rows}</text><text class="tick" x="${x + 45}" y="${floor + 16}" text-anchor="middle">${label}</text>`;
  });
  return picture(drawn, `${passed} of ${count(means.length, 'row')} passed`);
}

const mostBins = 20;

function histogram(means: readonly number[], metric: MetricResult): string {
  const scale = niceScale(means, [10, width - 10]);
  const bins = Math.max(5, Math.min(mostBins, Math.ceil(2 * Math.cbrt(means.length))));
  const size = (scale.to - scale.from) / bins;
  const counts = new Array<number>(bins).fill(0);
  for (const mean of means) {
    const bin = Math.min(bins - 1, Math.floor((mean - scale.from) / size + 1e-9));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const most = Math.max(...counts);
  const bars = counts.map((rows, bin) => {
    const [left, right] = [scale(scale.from + bin * size), scale(scale.from + (bin + 1) * size)];
    const tall = barHeight(rows, most);
    const range = `${scoreText(scale.from + bin * size, metric)} to ${scoreText(scale.from + (bin + 1) * size, metric)}`;
    const number =
      rows === most
        ? `<text class="number" x="${round((left + right) / 2)}" y="${floor - tall - 5}" text-anchor="middle">${rows}</text>`
        : '';
    return rows === 0
      ? ''
      : `${number}<rect class="bar" x="${round(left + 0.5)}" y="${floor - tall}" width="${round(right - left - 1)}" height="${tall}" rx="1.5"><title>${range}: ${count(rows, 'row')}</title></rect>`;
  });
  const ticks = scale.ticks.map((tick, at) => {
    const anchor = at === 0 ? 'start' : at === scale.ticks.length - 1 ? 'end' : 'middle';
    return `<text class="tick" x="${scale(tick)}" y="${floor + 16}" text-anchor="${anchor}">${scoreText(tick, {})}</text>`;
  });
  const mean = metric.summary.mean ?? 0;
  const line = `<line class="center" x1="${scale(mean)}" x2="${scale(mean)}" y1="${floor - 60}" y2="${floor}"/>`;
  const low = Math.min(...means);
  const high = Math.max(...means);
  const label = `${count(means.length, 'row')} from ${scoreText(low, metric)} to ${scoreText(high, metric)}, mean ${scoreText(mean, metric)}`;
  return picture([...bars, line, ...ticks], label);
}

function barHeight(rows: number, most: number): number {
  return rows === 0 ? 0 : Math.max(2, round((rows / most) * (floor - 24)));
}

function picture(parts: readonly string[], label: string): string {
  const base = `<line class="axis" x1="8" x2="${width - 8}" y1="${floor + 0.5}" y2="${floor + 0.5}"/>`;
  return `<svg class="distribution" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeMarkup(label)}">${base}${parts.join('')}</svg>`;
}
