import { type DefinitionChange, type EvalResult, isPassed, signedText } from '@unroll/evals';
import { allNodes, type RowIndex } from '../row-index/row-index.ts';
import type { Place, RunLine, Sentence, SentencePart, Verdict } from '../studio-contract/contract.ts';
import { formatCount } from '../words/index.ts';
import { durationFigure, scoreFigure } from './figures.ts';
import type { Language } from './lens.ts';
import { type RunVerdictWords, runVerdictWords } from './run-verdict-words.ts';
import { bad, figure, name, reason, sentence } from './sentences.ts';

/** What a run says of itself: each sentence from one rule, and none where the data does not carry it. */
export function runVerdict(
  run: RunLine,
  index: RowIndex | undefined,
  result: EvalResult | undefined,
  language: Language = 'en',
): Verdict {
  const of = { run, index, result, language, words: runVerdictWords[language] };
  return {
    answer: [
      ...gateSentences(result, language),
      ...failedRows(of),
      ...unfinished(of),
      ...firstWrong(of),
      ...allWell(of),
    ],
    details: [...lostScores(of), ...turns(of), ...dearest(of), ...slowest(of)],
    isSoFar: run.status === 'Running',
  };
}

interface Subject {
  readonly run: RunLine;
  readonly index: RowIndex | undefined;
  readonly result: EvalResult | undefined;
  readonly language: Language;
  readonly words: RunVerdictWords;
}

/** `4 of 6 gates fail.` */
export function gateSentences(result: EvalResult | undefined, language: Language = 'en'): readonly Sentence[] {
  const words = runVerdictWords[language];
  const gated = (result?.metrics ?? []).flatMap(({ gate }) => gate ?? []);
  const failed = gated.filter(({ passed }) => !passed).length;
  if (gated.length === 0) return [];
  if (failed === 0) return [sentence('gates-met', ...words.gatesMet(gated.length))];
  return [sentence('gates', ...words.gatesFail(failed, gated.length))];
}

/** `2 rows failed at function_1: TypeError: index shard 3 cannot be read.` */
function failedRows({ run, index, words }: Subject): readonly Sentence[] {
  const failed = run.failed.value ?? 0;
  if (failed === 0) return [];
  const link = (text: string): SentencePart =>
    bad(text, { page: 'run', run: run.id, filters: [{ by: 'status', is: 'Failed' }] });
  const [first, ...others] = index?.failures ?? [];
  const at = first?.node === undefined ? undefined : name(first.node, { page: 'run', run: run.id, node: first.node });
  const [line = ''] = first?.message.split('\n') ?? [];
  const why = first === undefined ? undefined : reason(first.code, line);
  return [sentence('failed-rows', ...words.failedRows(failed, link, at, why, others.length))];
}

/** `2 rows ended unfinished.` */
function unfinished({ index, words }: Subject): readonly Sentence[] {
  const rows = index?.unfinished ?? 0;
  return rows === 0 ? [] : [sentence('unfinished', ...words.unfinished(rows))];
}

/** `93 of 96 rows went wrong first at agent_1 (first_function), whose prompt agent.jinja2 changed.` */
function firstWrong({ run, result, words }: Subject): readonly Sentence[] {
  const [group] = result?.firstBad ?? [];
  if (result === undefined || group === undefined || group.kind === 'failed') return [];
  const worse = result.metrics.some(({ comparison }) => comparison?.verdict === 'worse');
  if (isPassed(result) && !worse) return [];
  const to = { page: 'run' as const, run: run.id, filters: [{ by: 'first-bad' as const, node: group.node }] };
  const rows = { wrong: group.rows, all: result.rows.total, link: (text: string) => figure(text, to) };
  const at = { node: name(group.node, { page: 'run', run: run.id, node: group.node }), metric: group.kind };
  const change = changeBehind(group.node, result);
  const before = result.baseline?.id;
  const place: Place | undefined =
    before === undefined || change === undefined
      ? undefined
      : { page: 'diff', left: before, right: run.id, node: change.node };
  const linked = change && { ...change, link: (text: string) => name(text, place) };
  const rule = change === undefined ? 'first-wrong' : 'first-wrong-cause';
  return [sentence(rule, ...words.firstWrong(rows, at, linked))];
}

/** The change of a definition that the comparison blames for rows that got worse at this node; undefined where it blames none, or several. */
function changeBehind(
  node: string,
  { comparison }: EvalResult,
): { readonly node: string; readonly what: DefinitionChange; readonly isOwn: boolean } | undefined {
  const group = comparison?.firstWorse.find((one) => one.node === node || one.node === node.replace(/_\d+$/, ''));
  const [cause, ...others] = group?.causes ?? [];
  const change = comparison?.changes?.find((one) => one.node === cause);
  if (cause === undefined || others.length > 0 || change === undefined) return undefined;
  const isOwn = cause === node || cause === node.replace(/_\d+$/, '') || cause === node.replace(/\[\*\]$/, '');
  return { node: cause, what: change, isOwn };
}

