import { causeSentence, type EvalResult, isPassed, type ScoreSummary, worseSlicesText } from '@unroll/evals';
import type { Sentence, Verdict } from '../studio-contract/contract.ts';
import { reasonInLanguage } from '../words/score-reasons.ts';
import { comparedSentences, firstBadSentence } from './evaluation-comparison.ts';
import { evaluationWords } from './evaluation-words.ts';
import type { JudgedRun } from './judged-run.ts';
import type { Language } from './lens.ts';
import { name, sentence } from './sentences.ts';

/** Which of these runs may be kept; then where each of the others went wrong first, and why. */
export function evaluationVerdict(runs: readonly JudgedRun[], language: Language = 'en'): Verdict {
  return {
    answer: runs.flatMap((run) => gateSentence(run, language)),
    details: [
      ...comparedSentences(runs, language),
      ...runs.flatMap(({ against }) => worseSlices(against, language)),
      ...runs.flatMap((run, at) => wentWrong(run, at === 0 ? undefined : runs[0], language)),
      ...runs.flatMap((run) => unscored(run, language)),
    ],
    isSoFar: false,
  };
}

/** `right meets all 6 gates.`, `guideline-first fails 4 of 6 gates: first_function, calls, faq_recall, cited.` */
function gateSentence({ line, result }: JudgedRun, language: Language): readonly Sentence[] {
  const words = evaluationWords[language];
  const gated = result.metrics.filter(({ gate }) => gate !== undefined);
  const failed = gated.filter(({ gate }) => gate?.passed === false).map((metric) => metric.name);
  const run = name(line.name ?? line.id, { page: 'run', run: line.id });
  if (gated.length === 0) return [];
  if (failed.length === 0) return [sentence('meets', ...words.meets(run, gated.length))];
  return [sentence('fails', ...words.fails(run, failed, gated.length))];
}

/** `Worse by group: lang en (cited 86.8 % → 30.3 %).` */
function worseSlices(against: EvalResult, language: Language): readonly Sentence[] {
  const told = worseSlicesText(against, language);
  return told === undefined ? [] : [sentence('worse-slices', told, evaluationWords[language].space)];
}

/** `guideline-first got worse first at agent_1 in 91 rows (first_function). Cause: agent (prompt agent.jinja2 changed).` */
function wentWrong(
  { line, result, against }: JudgedRun,
  first: JudgedRun | undefined,
  language: Language,
): readonly Sentence[] {
  const isWorse = against.metrics.some(({ comparison }) => comparison?.verdict === 'worse');
  const [group] = against.comparison?.firstWorse ?? [];
  if (isPassed(result) && !isWorse) return [];
  if (group === undefined || against.comparison === undefined) return firstBadSentence(line, result, language);
  const { worseFirst, space } = evaluationWords[language];
  const run = name(line.name ?? line.id, { page: 'run', run: line.id });
  const at = name(group.node, { page: 'run', run: line.id, node: group.node });
  const cause = causeSentence(group, against.comparison, language);
  const why = first === undefined ? cause : name(cause, { page: 'diff', left: first.line.id, right: line.id });
  return [sentence('worse-first', ...worseFirst(run, at, group.rows, group.metric), why, space)];
}

/**
 * `3 rows of guideline-first have no score of faq_recall, faq_ndcg: retrieve failed.`: only what failed, not what was not expected. Metrics
 * of which it is the same are told at once: a row that failed has no score of any.
 */
function unscored({ line, result }: JudgedRun, language: Language): readonly Sentence[] {
  const words = evaluationWords[language];
  const run = name(line.name ?? line.id, { page: 'run', run: line.id });
  const lacking = result.metrics.filter(({ summary }) => summary.errors > 0);
  const alike = Map.groupBy(lacking, ({ summary }) => `${summary.errors} ${whyUnscored(summary.unscored, language)}`);
  return [...alike.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const metrics = [first, ...others].map((metric) => metric.name).join(language === 'ja' ? '、' : ', ');
    const { errors, unscored: given } = first.summary;
    const reason = whyUnscored(given, language) || words.anError;
    return [sentence('unscored', ...words.unscored(errors, run, name(metrics), reason))];
  });
}

function whyUnscored(unscoredRows: ScoreSummary['unscored'], language: Language): string {
  const given = unscoredRows.flatMap(({ rows, reason }) => (rows === undefined ? [] : [reason]));
  const told = new Set(given.map((one) => reasonInLanguage(one, language)));
  return [...told].join(language === 'ja' ? '、' : ', ');
}
