import type { JsonValue, RowId } from '@unroll/engine';
import { padWidth, textWidth } from '@unroll/engine/text-width';
import { type ChangeKind, reasonText } from '@unroll/evals';
import type { DiffReport, MetricDiff, NodeReport, ReportedRun, RowReport } from '@unroll/project';
import { summarizeValue } from '@unroll/project/words';
import { statusWord } from '../text/status-mark.ts';
import type { Paint, Style } from '../text/style.ts';
import { table } from '../text/table.ts';
import { failuresText, kindsText, nodeTitle } from './kind-text.ts';
import { paintChanges } from './paint-changes.ts';

export interface TextOptions {
  readonly style: Style;
  readonly columns: number;
  /** How many places of one value are told. */
  readonly limit: number;
}

/** The whole report for a terminal. */
export function stringifyText(report: DiffReport, options: TextOptions): string {
  const { style } = options;
  const sections = [
    headText(report, style),
    `${style.strong(report.verdict)}\n`,
    metricsText(report, options),
    report.isSame && report.nodes.every(({ changedParts }) => (changedParts ?? []).length === 0)
      ? ''
      : nodesTable(report, style),
    ...report.rows.map((row) => rowText(row, options)),
    restText(report, style),
  ];
  return sections.filter((section) => section !== '').join('\n');
}

function headText(report: DiffReport, style: Style): string {
  const { left, right, diff } = report;
  const { paired, left: leftRows, right: rightRows } = diff.rows;
  const by = { key: `by ${report.key ?? 'key'}`, content: 'by what went in', line: 'by line' }[report.pairedBy];
  const rows = `${paired} of ${leftRows === rightRows ? leftRows : `${leftRows} and ${rightRows}`} rows compared, paired ${by}`;
  const run = (letter: string, one: ReportedRun): string =>
    `${style.strong(letter)} ${runName(one, report)}  ${style.dim(one.flowPath)}\n`;
  return `${run('A', left)}${run('B', right)}${style.dim(rows)}\n`;
}

/** Two records of one name are told by their files. */
export function runName({ id, path }: ReportedRun, { left, right }: DiffReport): string {
  return left.id === right.id ? path : id;
}

/** Columns of a name: code may log by any text. */
const longestName = 40;

/** What nodes over all rows logged, where it differs. */
function metricsText({ metrics }: DiffReport, { style, columns }: TextOptions): string {
  const names = metrics.map(({ name }) => summarizeValue(name, longestName));
  const width = Math.max(...names.map(textWidth));
  const room = Math.max(20, Math.floor((columns - width - 9) / 2));
  return metrics
    .map((one, at) => `${style.dim('metric')}  ${padWidth(names[at] ?? '', width)}  ${metricChange(one, room)}\n`)
    .join('');
}

/** `3.0 → 6.0`. */
export function metricChange({ left, right }: MetricDiff, room: number): string {
  const side = (value: JsonValue | undefined): string => (value === undefined ? 'none' : summarizeValue(value, room));
  return `${side(left)} → ${side(right)}`;
}

function nodesTable({ nodes }: DiffReport, style: Style): string {
  const columns = [
    { title: 'node' },
    { title: 'same', isNumber: true },
    { title: 'changed', isNumber: true },
    { title: 'failed in' },
    { title: 'kind' },
    { title: 'why' },
  ];
  const rows = nodes.map((node) => {
    const paint = paintOf(mainKind(node.kinds), style);
    return [
      { text: nodeTitle(node), paint: node.changed > 0 ? paint : undefined },
      { text: String(node.same) },
      { text: node.changed === 0 ? '' : String(node.changed), paint },
      { text: failuresText(node), paint: style.bad },
      { text: kindsText(node), paint },
      { text: reasonText(node) },
    ];
  });
  return table(columns, rows, style.dim);
}

