import {
  hasRun,
  type JsonObject,
  type JsonValue,
  loopShapes,
  type NodeRun,
  type RowRun,
  type RunInfo,
  type RunNode,
  tellingNodes,
  timesRound,
} from '@unroll/engine';
import { padWidth, textWidth } from '@unroll/engine/text-width';
import { rowName } from '@unroll/project';
import { errorLine, failureText, formatDuration, formatTokens, summarizeValue, sumUsage } from '@unroll/project/words';
import { statusMark, statusWord } from '../text/status-mark.ts';
import type { Style } from '../text/style.ts';
import { outputsText, totalsText, unfinishedText } from './outcome-text.ts';
import { runHeadText } from './run-head-text.ts';

export interface ShownRow {
  readonly info: RunInfo;
  /** Of the run. */
  readonly rowCount: number;
  readonly metrics: JsonObject;
  readonly row: RowRun;
  /** In the order of the flow. */
  readonly nodes: readonly NodeRun[];
  /** The run as a further command names it. */
  readonly run: string;
  readonly style: Style;
  readonly columns: number;
}

/** A row as a tree: what went in, each node with its inputs and output, loops folded to their families, what came out. */
export function rowText(shown: ShownRow): string {
  const { info, metrics, row, nodes, run, style } = shown;
  const parts = [
    headText(shown),
    inputsText(shown),
    treeText(shown),
    outputsText(row, style),
    info.data !== undefined || Object.keys(metrics).length === 0
      ? ''
      : outputsText({ ...row, outputs: metrics }, style),
    unfinishedText(row, nodes, style),
    row.error === undefined ? '' : `${failureText(row.error, { style })}\n`,
    `${style.dim(totalsText(row, nodes))}\n${style.dim('more')}    flow show ${run}${rowOption(shown)} --node ${mostTelling(nodes)}\n`,
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function rowOption({ info, row }: ShownRow): string {
  return info.data === undefined ? '' : ` --row ${rowName(row)}`;
}

function headText({ info, rowCount, row, style }: ShownRow): string {
  const rows = rowCount > 1 ? `row ${rowName(row)} of ${rowCount} (--row N shows another)\n` : '';
  return `${runHeadText(info, style)}${rows}`;
}

function inputsText({ row, style, columns }: ShownRow): string {
  const lines = Object.entries(row.inputs).map(
    ([name, value]) => `  ${style.name(name)}: ${summarizeValue(value, columns - textWidth(name) - 5)}\n`,
  );
  return lines.length === 0 ? '' : `${style.strong('inputs')}\n${lines.join('')}`;
}

/** A node that stands alone, or a loop with the instances of its families. */
type Branch =
  | { readonly kind: 'node'; readonly run: NodeRun }
  | {
      readonly kind: 'loop';
      readonly loop: string;
      readonly members: readonly { readonly node: RunNode; readonly run: NodeRun }[];
    };

function treeText(shown: ShownRow): string {
  const branches = branchesOf(shown);
  return branches
    .map((branch) => (branch.kind === 'node' ? nodeLines(branch.run, '', shown) : loopLines(branch, shown)))
    .join('');
}

function branchesOf({ info, nodes }: ShownRow): readonly Branch[] {
  const known = new Map(info.nodes.map((node) => [node.name, node]));
  const loops = new Map<string, { node: RunNode; run: NodeRun }[]>();
  const branches: Branch[] = [];
  for (const run of nodes) {
    const node = known.get(run.node);
    if (node?.loop === undefined || (node.iteration ?? 0) === 0) {
      branches.push({ kind: 'node', run });
      continue;
    }
    const members = loops.get(node.loop) ?? [];
    if (members.length === 0) branches.push({ kind: 'loop', loop: node.loop, members });
    loops.set(node.loop, members);
    members.push({ node, run });
  }
  return branches;
}

function loopLines(branch: Extract<Branch, { kind: 'loop' }>, shown: ShownRow): string {
  const { style } = shown;
  const families = Map.groupBy(branch.members, ({ node }) => node.family ?? '');
  const times = Math.max(...branch.members.map(({ node }) => node.iteration ?? 0));
  const shape = loopShapes(shown.info.nodes).find(({ name }) => name === branch.loop);
  const went =
    shape === undefined
      ? 0
      : timesRound(
          tellingNodes(shape),
          branch.members.map(({ run }) => run),
        );
  const head = `${style.strong('↻')} ${style.strong(branch.loop)}  ${style.dim(`went ${went} of at most ${times} times`)}\n`;
  const blocks = [...families].map(([family, members]) => familyLines(family, members, shown));
  return head + blocks.join('');
}

function familyLines(
  family: string,
  members: readonly { readonly node: RunNode; readonly run: NodeRun }[],
  shown: ShownRow,
): string {
  const { style } = shown;
  const runs = members.map(({ run }) => run);
  const count = (status: NodeRun['status']): number => runs.filter((run) => run.status === status).length;
  const duration = runs.reduce((sum, run) => sum + (run.durationMs ?? 0), 0);
  const taken = runs.filter(({ cache }) => cache === 'hit').length;
  const facts = [
    `${runs.filter(({ status }) => hasRun(status)).length - taken} ran`,
    taken === 0 ? '' : `${taken} taken`,
    ...(['Bypassed', 'NotRun', 'Failed'] as const).map((status) =>
      count(status) === 0 ? '' : `${count(status)} ${statusWord(status)}`,
    ),
    formatDuration(duration),
    formatTokens(sumUsage(runs)),
  ].filter((fact) => fact !== '');
  const head = `  ${style.strong(`${family}[*]`)}  ${style.dim(`${runs[0]?.kind ?? ''}  ${facts.join(', ')}`)}\n`;
  return head + runs.map((run) => nodeLines(run, '    ', shown)).join('');
}

function nodeLines(run: NodeRun, indent: string, { nodes, style, columns }: ShownRow): string {
  const width = Math.max(...nodes.map((node) => textWidth(node.node)));
  const head = `${indent}${statusMark(run.status, style)} ${padWidth(run.node, width)}`;
  if (run.status === 'Bypassed' || run.status === 'NotRun') return `${head}  ${style.dim(statusWord(run.status))}\n`;
  const facts = [run.kind, formatDuration(run.durationMs ?? 0), formatTokens(run.usage)].filter((fact) => fact !== '');
  const room = columns - indent.length - 8;
  const taken = takenText(run.inputs ?? {}, room);
  const given =
    run.error === undefined
      ? `${indent}    ${style.dim('out')} ${summarizeValue(run.output ?? null, room)}\n`
      : `${indent}    ${style.bad('error')} ${summarizeValue(errorLine(run.error, style), room - 2)}\n`;
  const takenLine = taken === '' ? '' : `${indent}    ${style.dim('in ')} ${taken}\n`;
  return `${head}  ${style.dim(facts.join('  '))}\n${takenLine}${given}`;
}

/** All inputs on one line, each with its share of it. */
function takenText(inputs: Readonly<Record<string, JsonValue>>, room: number): string {
  const entries = Object.entries(inputs);
  const share = Math.floor(room / Math.max(1, entries.length)) - 2;
  return entries
    .map(([name, value]) => `${name}=${summarizeValue(value, Math.max(12, share - textWidth(name)))}`)
    .join('  ');
}

function mostTelling(nodes: readonly NodeRun[]): string {
  const telling =
    nodes.find(({ status }) => status === 'Failed') ?? nodes.find(({ usage }) => usage !== undefined) ?? nodes[0];
  return telling?.node ?? 'NAME';
}
