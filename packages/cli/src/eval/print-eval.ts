import {
  type EvalResult,
  gateSentence,
  type MetricResult,
  metricsWithoutScores,
  nothingAtText,
  type ScoreSummary,
  scoreText,
  unscoredText as unscoredRowsText,
  verdictSentences,
} from '@unroll/evals';
import { formatCount } from '@unroll/project/words';
import type { Style } from '../text/style.ts';
import { type Cell, table } from '../text/table.ts';
import { comparisonCell } from './comparison-cell.ts';
import { narrowed } from './narrow-table.ts';
import { slicesText } from './print-slices.ts';
import { familiesText, firstBadText } from './print-views.ts';

interface EvalLayout {
  /** The run as a further command names it. */
  readonly run: string;
  /** The same of a run of a judge, by its id. */
  readonly judgeRun: (id: string) => string;
  /** Cells of the terminal; undefined where there is none. */
  readonly width?: number | undefined;
}

/** An evaluation for people: what was scored, a line a metric, what has no score, what the gates say. */
export function evalText(result: EvalResult, style: Style, { run, judgeRun, width }: EvalLayout): string {
  const cells = result.metrics.map((metric) => metricCells(metric, style));
  const fitted = width === undefined ? { columns, rows: cells } : narrowed(columns, cells, width);
  return [
    headText(result, style),
    table(fitted.columns, fitted.rows, style.dim),
    unscoredText(result, style),
    nothingText(result, style),
    judgesText(result, judgeRun, style),
    slicesText(result, style, width),
    familiesText(result, style),
    firstBadText(result, run, style),
    gatesText(result, style),
    lackingText(result, style),
    comparedText(result, style),
    `${style.dim('next')}  flow show ${run}\n`,
  ]
    .filter((part) => part !== '')
    .join('');
}

function headText({ name, run, rows }: EvalResult, style: Style): string {
  const facts = [
    rowsText(rows, style),
    rows.failed === 0 ? '' : style.bad(`${formatCount(rows.failed)} failed`),
    rows.unfinished === 0 ? '' : style.warn(`${formatCount(rows.unfinished)} unfinished`),
    rows.repeats === 1 ? '' : `each run ${rows.repeats} times`,
  ];
  return `${style.strong(name)}  ${style.dim(run.id)}  ${facts.filter((fact) => fact !== '').join(', ')}\n\n`;
}

function rowsText({ total, planned }: EvalResult['rows'], style: Style): string {
  if (planned !== undefined) return style.warn(`only ${formatCount(total)} of ${formatCount(planned)} rows were run`);
  return `${formatCount(total)} ${total === 1 ? 'row' : 'rows'}`;
}

const columns = [
  { title: 'metric', least: 16 },
  { title: 'on', least: 10, leavesAt: 2 },
  { title: 'evaluator', leavesAt: 1 },
  { title: 'mean', isNumber: true },
  { title: '95 %' },
  { title: 'n', isNumber: true },
  { title: 'unscored', isNumber: true },
  { title: 'compared', leavesAt: 3 },
  // Its mark is enough: the gates that are not met stand below the table.
  { title: 'gate', least: 4 },
];

function metricCells(metric: MetricResult, style: Style): readonly Cell[] {
  const { name, on, evaluator, summary, gate } = metric;
  const left = summary.unscored.reduce((sum, { count }) => sum + count, 0);
  return [
    { text: name, paint: gate?.passed === false ? style.bad : style.name },
    { text: on },
    { text: evaluator },
    { text: meanText(metric), paint: style.strong },
    { text: intervalText(metric) },
    { text: formatCount(summary.scored) },
    { text: left === 0 ? '' : formatCount(left), paint: summary.errors > 0 ? style.bad : style.warn },
    comparisonCell(metric.comparison, metric, style),
    gate === undefined ? { text: '' } : gateCell(gate.passed, gate.rule, style),
  ];
}

function gateCell(passed: boolean, rule: string, style: Style): Cell {
  return passed ? { text: `✓ ${rule}`, paint: style.good } : { text: `✗ ${rule}`, paint: style.bad };
}

function meanText(metric: MetricResult): string {
  const { mean } = metric.summary;
  return mean === null ? '–' : scoreText(mean, metric);
}

function intervalText(metric: MetricResult): string {
  const { interval } = metric.summary;
  return interval === undefined ? '' : `${scoreText(interval.low, metric)} – ${scoreText(interval.high, metric)}`;
}

function unscoredText({ metrics }: EvalResult, style: Style): string {
  const lines = metrics.flatMap(({ name, summary }) =>
    summary.unscored.length === 0 ? [] : [`  ${style.name(name)}  ${reasonsText(summary)}\n`],
  );
  return lines.length === 0 ? '' : `\n${style.strong('without a score')}\n${lines.join('')}`;
}

function nothingText({ metrics }: EvalResult, style: Style): string {
  const lines = metrics.flatMap((metric) => {
    const text = nothingAtText(metric);
    return text === undefined ? [] : [`  ${style.name(metric.name)}  ${text}\n`];
  });
  return lines.length === 0 ? '' : `\n${style.strong('looks at nothing')}\n${lines.join('')}`;
}

function reasonsText({ unscored }: ScoreSummary): string {
  return unscored.map(unscoredRowsText).join(', ');
}

function gatesText(result: EvalResult, style: Style): string {
  const [sentence] = gateSentence(result);
  if (sentence === undefined) return '\n';
  const lines = result.metrics.flatMap(({ name, gate }) =>
    gate?.passed === false ? [`  ${style.bad(name)}  ${gate.rule}: ${gate.reason}\n`] : [],
  );
  return `\n${lines.length === 0 ? style.good('✓') : style.bad('✗')} ${sentence}\n${lines.join('')}`;
}

function lackingText(result: EvalResult, style: Style): string {
  const names = metricsWithoutScores(result).map(({ name }) => style.bad(name));
  return names.length === 0 ? '' : `${style.bad('✗')} Not one row could be scored: ${names.join(', ')}.\n`;
}

/** What the comparison comes to, with the first bad node and its cause. */
function comparedText(result: EvalResult, style: Style): string {
  const { baseline } = result;
  if (baseline === undefined) return '';
  const sentences = verdictSentences(result).slice(gateSentence(result).length);
  return [`${style.strong('compared with')} ${baseline.id}`, ...sentences.map((one) => `  ${one}`), ''].join('\n');
}

/** Where what judges said can be read. */
function judgesText({ metrics }: EvalResult, judgeRun: EvalLayout['judgeRun'], style: Style): string {
  const judged = metrics.flatMap(({ name, judgedBy }) => (judgedBy === undefined ? [] : [{ name, judgedBy }]));
  if (judged.length === 0) return '';
  const lines = judged.map(
    ({ name, judgedBy }) => `  ${style.name(name)}  ${style.dim(`flow show ${judgeRun(judgedBy)}`)}\n`,
  );
  return `\n${style.strong('judged in')}\n${lines.join('')}`;
}
