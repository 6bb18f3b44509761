import { reasonText, type ValueChange } from '@unroll/evals';
import type { DiffReport, NodeReport, RowReport } from '@unroll/project';
import { summarizeValue } from '@unroll/project/words';
import { changeHtml, escapeHtml } from './html-parts.ts';
import { failuresText, kindsText, nodeTitle } from './kind-text.ts';
import { metricChange, rowName, runName } from './stringify-text.ts';

/** The report for a pull request: a table, and each row behind a fold. */
export function stringifyMarkdown(report: DiffReport, limit: number): string {
  const { left, right } = report;
  const rest = report.rowsFound - report.rows.length;
  const blocks = [
    `**${escapeMarkdown(report.verdict)}**`,
    `A \`${runName(left, report)}\` (${escapeMarkdown(left.flowPath)}), B \`${runName(right, report)}\` (${escapeMarkdown(right.flowPath)})`,
    ...(report.metrics.length === 0 ? [] : [metricsTable(report)]),
    nodesTable(report),
    ...report.rows.map((row) => rowBlock(row, limit)),
    ...(rest > 0 ? [`${rest} more ${rest === 1 ? 'row differs' : 'rows differ'}.`] : []),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function metricsTable({ metrics }: DiffReport): string {
  const rows = metrics.map((one) => `| ${escapeMarkdown(one.name)} | ${escapeMarkdown(metricChange(one, 60))} |`);
  return ['| metric | A → B |', '|---|---|', ...rows].join('\n');
}

function nodesTable({ nodes }: DiffReport): string {
  const rows = nodes.map((node) => [
    nodeTitle(node),
    String(node.same),
    node.changed === 0 ? '' : String(node.changed),
    failuresText(node),
    kindsText(node),
    reasonText(node),
  ]);
  const head = '| node | same | changed | failed in | kind | why |\n|---|---:|---:|---|---|---|';
  return [head, ...rows.map((cells) => `| ${cells.map(escapeMarkdown).join(' | ')} |`)].join('\n');
}

function rowBlock(row: RowReport, limit: number): string {
  const about = escapeHtml(summarizeValue(row.inputs, 100));
  const items = [
    ...changeItems('inputs', row.inputChanges, limit),
    ...row.nodes.flatMap((node) => nodeItems(node, limit)),
    ...(row.ended === undefined
      ? []
      : [`- row: ${escapeMarkdown(row.ended.left)} → ${escapeMarkdown(row.ended.right)}`]),
    ...changeItems('outputs', row.outputChanges, limit),
    ...(row.others.length === 0
      ? []
      : [`- also: ${row.others.map(({ node, kind }) => `${escapeMarkdown(node)} (${kind})`).join(', ')}`]),
  ];
  return `<details><summary>${rowName(row)} ${about}</summary>\n\n${items.join('\n')}\n\n</details>`;
}

function nodeItems(node: NodeReport, limit: number): readonly string[] {
  const [was = 'no record', is = 'no record'] = [node.left.status, node.right.status];
  const ended = was === is ? '' : `, ${was} → ${is}`;
  return [
    `- **${escapeMarkdown(node.node)}** ${node.kind}: ${escapeMarkdown(node.why)}${ended}`,
    ...changeLines([...node.promptChanges, ...node.changes], limit),
  ];
}

function changeItems(title: string, changes: readonly ValueChange[], limit: number): readonly string[] {
  return changes.length === 0 ? [] : [`- **${title}**`, ...changeLines(changes, limit)];
}

function changeLines(changes: readonly ValueChange[], limit: number): readonly string[] {
  const lines = changes.slice(0, limit).map((change) => {
    const path = change.path === '' ? '' : `<code>${escapeHtml(change.path)}</code>: `;
    return `  - ${path}${changeHtml(change).replaceAll('\n', '<br>')}`;
  });
  const rest = changes.length - limit;
  return rest > 0 ? [...lines, `  - ${rest} more`] : lines;
}

function escapeMarkdown(text: string): string {
  return escapeHtml(text)
    .replaceAll(/[\\|*_~`[\]]/g, '\\$&')
    .replaceAll('\n', ' ');
}
