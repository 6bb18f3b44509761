import type { EvalResult, MetricResult } from '../eval-result/eval-result.ts';
import { intervalBar } from './charts/interval-bar.ts';
import { count, escapeMarkup } from './markup.ts';
import { numberText, pValueText, scoreText, signedText } from './score-text.ts';
import { unscoredText } from './unscored-text.ts';
import { measuredAt } from './verdict-text.ts';

/** The table of all metrics: means with their intervals drawn, the comparison, the gates. */
export function metricsTable({ metrics, baseline }: EvalResult): string {
  const isCompared = baseline !== undefined;
  const hasGates = metrics.some(({ gate }) => gate !== undefined);
  const head = [
    '<th scope="col">metric</th><th scope="col" class="number">mean</th><th scope="col">95 % interval</th><th scope="col" class="number">scored</th>',
    isCompared ? '<th scope="col" class="number">difference</th><th scope="col">compared with the baseline</th>' : '',
    hasGates ? '<th scope="col">gate</th>' : '',
  ].join('');
  const rows = metrics.map((metric) => row(metric, isCompared, hasGates));
  const table = `<table class="metrics" role="table"><thead><tr role="row">${head}</tr></thead>\n<tbody>\n${rows.join('\n')}\n</tbody></table>`;
  return `<div class="wide" role="region" aria-label="Metrics" tabindex="0">${table}</div>\n${legend(isCompared, metrics)}`;
}

function row(metric: MetricResult, isCompared: boolean, hasGates: boolean): string {
  const { name, evaluator, summary } = metric;
  const { mean, scored, unscored } = summary;
  const left = [...unscored.map(unscoredText), ...nothingText(metric)].join(', ');
  return [
    `<tr role="row"><th scope="row" role="rowheader">${escapeMarkup(name)}<span class="on">${escapeMarkup(evaluator)} at <code>${brokenAtDots(metric.on === '' ? measuredAt(metric) : metric.on)}</code></span></th>`,
    `<td role="cell" data-label="mean" class="number">${mean === null ? '–' : escapeMarkup(scoreText(mean, metric))}${metric.better === 'lower' ? '<span class="note">less is better</span>' : ''}</td>`,
    `<td role="cell" data-label="95 % interval">${intervalBar(metric)}</td>`,
    `<td role="cell" data-label="scored" class="number scored">${scored.toLocaleString('en')}${left === '' ? '' : `<span class="note">${escapeMarkup(left)}</span>`}</td>`,
    isCompared ? comparisonCells(metric) : '',
    hasGates ? gateCell(metric) : '',
    '</tr>',
  ].join('');
}

function nothingText({ nothingAt }: MetricResult): readonly string[] {
  return nothingAt === undefined ? [] : ['nothing stands there in any row'];
}

/** A path breaks behind a dot before it breaks anywhere. */
function brokenAtDots(path: string): string {
  return escapeMarkup(path).replaceAll(/\.(?=\w)/g, '.<wbr>');
}

function comparisonCells(metric: MetricResult): string {
  const { comparison } = metric;
  if (comparison === undefined)
    return '<td role="cell"></td><td role="cell"><span class="note">not in the baseline</span></td>';
  const { before, difference, interval, adjustedPValue, verdict, rowsNeeded, flips, pairs, lost } = comparison;
  const range =
    interval === undefined || verdict === 'same'
      ? ''
      : `<span class="note">${signedText(interval.low, metric)} … ${signedText(interval.high, metric)}</span>`;
  const tone = verdict === 'worse' ? ' is-bad' : verdict === 'better' ? ' is-good' : '';
  const notes = [
    `${scoreText(before, metric)} over ${count(pairs, 'row')} before`,
    ...(verdict === 'same' ? [] : [pValueText(adjustedPValue)]),
    ...(flips === undefined || flips.fixed + flips.broken === 0
      ? []
      : [`${flips.fixed} fixed, ${flips.broken} broken`]),
    ...(lost === undefined ? [] : [`${count(lost, 'row')} scored before, not now`]),
    ...(rowsNeeded === undefined ? [] : [`about ${numberText(rowsNeeded)} rows would tell`]),
  ];
  return `<td role="cell" data-label="difference" class="number">${signedText(difference, metric)}${range}</td><td role="cell" data-label="compared with the baseline" class="why"><span class="tone${tone}">${mark(verdict)}${verdict === 'same' ? 'the same in every row' : verdict}</span><span class="note">${escapeMarkup(notes.join('; '))}</span></td>`;
}

function mark(verdict: string): string {
  return verdict === 'worse' ? '▼ ' : verdict === 'better' ? '▲ ' : '';
}

function gateCell({ gate }: MetricResult): string {
  if (gate === undefined) return '<td role="cell"></td>';
  const word = gate.passed ? '<span class="tone is-good">✓ passes</span>' : '<span class="tone is-bad">✗ fails</span>';
  return `<td role="cell" data-label="gate" class="why">${word}<span class="note">${escapeMarkup(gate.rule)}</span>${gate.passed ? '' : `<span class="note">${escapeMarkup(gate.reason)}</span>`}</td>`;
}

function legend(isCompared: boolean, metrics: readonly MetricResult[]): string {
  const small = (inside: string): string =>
    `<svg viewBox="0 0 26 22" width="26" height="22" aria-hidden="true">${inside}</svg>`;
  const items = [
    `${small('<rect class="band" x="2" y="6" width="22" height="10" rx="5"/><circle class="mean" cx="13" cy="11" r="4.5"/>')}mean and its 95 % interval`,
    ...(isCompared ? [`${small('<path class="before" d="M13 5L18 11L13 17L8 11Z"/>')}baseline, same rows`] : []),
    ...(metrics.some(({ gate }) => /\b(min|max) /.test(gate?.rule ?? ''))
      ? [`${small('<line class="bound" x1="13" x2="13" y1="2" y2="20"/>')}bound of the gate`]
      : []),
  ];
  const tests = isCompared
    ? '<p class="facts">Compared row by row: McNemar\'s exact test for pass metrics, a permutation test for numbers; p values and intervals adjusted over all metrics (Benjamini and Hochberg, Benjamini and Yekutieli). Better or worse where the interval leaves 0 out, which is where p is below 0.05.</p>'
    : '';
  return `<p class="legend">${items.map((item) => `<span>${item}</span>`).join('')}</p>${tests}`;
}
