import type { EvalResult, MetricResult } from '../eval-result/eval-result.ts';
import type { FailingRow, FirstBadGroup } from '../eval-result/first-bad-result.ts';
import { count, escapeMarkup, valueText } from './markup.ts';
import { scoreText } from './score-text.ts';
import { unscoredText } from './unscored-text.ts';
import { measuredAt, verdictSentences } from './verdict-text.ts';

/**
 * The evaluation as JUnit XML, as Jenkins, GitLab, Azure Pipelines and the GitHub actions read it: a test case a metric,
 * failed where its gate fails, skipped where nothing is scored. Failing rows stand in the text of the failure.
 *
 * The form is that of github.com/testmoapp/junitxml.
 */
export function stringifyJunit(result: EvalResult): string {
  const { name, metrics, run } = result;
  const failures = metrics.filter(({ gate }) => gate?.passed === false).length;
  const skipped = metrics.filter(isSkipped).length;
  const counts = `tests="${metrics.length}" failures="${failures}" errors="0" skipped="${skipped}"`;
  const time = `time="${seconds(run.durationMs)}"`;
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escapeMarkup(name)}" ${counts} ${time}>`,
    `  <testsuite name="${escapeMarkup(name)}" ${counts} ${time} timestamp="${new Date(run.startedAt).toISOString().slice(0, 19)}">`,
    '    <properties>',
    ...propertiesOf(result).map(
      ([key, value]) => `      <property name="${escapeMarkup(key)}" value="${escapeMarkup(value)}"/>`,
    ),
    '    </properties>',
    ...metrics.flatMap((metric) => testCase(metric, result)),
    `    <system-out>${escapeMarkup(verdictSentences(result).join('\n'))}</system-out>`,
    '  </testsuite>',
    '</testsuites>',
    '',
  ];
  return lines.join('\n');
}

/** A metric takes as long as what it measures; several may measure the same. */
function seconds(durationMs = 0): string {
  return String(durationMs / 1000);
}

function isSkipped({ gate, summary }: MetricResult): boolean {
  return gate === undefined && summary.mean === null;
}

function propertiesOf({ run, rows, baseline }: EvalResult): readonly (readonly [string, string])[] {
  return [
    ['run', run.id],
    ['flow', run.flow],
    ['rows', String(rows.total)],
    ...(baseline === undefined ? [] : [['baseline', baseline.id] as const]),
  ];
}

function testCase(metric: MetricResult, result: EvalResult): readonly string[] {
  const { name, gate, summary } = metric;
  const head = `classname="${escapeMarkup(`${result.name}.${measuredAt(metric)}`)}" name="${escapeMarkup(name)}" time="${seconds(metric.durationMs)}"`;
  const out = `      <system-out>${escapeMarkup(meanText(metric))}</system-out>`;
  if (isSkipped(metric)) {
    const why = summary.unscored.map(unscoredText).join(', ');
    return [
      `    <testcase ${head}>`,
      `      <skipped message="${escapeMarkup(`nothing is scored (${why})`)}"/>`,
      '    </testcase>',
    ];
  }
  if (gate?.passed !== false) return [`    <testcase ${head}>`, out, '    </testcase>'];
  const body = [gate.reason, ...failureLines(metric, result)].join('\n');
  return [
    `    <testcase ${head}>`,
    `      <failure message="${escapeMarkup(gate.reason)}" type="${escapeMarkup(gate.rule)}">${escapeMarkup(body)}</failure>`,
    out,
    '    </testcase>',
  ];
}

function meanText(metric: MetricResult): string {
  const { mean, interval, scored } = metric.summary;
  if (mean === null) return 'nothing is scored';
  const range =
    interval === undefined
      ? ''
      : `, 95 % interval ${scoreText(interval.low, metric)} to ${scoreText(interval.high, metric)}`;
  return `mean ${scoreText(mean, metric)}${range}, ${count(scored, 'score')}`;
}

function failureLines({ name }: MetricResult, result: EvalResult): readonly string[] {
  const sentences = verdictSentences(result).filter((sentence) => !/gates? |compared with/.test(sentence));
  const groups = result.firstBad.filter(({ kind }) => kind === name);
  return [...sentences, ...groups.flatMap(groupLines)];
}

function groupLines({ node, kind, rows, examples }: FirstBadGroup): readonly string[] {
  return ['', `${node}, ${kind}: ${count(rows, 'row')}`, ...examples.slice(0, 5).flatMap(exampleLines)];
}

function exampleLines({ line, repeat, expected, actual, reason }: FailingRow): readonly string[] {
  const facts = [
    ['expected', valueText(expected)],
    ['actual', valueText(actual)],
    ['reason', reason],
  ] as const;
  const row = repeat === 0 ? `row ${line}` : `row ${line}, repetition ${repeat}`;
  return [row, ...facts.flatMap(([label, text]) => (text === undefined ? [] : [`  ${label}: ${text}`]))];
}
