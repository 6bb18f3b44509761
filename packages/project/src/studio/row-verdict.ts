import type { NodeRun, RowRun } from '@unroll/engine';
import { type EvalResult, saidText } from '@unroll/evals';
import type { RowPage, Sentence, Verdict } from '../studio-contract/contract.ts';
import { formatCount } from '../words/index.ts';
import { bad, name, sentence } from './sentences.ts';

export interface RowSubject {
  readonly run: string;
  readonly row: RowRun;
  readonly loops: RowPage['loops'];
  readonly tokens: number;
  readonly firstBad: string | undefined;
  readonly result: EvalResult | undefined;
  readonly against?: AgainstRow | undefined;
}

/** The same row in the run it is compared with. */
export interface AgainstRow {
  readonly run: string;
  readonly hasSameAnswer: boolean;
  readonly tokens: number;
  /** Turns that ran, by loop. */
  readonly turns: ReadonlyMap<string, number>;
}

/** What happened in a row, and where it went wrong first: silent where the record does not tell. */
export function rowVerdict(subject: RowSubject): Verdict {
  return {
    answer: [...failed(subject), ...firstWrong(subject), ...unfinished(subject), ...well(subject)],
    details: [...against(subject), ...turns(subject)],
    isSoFar: false,
  };
}

/** `function_1 failed: TypeError: index shard 3 cannot be read.` */
function failed({ run, row: { line, repeat = 0, error, status } }: RowSubject): readonly Sentence[] {
  if (status === 'Canceled') return [sentence('row-stopped', 'The row was stopped before its end. ')];
  if (error === undefined) return [];
  const who = error.node === undefined ? 'The row' : error.node;
  const [first = ''] = error.message.split('\n');
  const to = { page: 'row' as const, run, line, repeat, ...(error.node === undefined ? {} : { node: error.node }) };
  return [
    sentence(
      'row-failed',
      error.node === undefined ? who : name(who, to),
      ' ',
      bad('failed'),
      `: ${error.code}: ${first} `,
    ),
  ];
}

const longestTold = 80;

/** `agent_1 went wrong first: first_function expected "faq_search", got "guideline_search".` */
function firstWrong({ run, row: { line, repeat = 0, status }, firstBad, result }: RowSubject): readonly Sentence[] {
  if (firstBad === undefined || status !== 'Completed' || result === undefined) return [];
  const group = result.firstBad.find(
    ({ node, examples }) => node === firstBad && examples.some((one) => one.line === line && one.repeat === repeat),
  );
  const example = group?.examples.find((one) => one.line === line && one.repeat === repeat);
  const where = name(firstBad, { page: 'row', run, line, repeat, node: firstBad });
  if (group === undefined || example?.expected === undefined)
    return [sentence('row-first-wrong', where, ' ', bad('went wrong first'), '. ')];
  const got = example.actual === undefined ? '' : `, got ${cut(saidText(example.actual))}`;
  return [
    sentence(
      'row-first-wrong-told',
      where,
      ' ',
      bad('went wrong first'),
      ': ',
      name(group.kind),
      ` expected ${cut(saidText(example.expected))}${got}. `,
    ),
  ];
}

function cut(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > longestTold ? `${line.slice(0, longestTold - 1)}…` : line;
}

function unfinished({ row: { unfinished: loops = [] } }: RowSubject): readonly Sentence[] {
  return loops.map((loop) => sentence('row-unfinished', name(loop), ' reached its bound unfinished. '));
}

/** Only where scores say so: a row that completed is not right for that. */
function well({ row: { status, unfinished: loops = [] }, firstBad, result }: RowSubject): readonly Sentence[] {
  if (status !== 'Completed' || loops.length > 0 || firstBad !== undefined) return [];
  return [
    sentence(
      'row-completed',
      result === undefined ? 'The row completed. ' : 'The row completed, and no metric fails. ',
    ),
  ];
}

/** `The same answer as in right. It took 3 turns instead of 2 and 2,897 tokens instead of 1,392.` */
function against({ against: other, loops, tokens }: RowSubject): readonly Sentence[] {
  if (other === undefined) return [];
  const answer = other.hasSameAnswer ? 'The same answer as in ' : 'Another answer than in ';
  const differing = loops.flatMap(({ name: loop, turns: all }) => {
    const [now, before] = [turnsRun(all), other.turns.get(loop)];
    return before === undefined || before === now ? [] : [`${now} turn${now === 1 ? '' : 's'} instead of ${before}`];
  });
  const spent =
    tokens === other.tokens ? [] : [`${formatCount(tokens)} tokens instead of ${formatCount(other.tokens)}`];
  const told = [...differing, ...spent];
  const took = told.length === 0 ? '' : ` It took ${told.join(' and ')}. `;
  return [sentence('row-against', answer, name(other.run), '. ', took)];
}

/** `search ended after turn 2 of 3.` */
function turns({ loops, row: { unfinished: open = [], status }, against: other }: RowSubject): readonly Sentence[] {
  if (status !== 'Completed' || other !== undefined) return [];
  return loops.flatMap(({ name: loop, times, turns: all }) => {
    const ran = turnsRun(all);
    return ran === 0 || open.includes(loop)
      ? []
      : [sentence('row-turns', name(loop), ` ended after turn ${ran} of ${times}. `)];
  });
}

export function turnsRun(turns: RowPage['loops'][number]['turns']): number {
  return turns.findLast(({ isLast }) => isLast)?.turn ?? 0;
}

export function tokensOf(nodes: readonly NodeRun[]): number {
  return nodes.reduce((sum, { usage, cache }) => sum + (cache === 'hit' ? 0 : (usage?.totalTokens ?? 0)), 0);
}
