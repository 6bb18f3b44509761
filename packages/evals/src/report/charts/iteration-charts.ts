import type { MetricResult, ScoreSummary } from '../../eval-result/eval-result.ts';
import type { FamilyResult } from '../../eval-result/family-result.ts';
import { count, escapeMarkup } from '../markup.ts';
import { scoreText } from '../score-text.ts';
import { niceScale, round, type Scale } from './scale.ts';

const height = 170;
const [top, floor, left] = [22, 136, 40];

function widthOf(iterations: number): number {
  return Math.min(760, Math.max(260, left + 20 + iterations * 78));
}

/** A metric of a family by iteration: means joined by a line, each with its interval. */
export function metricByIteration(metric: MetricResult): string {
  const iterations = (metric.iterations ?? []).filter(({ mean }) => mean !== null);
  if (iterations.length === 0) return '';
  const width = widthOf(iterations.length);
  const values = iterations.flatMap(({ mean, interval }) => [
    mean ?? 0,
    ...(interval === undefined ? [] : [interval.low, interval.high]),
  ]);
  const y = niceScale(values, [floor, top]);
  const x = (at: number): number => round(left + 30 + (at * (width - left - 60)) / Math.max(1, iterations.length - 1));
  const line = iterations.map(({ mean }, at) => `${at === 0 ? 'M' : 'L'}${x(at)} ${y(mean ?? 0)}`).join('');
  const points = iterations.map((one, at) => point(one, x(at), y, metric));
  const label = iterations.map(({ iteration, mean }) => `${iteration}: ${scoreText(mean ?? 0, metric)}`).join(', ');
  return picture(
    width,
    [...grid(y, width, metric.kind), `<path class="line" d="${line}"/>`, ...points],
    `${metric.name} by iteration: ${label}`,
  );
}

function point(
  { iteration, mean, interval, scored }: ScoreSummary & { readonly iteration: number },
  x: number,
  y: Scale,
  metric: MetricResult,
): string {
  const at = y(mean ?? 0);
  const whisker =
    interval === undefined
      ? ''
      : `<line class="whisker" x1="${x}" x2="${x}" y1="${y(interval.high)}" y2="${y(interval.low)}"/>`;
  return `${whisker}<circle class="mean" cx="${x}" cy="${at}" r="4.5"/><text class="number" x="${x}" y="${round(Math.min(at, y(interval?.high ?? mean ?? 0)) - 8)}" text-anchor="middle">${escapeMarkup(scoreText(mean ?? 0, metric))}</text>${below(x, String(iteration), `n = ${scored}`)}`;
}

/** An agent by iteration: rows whose node ran, of them those that finished, and the share that was right by then. */
export function familyByIteration({ family, iterations }: FamilyResult): string {
  if (iterations.length === 0) return '';
  const width = widthOf(iterations.length);
  const y = niceScale(
    [...iterations.map(({ ran }) => ran), ...iterations.map(({ rightByNow }) => rightByNow ?? 0), 1.5],
    [floor, top],
  );
  const slot = (width - left - 10) / iterations.length;
  const bars = iterations.map(({ iteration, ran, finished }, at) => {
    const x = left + at * slot + slot / 2;
    const title = `iteration ${iteration}: ran in ${count(ran, 'row')}, ${finished} finished`;
    return `<g><title>${title}</title>${bar('ran', x, ran, y)}${bar('finished', x, finished, y)}</g><text class="number" x="${round(x)}" y="${y(ran) - 5}" text-anchor="middle">${ran}</text>${below(round(x), String(iteration), '')}`;
  });
  const right = iterations.flatMap(({ rightByNow }, at) =>
    rightByNow === undefined ? [] : [{ x: round(left + at * slot + slot / 2), y: y(rightByNow), rightByNow }],
  );
  const line = right.map((one, at) => `${at === 0 ? 'M' : 'L'}${one.x} ${one.y}`).join('');
  const dots = right.map(
    (one) =>
      `<circle class="mean" cx="${one.x}" cy="${one.y}" r="4.5"><title>${one.rightByNow} right by now</title></circle>`,
  );
  const drawn = [...grid(y, width), ...bars, ...(line === '' ? [] : [`<path class="line" d="${line}"/>`]), ...dots];
  return picture(width, drawn, `${family} by iteration`);
}

function bar(kind: 'ran' | 'finished', x: number, rows: number, y: Scale): string {
  const wide = kind === 'ran' ? 44 : 30;
  return `<rect class="${kind}" x="${round(x - wide / 2)}" y="${y(rows)}" width="${wide}" height="${round(floor - y(rows))}" rx="3"/>`;
}

function below(x: number, label: string, detail: string): string {
  const second =
    detail === '' ? '' : `<text class="tick" x="${x}" y="${floor + 31}" text-anchor="middle">${detail}</text>`;
  return `<text class="number" x="${x}" y="${floor + 17}" text-anchor="middle">${label}</text>${second}`;
}

function grid(y: Scale, width: number, kind?: MetricResult['kind']): readonly string[] {
  return y.ticks.map(
    (tick) =>
      `<line class="grid" x1="${left}" x2="${width - 6}" y1="${y(tick)}" y2="${y(tick)}"/><text class="tick" x="${left - 6}" y="${y(tick) + 4}" text-anchor="end">${scoreText(tick, kind === undefined ? {} : { kind })}</text>`,
  );
}

function picture(width: number, parts: readonly string[], label: string): string {
  return `<svg class="iterations" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeMarkup(label)}">${parts.join('')}</svg>`;
}
