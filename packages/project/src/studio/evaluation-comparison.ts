import {
  causeSentence,
  changeText,
  comparisonSentences,
  type EvalResult,
  measureSentences,
  programText,
  worseText,
} from '@unroll/evals';
import type { RunLine, Sentence, SentencePart, SinceRun } from '../studio-contract/contract.ts';
import { evaluationWords } from './evaluation-words.ts';
import type { JudgedRun } from './judged-run.ts';
import type { Language } from './lens.ts';
import { name, sentence } from './sentences.ts';
import type { Studio } from './studio.ts';

/**
 * `Of 11 metrics compared with the baseline: 3 worse, 8 the same in every row.` Of each run that is compared with another one.
 * Then what is measured otherwise than the baseline was: gates are held to that.
 */
export function comparedSentences(runs: readonly JudgedRun[], language: Language): readonly Sentence[] {
  const [first, ...others] = runs;
  if (first === undefined) return [];
  const { ofRun, space } = evaluationWords[language];
  const before = first.line.name ?? first.line.id;
  const texts =
    others.length === 0
      ? comparisonSentences(first.result, { language })
      : others.flatMap(({ line, against }) =>
          comparisonSentences(against, { before, language }).map((text) =>
            others.length === 1 ? text : ofRun(line.name ?? line.id, text),
          ),
        );
  return [...texts, ...measureSentences(first.result, { language })].map((text) =>
    sentence('compared', `${text}${space}`),
  );
}

/** `outcome went wrong first at agent_1 in 12 rows (tool fails).` For a run that is compared with nothing, or in which nothing got worse. */
export function firstBadSentence(
  { id, name: given }: RunLine,
  { firstBad }: EvalResult,
  language: Language,
): readonly Sentence[] {
  const [group] = firstBad;
  if (group === undefined) return [];
  const run = name(given ?? id, { page: 'run', run: id });
  const filters = [{ by: 'first-bad' as const, node: group.node }];
  const rows = (text: string): SentencePart => name(text, { page: 'run', run: id, filters });
  const of = { rows: group.rows, metric: group.kind === 'failed' ? undefined : group.kind };
  return [sentence('first-bad', ...evaluationWords[language].firstBad(run, name(group.node), rows, of))];
}

/** What the comparison of a run tells beside the differences of its metrics; undefined where it is compared with nothing. */
export async function sinceRun(
  { against }: JudgedRun,
  studio: Studio,
  language: Language,
): Promise<SinceRun | undefined> {
  const { comparison, baseline } = against;
  if (comparison === undefined || baseline === undefined) return undefined;
  const { paired, pairedBy, onlyBefore, onlyAfter, dataChanged = false, changes, firstWorse } = comparison;
  const program = programText(comparison);
  return {
    ...{ before: baseline.id, startedAt: baseline.startedAt, isThere: await isThere(baseline.id, studio) },
    ...{ paired, pairedBy, onlyBefore, onlyAfter, dataChanged },
    ...(changes === undefined
      ? {}
      : { changes: changes.map((change) => ({ node: change.node, text: changeText(change, language) })) }),
    ...(program === undefined ? {} : { program }),
    worse: firstWorse.map((group) => ({
      ...{ node: group.node, text: worseText(group, language), rows: group.rows, lines: group.lines },
      cause: causeSentence(group, comparison, language),
    })),
  };
}

async function isThere(run: string, { held }: Studio): Promise<boolean> {
  return await held.open(run).then(
    () => true,
    () => false,
  );
}
