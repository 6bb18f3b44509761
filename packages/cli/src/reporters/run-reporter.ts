import type { NodeRun, Plan, PlanNode } from '@unroll/engine';
import { padWidth, textWidth } from '@unroll/engine/text-width';
import type { Reporter } from '@unroll/project';
import { errorLine, formatDuration, formatTokens, summarizeValue } from '@unroll/project/words';
import type { TextSink } from '../io.ts';
import { statusMark, statusWord } from '../text/status-mark.ts';
import type { Style } from '../text/style.ts';

/** A line per node as it ends; a heading where an iteration of a loop begins; on a terminal, text as it is streamed. */
export function createRunReporter(sink: TextSink, style: Style): Reporter {
  const stream = createTextStream(sink, style);
  let reportNode: (run: NodeRun) => void = () => undefined;
  return (event) => {
    if (event.type === 'run-started' && event.kind !== 'dataset') reportNode = nodeReporter(event.plan, sink, style);
    else if (event.type === 'text') stream.add(event.node, event.text);
    else if (event.type === 'node-ended') {
      stream.end();
      reportNode(event.run);
    }
  };
}

function nodeReporter(plan: Plan, sink: TextSink, style: Style): (run: NodeRun) => void {
  const nodes = new Map(plan.nodes.map((node) => [node.name, node]));
  const line = nodeLine(plan, sink.columns ?? 100, style);
  let heading = '';
  return (run) => {
    const node = nodes.get(run.node);
    const next = node === undefined ? '' : headingOf(node, plan);
    if (next !== heading && next !== '') sink.write(`  ${style.dim(next)}\n`);
    heading = next;
    sink.write(`${line(run, next !== '')}\n`);
  };
}

/** Streamed text of one node at a time; that of others waits for their line. */
function createTextStream(
  sink: TextSink,
  style: Style,
): { readonly add: (node: string, text: string) => void; readonly end: () => void } {
  let streaming: string | undefined;
  return {
    add: (node, text) => {
      if (!sink.isTerminal) return;
      if (streaming === undefined) sink.write(style.dim(`… ${node}: `));
      streaming ??= node;
      if (streaming === node) sink.write(style.dim(text));
    },
    end: () => {
      if (streaming !== undefined) sink.write('\n');
      streaming = undefined;
    },
  };
}

function headingOf(node: PlanNode, plan: Plan): string {
  const instance = node.instance;
  if (instance === undefined || instance.iteration === 0) return '';
  const loop = plan.loops.find(({ name }) => name === instance.loop);
  return `${instance.loop} ${instance.iteration}/${loop?.times ?? '?'}`;
}

function nodeLine(plan: Plan, columns: number, style: Style): (run: NodeRun, isInLoop: boolean) => string {
  const hasLoops = plan.loops.length > 0;
  const nameWidth = Math.max(4, ...plan.nodes.map(({ name }) => textWidth(name))) + (hasLoops ? 2 : 0);
  const kindWidth = Math.max(4, ...plan.nodes.map(({ definition }) => textWidth(definition.type)));
  return (run, isInLoop) => {
    const indent = isInLoop ? '  ' : '';
    const amounts = amountsOf(run);
    const head = `${padWidth(run.node, nameWidth - indent.length)}  ${padWidth(run.kind, kindWidth)}`;
    const used = indent.length + 2 + textWidth(head) + 2 + textWidth(amounts) + 2;
    const said = saying(run, Math.max(16, columns - used - 1), style);
    const mark = statusMark(run.status, style);
    if (run.status === 'Bypassed' || run.status === 'NotRun') {
      return `${indent}${mark} ${style.dim(`${head}  ${statusWord(run.status)}`)}`;
    }
    const painted = run.status === 'Failed' ? style.bad(said) : said;
    return `${indent}${mark} ${head}  ${style.dim(amounts)}  ${painted}`.trimEnd();
  };
}

function amountsOf(run: NodeRun): string {
  const duration = run.durationMs === undefined ? '' : formatDuration(run.durationMs);
  return [duration.padStart(7), formatTokens(run.usage)].filter((part) => part !== '').join('  ');
}

function saying(run: NodeRun, width: number, style: Style): string {
  if (run.error !== undefined) return summarizeValue(errorLine(run.error, style), width);
  return summarizeValue(run.output ?? null, width);
}
