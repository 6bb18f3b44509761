import { ProjectFailure } from '../host/project-failure.ts';
import type { EvaluationPage, EvaluationsPage, FailingGroup, RunLine } from '../studio-contract/contract.ts';
import { metricRows } from './evaluation-metrics.ts';
import { runsOf, shownRuns } from './evaluation-runs.ts';
import { evaluationVerdict, type JudgedRun } from './evaluation-verdict.ts';
import type { FoundEvaluation } from './evaluations.ts';
import { loopViews } from './loop-views.ts';
import type { Studio } from './studio.ts';
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
export async function evaluationPage(path: string, runs: readonly string[], studio: Studio): Promise<EvaluationPage> {
  const evaluation = await studio.evaluations.named(path);
  const candidates = await runsOf(evaluation, studio);
  const lines = shownRuns(runs, candidates, evaluation);
  const { judged, problem } = await judgedRuns(evaluation, lines, studio);
  const first = judged[0]?.result;
  return {
    ...{ path, name: evaluation.name },
    verdict: evaluationVerdict(judged),
    ...(problem === undefined ? {} : { problem }),
    ...(evaluation.baseline === undefined ? {} : { baseline: evaluation.baseline.run.id }),
    candidates: candidates.map(({ id }) => id),
    rows: first?.rows.total ?? 0,
    pairedBy: first?.keys?.name ?? 'line',
    runs: await Promise.all(judged.map(async (run) => await runView(run, evaluation, studio))),
    metrics: metricRows(judged, evaluation.spec),
    method,
  };
}

const method =
  'Differences are of the same rows in both runs: McNemar’s exact test where rows pass or fail, a permutation test for numbers. ' +
  'Intervals are as wide as testing all metrics at once asks for, so that one leaves out 0 just where its metric is better or worse.';

interface Judged {
  readonly judged: readonly JudgedRun[];
  readonly problem?: string;
}

async function judgedRuns(evaluation: FoundEvaluation, lines: readonly RunLine[], studio: Studio): Promise<Judged> {
  const [first] = lines;
  if (first === undefined)
    return {
      judged: [],
      problem: `no run of its flow over its data has ended yet: flow eval ${evaluation.path} makes one`,
    };
  try {
    const judged: JudgedRun[] = [];
    const { path: firstPath } = await studio.held.open(first.id);
    for (const line of lines) {
      const { path } = await studio.held.open(line.id);
      const { result } = await studio.evaluations.score(evaluation, path);
      const against = line === first ? result : (await studio.evaluations.score(evaluation, path, firstPath)).result;
      judged.push({ line, result, against });
    }
    return { judged };
  } catch (error) {
    if (!(error instanceof ProjectFailure)) throw error;
    return { judged: [], problem: error.help === undefined ? error.message : `${error.message}. ${error.help}` };
  }
}

async function runView(
  { line, result }: JudgedRun,
  { baseline }: FoundEvaluation,
  studio: Studio,
): Promise<EvaluationPage['runs'][number]> {
  const held = await studio.held.open(line.id);
  const gated = result.metrics.flatMap(({ name, gate }) => (gate === undefined ? [] : [{ name, passed: gate.passed }]));
  const failing = gated.filter(({ passed }) => !passed).map(({ name }) => name);
  return {
    run: line,
    isBaseline: line.id === baseline?.run.id,
    gates: { met: gated.length - failing.length, failed: failing.length, failing },
    unfinished: result.rows.unfinished,
    failing: result.firstBad.map(failingGroup),
    failingRows: result.firstBad.reduce((sum, { rows }) => sum + rows, 0),
    loops: loopViews(held.reader.info, await held.index(), result),
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
