import type { RowRun } from '@unroll/engine';
import { type EvalResult, saidText } from '@unroll/evals';
import type { RowPage, Sentence, Verdict } from '../studio-contract/contract.ts';
import type { Language } from './lens.ts';
import { type RowVerdictWords, rowVerdictWords } from './row-verdict-words.ts';
import { name, reason, sentence } from './sentences.ts';

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
export function rowVerdict(given: RowSubject, language: Language = 'en'): Verdict {
  const subject = { ...given, words: rowVerdictWords[language] };
  return {
    answer: [...failed(subject), ...firstWrong(subject), ...unfinished(subject), ...well(subject)],
    details: [...against(subject), ...turns(subject)],
    isSoFar: false,
  };
}

interface RowInWords extends RowSubject {
  readonly words: RowVerdictWords;
}

/** `function_1 failed: TypeError: index shard 3 cannot be read.` */
function failed({ run, row: { line, repeat = 0, error, status }, words }: RowInWords): readonly Sentence[] {
  if (status === 'Canceled') return [sentence('row-stopped', ...words.stopped())];
  if (error === undefined) return [];
  const { node, code } = error;
  const [first = ''] = error.message.split('\n');
  const who = node === undefined ? undefined : name(node, { page: 'row', run, line, repeat, node });
  return [sentence('row-failed', ...words.failed(who, reason(code, first)))];
}

const longestTold = 80;

/** `agent_1 went wrong first: first_function expected "faq_search", got "guideline_search".` */
function firstWrong({
  run,
  row: { line, repeat = 0, status },
  firstBad,
  result,
  words,
}: RowInWords): readonly Sentence[] {
  if (firstBad === undefined || status !== 'Completed' || result === undefined) return [];
  const group = result.firstBad.find(
    ({ node, examples }) => node === firstBad && examples.some((one) => one.line === line && one.repeat === repeat),
  );
  const example = group?.examples.find((one) => one.line === line && one.repeat === repeat);
  const where = name(firstBad, { page: 'row', run, line, repeat, node: firstBad });
  if (group === undefined || example?.expected === undefined)
    return [sentence('row-first-wrong', ...words.firstWrong(where))];
  const got = example.actual === undefined ? undefined : cut(saidText(example.actual));
  const parts = words.firstWrongTold(where, name(group.kind), cut(saidText(example.expected)), got);
  return [sentence('row-first-wrong-told', ...parts)];
}

function cut(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > longestTold ? `${line.slice(0, longestTold - 1)}…` : line;
}

function unfinished({ row: { unfinished: loops = [] }, words }: RowInWords): readonly Sentence[] {
  return loops.map((loop) => sentence('row-unfinished', ...words.unfinished(name(loop))));
}

/** Only where scores say so: a row that completed is not right for that. */
function well({ row: { status, unfinished: loops = [] }, firstBad, result, words }: RowInWords): readonly Sentence[] {
  if (status !== 'Completed' || loops.length > 0 || firstBad !== undefined) return [];
  return [sentence('row-completed', ...words.completed(result !== undefined))];
}

/** `The same answer as in right. It took 3 turns instead of 2 and 2,897 tokens instead of 1,392.` */
function against({ against: other, loops, tokens, words }: RowInWords): readonly Sentence[] {
  if (other === undefined) return [];
  const differing = loops.flatMap(({ name: loop, turns: all }) => {
    const [now, before] = [turnsRun(all), other.turns.get(loop)];
    return before === undefined || before === now ? [] : [{ now, before }];
  });
  const spent = tokens === other.tokens ? undefined : { now: tokens, before: other.tokens };
  const parts = words.against(name(other.run), other.hasSameAnswer, { turns: differing, tokens: spent });
  return [sentence('row-against', ...parts)];
}

/** `search ended after turn 2 of 3.` */
function turns({
  loops,
  row: { unfinished: open = [], status },
  against: other,
  words,
}: RowInWords): readonly Sentence[] {
  if (status !== 'Completed' || other !== undefined) return [];
  return loops.flatMap(({ name: loop, times, turns: all }) => {
    const ran = turnsRun(all);
    return ran === 0 || open.includes(loop) ? [] : [sentence('row-turns', ...words.turns(name(loop), ran, times))];
  });
}

export function turnsRun(turns: RowPage['loops'][number]['turns']): number {
  return turns.findLast(({ isLast }) => isLast)?.turn ?? 0;
}