function mainKind(kinds: Readonly<Partial<Record<ChangeKind, number>>>): ChangeKind | undefined {
  return (['cause', 'both', 'unknown', 'input', 'effect', 'noise'] as const).find((kind) => (kinds[kind] ?? 0) > 0);
}

function paintOf(kind: ChangeKind | undefined, style: Style): Paint {
  if (kind === 'cause' || kind === 'both') return style.bad;
  if (kind === 'noise' || kind === 'unknown') return style.warn;
  return kind === undefined ? style.dim : style.name;
}

/** `3`, `3 → 5` where the rows stand at other places, `3 (2nd time)` of a repetition. */
export function rowName({ left, right }: { readonly left: RowId; readonly right: RowId }): string {
  const repeat = left.repeat === 0 ? '' : `, repetition ${left.repeat}`;
  return `row ${left.line === right.line ? left.line : `${left.line} → ${right.line}`}${repeat}`;
}

function rowText(row: RowReport, options: TextOptions): string {
  const { style, columns } = options;
  const about = style.dim(summarizeValue(row.inputs, Math.max(20, columns - 16)));
  const lines = [
    `${style.strong(rowName(row))}  ${about}`,
    ...(row.inputChanges.length === 0 ? [] : section('inputs', '', paintChanges(row.inputChanges, options), options)),
    ...row.nodes.flatMap((node) => nodeLines(node, options)),
    ...othersLine(row, style),
    ...(row.ended === undefined ? [] : [`  row ${row.ended.left} → ${row.ended.right}`]),
    ...(row.outputChanges.length === 0
      ? []
      : section('outputs', '', paintChanges(row.outputChanges, options), options)),
  ];
  return `${lines.join('\n')}\n`;
}

function nodeLines(node: NodeReport, options: TextOptions): readonly string[] {
  const { style } = options;
  const [was, is] = [node.left.status, node.right.status];
  const ended =
    was === is
      ? ''
      : `  ${was === undefined ? 'no record' : statusWord(was)} → ${is === undefined ? 'no record' : statusWord(is)}`;
  const changes = [...paintChanges(node.promptChanges, options), ...paintChanges(node.changes, options)];
  const lines = changes.length === 0 && was === is ? [style.dim('only the order of keys differs')] : changes;
  return section(paintOf(node.kind, style)(node.node), `${node.kind}: ${style.dim(node.why)}${ended}`, lines, options);
}

function section(title: string, about: string, lines: readonly string[], _options: TextOptions): readonly string[] {
  const indented = lines.flatMap((line) => line.split('\n').map((part) => `    ${part}`.trimEnd()));
  return [`  ${[title, about].filter((part) => part !== '').join('  ')}`, ...indented];
}

function othersLine({ others }: RowReport, style: Style): readonly string[] {
  if (others.length === 0) return [];
  return [`  ${style.dim(`also: ${others.map(({ node, kind }) => `${node} (${kind})`).join(', ')}`)}`];
}

function restText({ rows, rowsFound, onlyLeft, onlyRight, diff }: DiffReport, style: Style): string {
  const more = rowsFound - rows.length;
  const lines = [
    ...(more > 0
      ? [`${more} more ${more === 1 ? 'row differs' : 'rows differ'}; --rows ${Math.min(rowsFound, 1000)} shows them`]
      : []),
    ...onlyText('A', diff.rows.onlyLeft, onlyLeft),
    ...onlyText('B', diff.rows.onlyRight, onlyRight),
  ];
  return lines.map((line) => `${style.dim(line)}\n`).join('');
}

/** The rows that only one run has, the first ones by name. */
function onlyText(run: string, count: number, rows: readonly RowId[]): readonly string[] {
  if (count === 0) return [];
  const named = rows.map(({ line, repeat }) => (repeat === 0 ? `${line}` : `${line}.${repeat}`)).join(', ');
  return [
    `only in ${run}: ${count === 1 ? 'row' : 'rows'} ${named}${count > rows.length ? ` and ${count - rows.length} more` : ''}`,
  ];
}
