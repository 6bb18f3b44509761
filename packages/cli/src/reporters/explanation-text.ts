import { type Difference, type Explanation, partsText, type Reason } from '@unroll/evals';
import type { ToldNode, WhyAbout } from '@unroll/project';
import { paintChanges } from '../diff/paint-changes.ts';
import { indentLines } from '../text/readable-value.ts';
import { statusMark } from '../text/status-mark.ts';
import type { Style } from '../text/style.ts';

interface Layout {
  readonly style: Style;
  readonly columns: number;
}

const noEarlierRun =
  'flow run --since RUN takes from an earlier run what has not changed; flow why --against RUN compares with one';

/** Places shown of one difference. */
const mostPlaces = 5;

/** What `flow why` says: a paragraph a node. */
export function explanationText(told: readonly ToldNode[], about: WhyAbout, layout: Layout): string {
  const head = layout.style.dim(
    `row ${about.row} of ${about.run}${about.against === undefined ? '' : `, against ${about.against}`}`,
  );
  const help = about.against === undefined ? layout.style.dim(`${noEarlierRun}\n`) : '';
  return `${head}\n${told.map((node) => nodeLines(node, about, layout)).join('')}${help}`;
}

function nodeLines({ run, explanation }: ToldNode, about: WhyAbout, layout: Layout): string {
  const head = `${statusMark(run.status, layout.style)} ${layout.style.strong(run.node)}  ${sentence(explanation, about)}\n`;
  if (explanation.kind !== 'ran' || explanation.because.kind !== 'changed') return head;
  const { differences } = explanation.because;
  const [first, ...others] = differences;
  const told = first?.changes.length === 0 && first.from === undefined ? others : differences;
  return head + told.map((difference) => differenceLines(difference, about, layout)).join('');
}

function sentence(explanation: Explanation, about: WhyAbout): string {
  if (explanation.kind === 'taken') return `taken from ${explanation.from}: nothing it depends on has changed`;
  if (explanation.kind === 'ran') return `ran: ${reasonText(explanation.because, about)}`;
  return explanation.status === 'Bypassed'
    ? 'did not run: its condition did not hold, or nothing was there to work on'
    : 'did not run: a node before it failed';
}

function reasonText(reason: Reason, { against, row }: WhyAbout): string {
  switch (reason.kind) {
    case 'nothing to take from':
      return 'there was no run to take its output from';
    case 'always':
      return alwaysText[reason.part];
    case 'not kept':
      return `${reason.why}, so that no record can stand in for it`;
    case 'no such row':
      return `${against} has no row ${row}, and no other row that fits`;
    case 'no such node':
      return `${against} has no such node`;
    case 'did not complete':
      return `in ${against} it did not complete (${reason.status})`;
    case 'no fingerprint':
      return `one of the two runs tells no fingerprint of it`;
    case 'not seen':
      return notSeenText(reason.what, against);
    case 'nothing changed':
      if (reason.program !== undefined) return `${partsText([reason.program])}; nothing it depends on has changed`;
      return `nothing it depends on has changed; it ran because --since did not name ${against}, or because of --no-cache`;
    case 'changed':
      return `${partsText(reason.differences.slice(0, 1).map(({ part }) => ({ part })))}`;
  }
}

function differenceLines(difference: Difference, about: WhyAbout, { style, columns }: Layout): string {
  const { part, from, changes } = difference;
  const head = `  ${style.dim(`${part}${fromText(difference, about)}`)}\n`;
  const painted = paintChanges(changes, { style, limit: mostPlaces, columns: columns - 4 });
  const shown = from === undefined || changes.length > 0 || part === 'prompt' ? painted : [];
  return `${head}${shown.map((line) => `${indentLines(line, 4)}\n`).join('')}`;
}

function fromText({ part, from }: Difference, { run, row }: WhyAbout): string {
  if (from === undefined) return '';
  if (part === 'prompt') return `, since the ${from} changed`;
  const [node = ''] = from.split('.');
  return node === 'inputs' ? `, which is ${from}` : `, which is ${from}: flow why ${run} --row ${row} --node ${node}`;
}

function notSeenText(what: readonly string[] | undefined, against: string | undefined): string {
  if (what === undefined) return `what its code read in ${against} is not known`;
  return `its code reads what nobody can compare: ${what.join(', ')} (cache: true takes its output all the same)`;
}

const alwaysText = {
  cache: 'it always does (cache: false)',
  effects: 'it always does: it may write',
  unseen: 'it always does: what it asks may have changed unseen (cache: true takes its output all the same)',
} as const;
