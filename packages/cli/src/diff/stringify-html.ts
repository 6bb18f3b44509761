import type { RunInfo } from '@unroll/engine';
import { changeKinds, kindCounts, type NodeDiff, reasonText, type ValueChange } from '@unroll/evals';
import type { DiffReport, NodeReport, ReportedRun, RowReport } from '@unroll/project';
import { layoutPicture } from '@unroll/project/graph';
import { summarizeValue } from '@unroll/project/words';
import { stringifySvg } from '../graph/svg.ts';
import { statusWord } from '../text/status-mark.ts';
import { drawDiff } from './draw-diff.ts';
import { changeHtml, escapeHtml } from './html-parts.ts';
import { htmlStyle } from './html-style.ts';
import { failuresText, kindMeanings, nodeTitle } from './kind-text.ts';
import { onlyText, rowName } from './stringify-text.ts';

/** The report as one file that needs nothing else: no script, no network. */
export async function stringifyHtml(report: DiffReport, left: RunInfo, right: RunInfo): Promise<string> {
  const picture = drawDiff(report, left, right);
  const [svg, narrowSvg] = await Promise.all(
    (['right', 'down'] as const).map(async (direction) =>
      stringifySvg(await layoutPicture({ ...picture, direction }), direction),
    ),
  );
  const title = `${report.left.id} → ${report.right.id}`;
  const rest = report.rowsFound - report.rows.length;
  const { onlyLeft, onlyRight } = report.diff.rows;
  const only = [...onlyText('A', onlyLeft, report.onlyLeft), ...onlyText('B', onlyRight, report.onlyRight)];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>flow diff ${escapeHtml(title)}</title>
<style>
${htmlStyle}
</style>
<h1>${escapeHtml(flowTitle(report))}</h1>
<p class="runs">${runLine('A', report.left)}<br>${runLine('B', report.right)}</p>
<p class="verdict${report.isSame ? ' equal' : ''}">${escapeHtml(report.verdict)}</p>
<div class="picture">${svg}</div>
<div class="picture narrow">${narrowSvg}</div>
<h2>Nodes</h2>
${nodesTable(report.nodes)}
${legend(report)}
<h2>Rows that differ: ${report.rowsFound}</h2>
${report.rows.map((row, index) => rowBlock(row, index === 0)).join('\n')}
${report.rows.length === 0 ? '<p class="also">None.</p>' : ''}
${rest > 0 ? `<p class="also">${rest} more ${rest === 1 ? 'row differs' : 'rows differ'}.</p>` : ''}
${only.map((line) => `<p class="also">${escapeHtml(line)}</p>`).join('\n')}
</html>
`;
}

function flowTitle({ left, right }: DiffReport): string {
  return left.flow === right.flow ? right.flow : `${left.flow} → ${right.flow}`;
}

/** What the kinds mean that the page shows. */
function legend({ nodes, rows }: DiffReport): string {
  const inRows = new Set(rows.flatMap((row) => [...row.nodes, ...row.others].map(({ kind }) => kind)));
  const kinds = changeKinds.filter((kind) => inRows.has(kind) || nodes.some((node) => (node.kinds[kind] ?? 0) > 0));
  const items = kinds.map((kind) => `<span><span class="kind ${kind}">${kind}</span> ${kindMeanings[kind]}</span>`);
  return items.length === 0 ? '' : `<p class="legend">${items.join('')}</p>`;
}

function runLine(letter: string, { id, flowPath, startedAt }: ReportedRun): string {
  const when = startedAt.slice(0, 19).replace('T', ' ');
  return `<b>${letter}</b><code>${escapeHtml(id)}</code> ${escapeHtml(flowPath)}, ${when} UTC`;
}

function nodesTable(nodes: readonly NodeDiff[]): string {
  const hasFailures = nodes.some((node) => failuresText(node) !== '');
  const rows = nodes.map((node) => {
    const kinds = kindCounts(node).map(
      ({ kind, rows: number }) => `<span class="kind ${kind}">${kind} ${number}</span>`,
    );
    const cells = [
      `<td>${escapeHtml(nodeTitle(node))}</td>`,
      `<td class="number" data-title="same">${node.same}</td>`,
      `<td class="number" data-title="changed">${node.changed === 0 ? '' : node.changed}</td>`,
      ...(hasFailures ? [`<td data-title="failed">${escapeHtml(failuresText(node))}</td>`] : []),
      `<td class="kinds">${kinds.join('')}</td>`,
      `<td class="why">${escapeHtml(reasonText(node))}</td>`,
    ];
    return `<tr${node.changed === 0 ? ' class="idle"' : ''}>${cells.join('')}</tr>`;
  });
  const head = `<tr><th>node<th class="number">same<th class="number">changed${hasFailures ? '<th>failed in' : ''}<th>kind<th>why</tr>`;
  return `<table>\n<thead>${head}</thead>\n<tbody>\n${rows.join('\n')}\n</tbody>\n</table>`;
}

function rowBlock(row: RowReport, isOpen: boolean): string {
  const about = escapeHtml(summarizeValue(row.inputs, 160));
  const blocks = [
    changesBlock('inputs', row.inputChanges),
    ...row.nodes.map(nodeBlock),
    row.ended === undefined
      ? ''
      : `<p class="also">row: ${escapeHtml(row.ended.left)} → ${escapeHtml(row.ended.right)}</p>`,
    changesBlock('outputs', row.outputChanges),
    row.others.length === 0
      ? ''
      : `<p class="also">also: ${row.others.map(({ node, kind }) => `${escapeHtml(node)} <span class="kind ${kind}">${kind}</span>`).join(', ')}</p>`,
  ];
  return `<details${isOpen ? ' open' : ''}><summary><b>${rowName(row)}</b><span class="about">${about}</span></summary><div>${blocks.join('\n')}</div></details>`;
}

function nodeBlock(node: NodeReport): string {
  const [was, is] = [node.left.status, node.right.status];
  const word = (status: typeof was): string => (status === undefined ? 'no record' : statusWord(status));
  const ended = was === is ? '' : `, ${word(was)} → ${word(is)}`;
  const head = `${escapeHtml(node.node)} <span class="kind ${node.kind}">${node.kind}</span><span class="why">${escapeHtml(node.why)}${ended}</span>`;
  return `<div class="changed-node"><h3>${head}</h3>${changeBlocks([...node.promptChanges, ...node.changes])}</div>`;
}

function changesBlock(title: string, changes: readonly ValueChange[]): string {
  if (changes.length === 0) return '';
  return `<div class="changed-node"><h3>${title}</h3>${changeBlocks(changes)}</div>`;
}

/** A page stays one that opens, however much of a value changed. */
const mostPlaces = 200;

function changeBlocks(changes: readonly ValueChange[]): string {
  const rest = changes.length - mostPlaces;
  const more = rest > 0 ? `<p class="also">${rest} more ${rest === 1 ? 'place' : 'places'}</p>` : '';
  return `${changes.slice(0, mostPlaces).map(changeBlock).join('')}${more}`;
}

function changeBlock(change: ValueChange): string {
  const path = change.path === '' ? '' : `<span class="path">${escapeHtml(change.path)}</span>`;
  return `<div class="change">${path}${changeHtml(change, change.path.startsWith('prompt['))}</div>`;
}
