import type { EvalResult } from '@unroll/evals';
import { ProjectFailure } from '../host/project-failure.ts';
import type { EvaluationPage, EvaluationsPage, FailingGroup, RunLine } from '../studio-contract/contract.ts';
import { sinceRun } from './evaluation-comparison.ts';
import { metricRows } from './evaluation-metrics.ts';
import { runsOf, shownRuns } from './evaluation-runs.ts';
import { evaluationVerdict } from './evaluation-verdict.ts';
import { evaluationWords } from './evaluation-words.ts';
import type { FoundEvaluation } from './evaluations.ts';
import { graphView } from './graph-view.ts';
import type { JudgedRun, JudgeFigures } from './judged-run.ts';
import type { Language } from './lens.ts';
import { loopViews } from './loop-views.ts';
import { nodeScore } from './node-score.ts';
import { withIndex } from './run-page.ts';
import { slicedScores } from './sliced-scores.ts';
import type { Studio } from './studio.ts';
import { unscoredProblem } from './unscored-problem.ts';
import { valueView } from './value-view.ts';

/** Every evaluation of the folder with the runs it can score. */
export async function evaluationsPage(studio: Studio): Promise<EvaluationsPage> {
  const found = await studio.evaluations.list();
  const evaluations = await Promise.all(
    found.map(async (one) => {
      const { path, name, flow, data, spec, baseline, asked, mistakes } = one;
      const metrics = spec?.metrics ?? [];
      return {
        ...{ path, name, mistakes, metrics: metrics.length },
        ...(flow === undefined ? {} : { flow }),
        ...(data === undefined ? {} : { data }),
        gates: metrics.filter(({ gate }) => gate !== undefined).length,
        hasBaseline: baseline !== undefined,
        asksJudges: asked.length > 0,
        runs: (await runsOf(one, studio)).map(({ id }) => id),
      };
    }),
  );
  return { evaluations };
}

/**
 * One evaluation of one or several runs. Nothing is run and no model is asked for it.
 *
 * @param runs ids; none: the run of the baseline and the newest
 * @throws ProjectFailure where there is no such evaluation, or a run is not of it
 */
export async function evaluationPage(
  path: string,
  runs: readonly string[],
  studio: Studio,
  language: Language = 'en',
): Promise<EvaluationPage> {
  const evaluation = await studio.evaluations.named(path);
  const candidates = await runsOf(evaluation, studio);
  const shown = shownRuns(runs, candidates, evaluation);
  return await pageOf(evaluation, { shown, candidates: candidates.map(({ id }) => id), language }, studio);
}

/**
 * The same of runs whose scores the studio was given.
 *
 * @param runs ids, the one that the others are compared with first
 */
export async function scoredPage(
  path: string,
  runs: readonly string[],
  studio: Studio,
  language: Language = 'en',
): Promise<EvaluationPage> {
  const evaluation = await studio.evaluations.named(path);
  const shown: RunLine[] = [];
  for (const id of runs) shown.push(await studio.line(id));
  return await pageOf(evaluation, { shown, candidates: runs, language }, studio);
}

interface ShownRuns {
  readonly shown: readonly RunLine[];
  /** Ids. */
  readonly candidates: readonly string[];
  readonly language: Language;
}

async function pageOf(
  evaluation: FoundEvaluation,
  { shown, candidates, language }: ShownRuns,
  studio: Studio,
): Promise<EvaluationPage> {
  const { judged, problem } = await judgedRuns(evaluation, shown, studio, language);
  const first = judged[0]?.result;
  return {
    ...{ path: evaluation.path, name: evaluation.name },
    verdict: evaluationVerdict(judged, language),
    ...(problem === undefined ? {} : { problem }),
    ...(evaluation.baseline === undefined ? {} : { baseline: evaluation.baseline.run.id }),
    candidates,
    rows: first?.rows.total ?? 0,
    pairedBy: first?.keys?.name ?? 'line',
    runs: await Promise.all(judged.map(async (run) => await runView(run, evaluation, studio, language))),
    metrics: metricRows(judged, evaluation.spec, language),
    method: evaluationWords[language].method,
  };
}

interface Judged {
  readonly judged: readonly JudgedRun[];
  readonly problem?: string;
}

async function judgedRuns(
  evaluation: FoundEvaluation,
  lines: readonly RunLine[],
  studio: Studio,
  language: Language,
): Promise<Judged> {
  const [first] = lines;
  if (first === undefined) return { judged: [], problem: evaluationWords[language].noRun(evaluation.path) };
  try {
    const judged: JudgedRun[] = [];
    const { path: firstPath } = await studio.held.open(first.id);
    for (const line of lines) {
      const { path } = await studio.held.open(line.id);
      const { result } = await studio.evaluations.score(evaluation, path);
      const against = line === first ? result : (await studio.evaluations.score(evaluation, path, firstPath)).result;
      judged.push({ line, result, against, judges: await judgesOf(result, studio) });
    }
    return { judged };
  } catch (error) {
    if (!(error instanceof ProjectFailure)) throw error;
    return { judged: [], problem: unscoredProblem(error, evaluation, language) };
  }
}

/** What the runs of judges took, as far as they can be read. */
async function judgesOf({ metrics }: EvalResult, studio: Studio): Promise<JudgedRun['judges']> {
  const figures = new Map<string, JudgeFigures>();
  for (const run of new Set(metrics.flatMap(({ judgedBy }) => judgedBy ?? []))) {
    const line = await studio.line(run).catch(() => undefined);
    if (line !== undefined) figures.set(run, { tokens: line.tokens, cost: line.cost });
  }
  return figures;
}

async function runView(
  judged: JudgedRun,
  { baseline }: FoundEvaluation,
  studio: Studio,
  language: Language,
): Promise<EvaluationPage['runs'][number]> {
  const { line, result } = judged;
  const held = await studio.held.open(line.id);
  const index = await held.index();
  const since = await sinceRun(judged, studio, language);
  const gated = result.metrics.flatMap(({ name, gate }) => (gate === undefined ? [] : [{ name, passed: gate.passed }]));
  const failing = gated.filter(({ passed }) => !passed).map(({ name }) => name);
  return {
    run: withIndex(line, index),
    isBaseline: line.id === baseline?.run.id,
    gates: { met: gated.length - failing.length, failed: failing.length, failing },
    unfinished: result.rows.unfinished,
    repeats: result.rows.repeats,
    ...(since === undefined ? {} : { since }),
    graph: await graphView(held.reader.info, true, {
      index,
      firstBad: new Map(result.firstBad.map(({ node, rows }) => [node, rows] as const)),
      scoreOf: (names) => nodeScore(names, result),
    }),
    failing: result.firstBad.map(failingGroup),
    failingRows: result.firstBad.reduce((sum, { rows }) => sum + rows, 0),
    loops: loopViews(held.reader.info, index, result),
    slices: slicedScores(judged.against, language),
  };
}

function failingGroup({ node, kind, rows, examples }: JudgedRun['result']['firstBad'][number]): FailingGroup {
  return {
    ...{ node, metric: kind, rows },
    examples: examples.map(({ line, repeat, expected, actual, reason }) => ({
      ...{ line, repeat },
      ...(expected === undefined ? {} : { expected: valueView(expected, undefined, longestExample) }),
      ...(actual === undefined ? {} : { actual: valueView(actual, undefined, longestExample) }),
      ...(reason === undefined ? {} : { reason }),
    })),
  };
}

const longestExample = 1000;