/** `All 96 rows completed.`: only where nothing else is to be said. */
function allWell({ run, result, index, words }: Subject): readonly Sentence[] {
  const rows = run.rows.value ?? 0;
  if (result !== undefined || (run.failed.value ?? 0) > 0 || index === undefined || rows === 0) return [];
  if (run.status === 'Running') return [];
  if (run.status === 'Canceled') return [sentence('stopped', ...words.stopped(rows, run.total))];
  if (index.unfinished > 0) return [];
  return [sentence('all-completed', ...words.completed(rows))];
}

/** `cited is worse (−19.7 points): 19 rows broke, 4 were fixed.` One for each metric that is worse, of pass metrics the most broken first. */
function lostScores({ run, result, words, language }: Subject): readonly Sentence[] {
  const worse = (result?.metrics ?? []).filter(({ comparison }) => comparison?.verdict === 'worse');
  const sorted = worse.toSorted((one, other) => broken(other) - broken(one));
  return sorted.slice(0, 3).map((metric) => {
    const { comparison, name: metricName } = metric;
    const difference = signedText(comparison?.difference ?? 0, metric, language);
    const flips = comparison?.flips;
    const is = flips === undefined ? ('worse' as const) : ('broken' as const);
    const filters = [{ by: 'score' as const, metric: metricName, is }];
    const link = name(metricName, { page: 'run', run: run.id, filters });
    return sentence('worse', ...words.worse(link, difference, flips));
  });
}

function broken({ comparison }: EvalResult['metrics'][number]): number {
  return comparison?.flips?.broken ?? 0;
}

/** `search ended after turn 1 in 3 rows, 2 in 41, 3 in 52; never in 2; before its first turn in 1.` */
function turns({ index, run, words }: Subject): readonly Sentence[] {
  return [...(index?.loops ?? [])].flatMap(([loop, { times, ran, ended }]) => {
    const { ends, never, before } = endsOf(times, ran, ended);
    if (ends.every((rows) => rows === 0)) return [];
    const link = name(loop, { page: 'run', run: run.id, node: loop });
    return [sentence('turns', ...words.turns(link, ends, { never, before }))];
  });
}

/** Rows that ended after each turn, those that never did, and those in which nothing was left to do at the first. */
function endsOf(
  times: number,
  ran: readonly number[],
  ended: readonly boolean[],
): { readonly ends: readonly number[]; readonly never: number; readonly before: number } {
  const ends = Array.from({ length: times }, () => 0);
  let [never, before] = [0, 0];
  for (const [at, turn] of ran.entries()) {
    if (ended[at] !== true) never += 1;
    else if (turn === 0) before += 1;
    else ends[turn - 1] = (ends[turn - 1] ?? 0) + 1;
  }
  return { ends, never, before };
}

/** `agent_1 costs most: $0.12 of $0.31.`, or of tokens where nothing has a price. Told where more than one node takes some. */
function dearest({ index, run, words }: Subject): readonly Sentence[] {
  const all = index === undefined ? [] : allNodes(index);
  const nodes = all.map(([node, { spent }]) => ({ node, cost: spent.cost ?? 0, tokens: spent.tokens }));
  const of = nodes.some(({ cost }) => cost > 0) ? 'cost' : 'tokens';
  const [first, second] = nodes.filter((node) => node[of] > 0).toSorted((one, other) => other[of] - one[of]);
  if (first === undefined || second === undefined) return [];
  const link = name(first.node, { page: 'run', run: run.id, node: first.node });
  if (of === 'tokens') {
    return [sentence('most-tokens', ...words.maxTokens(link, figure(formatCount(first.tokens)), run.tokens.text))];
  }
  const own = scoreFigure(first.cost, { unit: 'USD' }).text;
  return [sentence('dearest', ...words.dearest(link, figure(own), run.cost.text))];
}

/** `function_2 takes longest: half of its calls take more than 20 ms; then agent_1, 12 ms.` Silent below a millisecond. */
function slowest({ index, run, words }: Subject): readonly Sentence[] {
  const timed = [...(index?.nodes ?? [])].flatMap(([node, { medianMs }]) =>
    medianMs === undefined ? [] : [{ node, medianMs }],
  );
  const [first, second] = timed.toSorted((one, other) => other.medianMs - one.medianMs);
  if (first === undefined || second === undefined || first.medianMs < 1) return [];
  const link = (node: string): SentencePart => name(node, { page: 'run', run: run.id, node });
  const text = (ms: number): SentencePart => figure(durationFigure(ms).text);
  const [half, next] = [text(first.medianMs), text(second.medianMs)];
  return [sentence('slowest', ...words.slowest(link(first.node), half, link(second.node), next))];
}
