import type {
  EvalResult,
  MetricComparison,
  MetricResult,
  ScoreSummary,
  SlicedColumn,
} from '../eval-result/eval-result.ts';
import type { FirstBadGroup } from '../eval-result/first-bad-result.ts';
import { count, valueText } from './markup.ts';
import { pValueText, scoreText, signedText } from './score-text.ts';
import { sliceNotes, sliceText, sliceVerdictText } from './slice-text.ts';
import {
  changeText,
  isPassed,
  measuredAt,
  measureSentences,
  programText,
  verdictSentences,
  worseText,
} from './verdict-text.ts';

/** The evaluation for a pull request (GitHub's Markdown): the verdict, a table of metrics, what is worse, failing rows. */
export function stringifyMarkdown(result: EvalResult): string {
  const { name, metrics, run, rows, baseline } = result;
  const hasGates = metrics.some(({ gate }) => gate !== undefined);
  const mark = hasGates ? `${isPassed(result) ? '✅' : '❌'} ` : '';
  const sections = [
    `### ${mark}${inline(name)}`,
    [...verdictSentences(result), ...measureSentences(result)].map(inline).join(' '),
    metricsTable(result),
    ...slicedTables(result),
    reasons(metrics),
    worse(result),
    failing(result.firstBad),
    `<sub>run ${code(run.id)}, ${count(rows.total, 'row')}${baseline === undefined ? '' : `; baseline ${code(baseline.id)}`}</sub>`,
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function metricsTable({ metrics, baseline }: EvalResult): string {
  const isCompared = baseline !== undefined;
  const hasGates = metrics.some(({ gate }) => gate !== undefined);
  const titles = ['metric', 'measured at', 'mean', '95 % interval', 'scored'];
  const head = [...titles, ...(isCompared ? ['baseline', 'difference', 'verdict'] : []), ...(hasGates ? ['gate'] : [])];
  const rows = metrics.map((metric) => [
    inline(metric.name),
    code(measuredAt(metric)),
    ...summaryCells(metric, metric.summary),
    ...(isCompared ? comparisonCells(metric, metric.comparison) : []),
    ...(hasGates ? [gateCell(metric)] : []),
  ]);
  return tableOf(head, rows);
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map((title) => (isNumber.has(title) ? '--:' : '---')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** A table for each column by which scores are told apart. */
function slicedTables(result: EvalResult): readonly string[] {
  const { slices = [], baseline } = result;
  const method = sliceVerdictText(result);
  const titles = ['metric', 'rows', 'mean', '95 % interval', 'scored'];
  return slices.map((sliced) => {
    const [metric = '', ...others] = titles;
    const compared = baseline === undefined ? [] : ['baseline', 'difference', 'verdict'];
    const head = [metric, inline(sliced.column), ...others, ...compared];
    const rows = result.metrics.flatMap((one) => slicedRows(sliced, one, baseline !== undefined));
    const notes = [...sliceNotes(sliced, result), ...(method === undefined ? [] : [method])];
    const body = [...(rows.length === 0 ? [] : [tableOf(head, rows)]), ...notes.map(inline)].join('\n\n');
    return `<details><summary>By ${html(sliced.column)}</summary>\n\n${body}\n\n</details>`;
  });
}

function slicedRows(
  { slices }: SlicedColumn,
  metric: MetricResult,
  isCompared: boolean,
): readonly (readonly string[])[] {
  return slices.flatMap((slice) => {
    const found = slice.metrics.find(({ name }) => name === metric.name);
    if (found === undefined) return [];
    const scored = [String(slice.lines.length), ...summaryCells(metric, { ...found, errors: 0 })];
    const compared = isCompared ? comparisonCells(metric, found.comparison) : [];
    return [[inline(metric.name), inline(sliceText(slice)), ...scored, ...compared]];
  });
}

const isNumber: ReadonlySet<string> = new Set(['rows', 'mean', 'scored', 'baseline', 'difference']);

function summaryCells(
  metric: MetricResult,
  { mean, interval, scored, errors }: Pick<ScoreSummary, 'mean' | 'interval' | 'scored' | 'errors'>,
): readonly string[] {
  return [
    mean === null ? '–' : scoreText(mean, metric),
    interval === undefined ? '' : `${scoreText(interval.low, metric)} … ${scoreText(interval.high, metric)}`,
    `${scored}${errors === 0 ? '' : ` (${count(errors, 'error')})`}`,
  ];
}

function comparisonCells(metric: MetricResult, comparison: MetricComparison | undefined): readonly string[] {
  if (comparison === undefined) return ['–', '', 'not compared'];
  const { before, difference, verdict, adjustedPValue, rowsNeeded, flips } = comparison;
  const significance = verdict === 'same' ? '' : ` (${pValueText(adjustedPValue)})`;
  const needed = rowsNeeded === undefined ? '' : `, about ${rowsNeeded.toLocaleString('en')} rows would tell`;
  const turned = flips === undefined || verdict === 'same' ? '' : `; ${flips.fixed} fixed, ${flips.broken} broken`;
  const strong = verdict === 'worse' || verdict === 'better' ? `**${verdict}**` : verdict;
  return [scoreText(before, metric), signedText(difference, metric), `${strong}${significance}${turned}${needed}`];
}

function gateCell({ gate }: MetricResult): string {
  return gate === undefined ? '' : `${gate.passed ? '✅' : '❌'} ${inline(gate.rule)}`;
}

function reasons(metrics: readonly MetricResult[]): string {
  const failed = metrics.flatMap(({ name, gate }) =>
    gate?.passed === false ? [`- **${inline(name)}**: ${inline(gate.reason)}`] : [],
  );
  return failed.join('\n');
}

function worse({ comparison }: EvalResult): string {
  const { firstWorse = [], changes = [] } = comparison ?? {};
  const groups = firstWorse.map((group) => {
    const causes =
      group.causes === undefined || group.causes.length === 0 ? '' : `; cause: ${group.causes.map(code).join(', ')}`;
    return `- ${code(group.node)}: ${inline(worseText(group))} (${linesText(group.lines, group.rows)})${causes}`;
  });
  const program = comparison === undefined ? undefined : programText(comparison);
  const edits = [
    ...changes.map((change) => `- ${code(change.node)}: ${inline(changeText(change))}`),
    ...(program === undefined ? [] : [`- ${inline(program)}`]),
  ];
  return [
    ...(groups.length === 0 ? [] : ['**Got worse first at**', groups.join('\n')]),
    ...(edits.length === 0 ? [] : ['**Definitions that changed**', edits.join('\n')]),
  ].join('\n\n');
}

/** `rows 3, 7 and 10 more`. */
function linesText(lines: readonly number[], rows: number): string {
  const more = rows - lines.length;
  return `${rows === 1 ? 'row' : 'rows'} ${lines.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const examplesTold = 3;

function failing(groups: readonly FirstBadGroup[]): string {
  return groups
    .map(({ node, kind, rows, examples }) => {
      const items = examples.slice(0, examplesTold).map(({ line, repeat, expected, actual, reason }) => {
        const facts = [
          ...pair('expected', valueText(expected)),
          ...pair('actual', valueText(actual)),
          ...(reason === undefined ? [] : [inline(reason)]),
        ];
        return `- row ${line}${repeat === 0 ? '' : `/${repeat}`}: ${facts.join('; ')}`;
      });
      const title = `${html(node)}: ${html(kind)} (${count(rows, 'failing row')})`;
      return `<details><summary>${title}</summary>\n\n${items.join('\n')}\n\n</details>`;
    })
    .join('\n');
}

const maxInline = 300;

function pair(label: string, text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  const line = text.replaceAll(/\s+/g, ' ');
  return [`${label} ${code(line.length > maxInline ? `${line.slice(0, maxInline)}…` : line)}`];
}

function html(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A text as it is, where Markdown would make something of it. */
function inline(text: string): string {
  return html(text)
    .replaceAll(/[\\|*_~`[\]]/g, '\\$&')
    .replaceAll(/\s*\n\s*/g, ' ');
}

/** As code; a bar would end the cell of a table, whatever surrounds it. */
function code(text: string): string {
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const room = longest === 0 ? '' : ' ';
  return `${fence}${room}${text.replaceAll('|', '\\|').replaceAll('\n', ' ')}${room}${fence}`;
}
