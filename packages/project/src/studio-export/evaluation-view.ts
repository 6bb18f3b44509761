import type { ScoredEvaluation } from '../evaluation/scored-evaluation.ts';
import { runIdOf } from '../records/record-place.ts';
import { scoredPage } from '../studio/evaluation-pages.ts';
import type { Studio } from '../studio/studio.ts';
import type { EvaluationPage, EvaluationsPage, RunPage } from '../studio-contract/contract.ts';
import { type Answers, questionOf } from './answers.ts';
import { addLists, addRun, type ExportBounds } from './export-runs.ts';
import { addDiff } from './exported-diff.ts';
import type { RowPlace } from './exported-rows.ts';
import type { ExportedView } from './exported-view.ts';

/** Of the run that was scored; failing rows are there first. */
const runBounds: ExportBounds = { lines: 500, pages: 60, bytes: 2_000_000, diffRows: 10 };
/** Of the run it was compared with, and of those that asked judges. */
const otherBounds: ExportBounds = { lines: 200, pages: 20, bytes: 500_000, diffRows: 10 };

/** The page of an evaluation, for a studio that was given it, with its runs as far as a file holds them. */
export function evaluationView(scored: ScoredEvaluation): ExportedView {
  const { path, result } = scored;
  return {
    start: `/evaluations?${new URLSearchParams({ path })}`,
    title: `${result.name}: evaluation of ${result.run.id}`,
    gather: (into, studio) => addEvaluation(scored, into, studio),
  };
}

/** Places of the records that an evaluation was made from, by their ids. */
export function recordsOf({ record, against }: ScoredEvaluation): ReadonlyMap<string, string> {
  const places = [...(against === undefined ? [] : [against.record]), record];
  return new Map(places.map((place) => [runIdOf(place), place]));
}

async function addEvaluation(scored: ScoredEvaluation, into: Answers, studio: Studio): Promise<void> {
  const { path, result, record } = scored;
  const shown = [...recordsOf(scored).keys()];
  const run = runIdOf(record);
  const question = questionOf('evaluation', { path });
  const page = await into.add(question, () => scoredPage(path, shown, studio));
  await into.add(`${question}#ja`, () => scoredPage(path, shown, studio, 'ja'));
  await into.add('evaluations', async () => listOf(scored, shown));
  await into.add('session', async () => studio.session());
  const before = result.baseline?.id;
  const judges = result.metrics.flatMap(({ judgedBy }) => judgedBy ?? []);
  const others = [...shown, ...(before === undefined ? [] : [before]), ...judges];
  const pages: RunPage[] = [];
  for (const id of new Set([run, ...others])) {
    const asked = { bounds: id === run ? runBounds : otherBounds, put: () => undefined };
    const seen = shown.includes(id) ? { evaluation: path, first: linkedRows(page, id) } : {};
    const added = await addRun(id, { ...asked, ...seen }, into, studio);
    if (added !== undefined) pages.push(added);
  }
  await addLists(pages, into, studio);
  if (before !== undefined && before !== run && pages.some((one) => one.run.id === before))
    await addDiff({ left: before, right: run, rows: runBounds.diffRows }, into, studio);
}

/** Rows that the page leads to, one of each group before the next of any. */
function linkedRows(page: EvaluationPage | undefined, run: string): readonly RowPlace[] {
  const shown = page?.runs.find((one) => one.run.id === run);
  const worse = (shown?.since?.worse ?? []).map(({ lines }) => lines.map((line) => ({ line, repeat: 0 })));
  const groups = [...(shown?.failing ?? []).map(({ examples }) => examples), ...worse];
  const max = Math.max(0, ...groups.map(({ length }) => length));
  return Array.from({ length: max }, (_, at) => groups.flatMap((group) => group[at] ?? [])).flat();
}

function listOf({ path, spec, result, baseline }: ScoredEvaluation, runs: readonly string[]): EvaluationsPage {
  const data = result.run.made?.data?.path;
  const one = {
    ...{ path, name: result.name, flow: result.run.flow, runs, mistakes: [] },
    ...(data === undefined ? {} : { data }),
    metrics: spec.metrics.length,
    gates: spec.metrics.filter(({ gate }) => gate !== undefined).length,
    hasBaseline: baseline !== undefined,
    asksJudges: result.metrics.some(({ judgedBy }) => judgedBy !== undefined),
  };
  return { evaluations: [one] };
}
