import type { Difference } from '@unroll/evals';
import { differencesIn, explanationSentence, type NodeExplanation, type WhyAbout } from '@unroll/project';
import { indentLines } from '@unroll/project/words';
import { paintChanges } from '../diff/paint-changes.ts';
import { statusMark } from '../text/status-mark.ts';
import type { Style } from '../text/style.ts';

interface Layout {
  /** The run as a further command names it. */
  readonly run: string;
  readonly style: Style;
  readonly columns: number;
}

const noEarlierRun =
  'flow run --since RUN takes from an earlier run what has not changed; flow why --against RUN compares with one';

/** Places shown of one difference. */
const maxPlaces = 5;

/** What `flow why` says: a paragraph a node. */
export function explanationText(nodes: readonly NodeExplanation[], about: WhyAbout, layout: Layout): string {
  const head = layout.style.dim(
    `row ${about.row} of ${about.run}${about.against === undefined ? '' : `, against ${about.against}`}`,
  );
  const help = about.against === undefined ? layout.style.dim(`${noEarlierRun}\n`) : '';
  return `${head}\n${nodes.map((node) => nodeLines(node, about, layout)).join('')}${help}`;
}

function nodeLines({ run, explanation }: NodeExplanation, about: WhyAbout, layout: Layout): string {
  const head = `${statusMark(run.status, layout.style)} ${layout.style.strong(run.node)}  ${explanationSentence(explanation, about)}\n`;
  const differences = differencesIn(explanation);
  const [first, ...others] = differences;
  const shown = first?.changes.length === 0 && first.from === undefined ? others : differences;
  return head + shown.map((difference) => differenceLines(difference, about, layout)).join('');
}

function differenceLines(difference: Difference, about: WhyAbout, { run, style, columns }: Layout): string {
  const { part, from, changes } = difference;
  const head = `  ${style.dim(`${part}${fromText(difference, run, about)}`)}\n`;
  const painted = paintChanges(changes, { style, limit: maxPlaces, columns: columns - 4 });
  const shown = from === undefined || changes.length > 0 || part === 'prompt' ? painted : [];
  return `${head}${shown.map((line) => `${indentLines(line, 4)}\n`).join('')}`;
}

function fromText({ part, from }: Difference, run: string, { row }: WhyAbout): string {
  if (from === undefined) return '';
  if (part === 'prompt') return `, since the ${from} changed`;
  const [node = ''] = from.split('.');
  return node === 'inputs' ? `, which is ${from}` : `, which is ${from}: flow why ${run} --row ${row} --node ${node}`;
}
