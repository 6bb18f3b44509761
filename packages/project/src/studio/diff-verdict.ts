import { causeSentence, diffSentences, type EvalResult, isCause, signedText } from '@unroll/evals';
import type { DiffOptions, Place, Sentence, Verdict } from '../studio-contract/contract.ts';
import { diffPageWords } from './diff-page-words.ts';
import type { HeldDiff } from './held-diffs.ts';
import type { Language } from './lens.ts';
import { name, sentence } from './sentences.ts';

/** Ids of the two runs, and how they are compared. */
export interface DiffIds extends DiffOptions {
  readonly left: string;
  readonly right: string;
}

/**
 * What differs and what caused it, in the sentences of `flow diff`; then by which way it got to the outputs, and what became of
 * the scores.
 */
export function diffVerdict(
  compared: HeldDiff,
  ids: DiffIds,
  scored: EvalResult | undefined,
  language: Language = 'en',
): Verdict {
  const to = (node: string): Place => ({ page: 'diff', ...ids, node });
  const space = language === 'ja' ? [] : [' '];
  const sentences = diffSentences(compared.diff, compared.verdictOptions, language).map(({ rule, parts }) =>
    sentence(rule, ...parts.map(({ text, isNode }) => (isNode === true ? name(text, to(text)) : text)), ...space),
  );
  const isAnswer = ({ rule }: Sentence): boolean => rule === 'outcome' || rule === 'causes' || rule === 'unknown';
  return {
    answer: sentences.filter(isAnswer),
    details: [
      ...worseMetrics(ids, scored, language),
      ...firstWorse(compared, ids, scored, language),
      ...waysOut(compared, to, language),
      ...sentences.filter((one) => !isAnswer(one)),
    ],
    isSoFar: false,
  };
}

/** `cited is worse (−19.7 points, −31.6 to −7.9): 19 rows broke, 4 were fixed.` */
function worseMetrics(ids: DiffIds, scored: EvalResult | undefined, language: Language): readonly Sentence[] {
  const worse = (scored?.metrics ?? []).filter(({ comparison }) => comparison?.verdict === 'worse');
  return worse.slice(0, 3).map((metric) => {
    const { difference = 0, flips } = metric.comparison ?? {};
    const link = name(metric.name, { page: 'diff', ...ids, group: `broken:${metric.name}` });
    const shown = flips === undefined ? name(metric.name) : link;
    return sentence('worse', ...diffPageWords[language].worse(shown, signedText(difference, metric, language), flips));
  });
}

/** `Rows got worse first at function_1 in 34 rows (faq_recall). Cause: …`, the cause only where the answer does not name it. */
function firstWorse(
  { diff }: HeldDiff,
  ids: DiffIds,
  scored: EvalResult | undefined,
  language: Language,
): readonly Sentence[] {
  const isWorse = scored?.metrics.some(({ comparison }) => comparison?.verdict === 'worse') === true;
  const [group] = scored?.comparison?.firstWorse ?? [];
  if (!isWorse || group === undefined || scored?.comparison === undefined) return [];
  const at = name(group.node, { page: 'run', run: ids.right, node: group.node });
  const named = new Set(diff.nodes.filter(isCause).map((node) => node.name));
  const isReported =
    group.causes !== undefined && group.causes.length > 0 && group.causes.every((cause) => named.has(cause));
  return [
    sentence('first-worse', ...diffPageWords[language].firstWorse(at, group.rows, group.metric)),
    ...(isReported ? [] : [sentence('cause-of-worse', `${causeSentence(group, scored.comparison, language)} `)]),
  ];
}

/** `It got to answer and status by agent → function → search, in 25 rows.`: of outputs that differ, the way most rows took. */
function waysOut(
  { diff, verdictOptions, outputReads }: HeldDiff,
  to: (node: string) => Place,
  language: Language,
): readonly Sentence[] {
  const byNode = Map.groupBy(verdictOptions.outputs, (output) => outputReads.get(output) ?? '');
  return [...byNode].flatMap(([read, outputs]) => {
    const node = diff.nodes.find(({ instances }) => instances.includes(read));
    const [origin] = (node?.origins ?? []).filter(({ from }) => from === 'cause');
    if (origin === undefined || origin.steps.length < 2) return [];
    const steps = origin.steps.flatMap((step, at) => [...(at === 0 ? [] : [' → ']), name(step, to(step))]);
    const reached = outputs.map((output) => name(output));
    return [sentence('way', ...diffPageWords[language].way(reached, steps, origin.rows))];
  });
}
