import { evaluationPage, evaluationsPage } from '../studio/evaluation-pages.ts';
import type { Language } from '../studio/lens.ts';
import { runsPage } from '../studio/runs-page.ts';
import type { Studio } from '../studio/studio.ts';
import type { ExportedRows, RunLine, RunPage } from '../studio-contract/contract.ts';
import { type Answers, questionOf } from './answers.ts';
import { addDiff } from './exported-diff.ts';
import { exportedRows, type RowBounds, type RowPlace } from './exported-rows.ts';

export interface ExportBounds extends RowBounds {
  /** Of each group of a comparison. */
  readonly diffRows: number;
}

/** Of a run of 100,000 rows an export stays one that a browser opens and a mail carries. */
export const exportBounds: ExportBounds = { lines: 2000, pages: 200, bytes: 100_000_000, diffRows: 50 };

export interface RunsAsked {
  /** Ids. */
  readonly runs: readonly string[];
  readonly bounds: ExportBounds;
  /** Takes the answers that belong together, so that they can be written before the next are made. */
  readonly put: () => void;
}

/** Everything a reader of these runs can ask for: the list, each run with its rows, comparisons and evaluations. */
export async function addRuns({ runs, bounds, put }: RunsAsked, into: Answers, studio: Studio): Promise<void> {
  const pages: RunPage[] = [];
  for (const id of runs) {
    const page = await addRun(id, { bounds, put }, into, studio);
    if (page !== undefined) pages.push(page);
  }
  await into.add('session', async () => studio.session());
  await addLists(pages, into, studio);
  await addEvaluations(runs, into, studio);
  put();
  for (const [left, right] of pairsOf(pages)) {
    await addDiff({ left, right, rows: bounds.diffRows }, into, studio);
    put();
  }
}

/** Pages of rows that are read together: who goes through the rows asks for a file now and then. */
const pagesAtOnce = 20;

interface RunAsked extends Pick<RunsAsked, 'bounds' | 'put'> {
  /** Path of the evaluation that it is seen by; undefined for the usual one. */
  readonly evaluation?: string | undefined;
  /** Rows that come before all others. */
  readonly first?: readonly RowPlace[];
}

export async function addRun(
  id: string,
  { bounds, put, evaluation, first = [] }: RunAsked,
  into: Answers,
  studio: Studio,
): Promise<RunPage | undefined> {
  const path = `runs/${encodeURIComponent(id)}`;
  const page = await into.add(path, async () => whole(await studio.run(id, { evaluation })));
  if (page === undefined) return undefined;
  await into.add(`${path}#ja`, async () => whole(await studio.run(id, { evaluation, language: 'ja' })));
  const rows = await exportedRows(page, studio, { ...bounds, first });
  const opened = await addRowPages(page, rows, { bounds, put }, { into, studio });
  into.rows[`${path}/rows`] = { ...rows, opened };
  put();
  return page;
}

/** @returns the rows whose pages are in it: as many as its bounds let in */
async function addRowPages(
  { run: { id }, evaluation }: RunPage,
  { lines, opened }: ExportedRows,
  { bounds, put }: Pick<RunsAsked, 'bounds' | 'put'>,
  { into, studio }: { readonly into: Answers; readonly studio: Studio },
): Promise<readonly number[]> {
  const added: number[] = [];
  let bytes = 0;
  for (const place of opened) {
    if (bytes > bounds.bytes) break;
    const { line = 0, repeat = 0 } = lines[place] ?? {};
    const question = `runs/${encodeURIComponent(id)}/rows/${line}/${repeat}`;
    const row = await into.add(question, () => studio.row(id, { line, repeat }, { evaluation }));
    if (row === undefined) continue;
    bytes += JSON.stringify(row).length;
    added.push(place);
    if (added.length % pagesAtOnce === 0) put();
  }
  return added;
}

/** A run that goes on is shown as it stood; another evaluation of it cannot be asked for. */
function whole(page: RunPage): RunPage {
  const { progress: _, ...run } = page.run;
  return { ...page, run, evaluations: page.evaluation === undefined ? [] : [page.evaluation] };
}

const filters = ['all', 'live', 'needs-look', 'resumable', 'evaluation'] as const;

export async function addLists(pages: readonly RunPage[], into: Answers, studio: Studio): Promise<void> {
  const newest = pages.map(({ run }) => run).toSorted((one, other) => other.startedAt - one.startedAt);
  const ids = newest.map(({ id }) => id);
  const flows = [undefined, ...new Set(newest.map(({ flow }) => flow))];
  for (const language of ['en', 'ja'] as const) {
    const lines = await studio.listed(ids, language);
    const suffix = language === 'en' ? '' : `#${language}`;
    for (const flow of flows) {
      for (const filter of [undefined, ...filters])
        await into.add(questionOf('runs', { filter, flow }) + suffix, async () =>
          listOf(lines, { filter, flow }, language),
        );
    }
  }
}

type ListQuery = { readonly filter: (typeof filters)[number] | undefined; readonly flow: string | undefined };

function listOf(lines: readonly RunLine[], query: ListQuery, language: Language) {
  return runsPage(lines, { ...query, language, limit: lines.length });
}

/** Each run with the one it is compared with, and with the one before it of the same flow. */
function pairsOf(pages: readonly RunPage[]): readonly (readonly [string, string])[] {
  const oldest = pages.toSorted((one, other) => one.run.startedAt - other.run.startedAt);
  const pairs = oldest.flatMap(({ run, against }, at) => {
    const before = oldest.slice(0, at).findLast((one) => one.run.flow === run.flow)?.run.id;
    return [...new Set([against, before])].flatMap((left) =>
      left === undefined || left === run.id ? [] : [[left, run.id] as const],
    );
  });
  return [...new Map(pairs.map((pair) => [pair.join('\n'), pair])).values()];
}

async function addEvaluations(runs: readonly string[], into: Answers, studio: Studio): Promise<void> {
  const all = await evaluationsPage(studio);
  const shown = all.evaluations
    .map((one) => ({ ...one, runs: one.runs.filter((run) => runs.includes(run)) }))
    .filter((one) => one.runs.length > 0);
  for (const { path, runs: ofIt } of shown) {
    const oldestFirst = ofIt.toReversed().slice(-maxBeside);
    await into.add(questionOf('evaluation', { path }), async () => ({
      ...(await evaluationPage(path, oldestFirst, studio)),
      candidates: oldestFirst,
    }));
  }
  if (shown.length > 0) await into.add('evaluations', async () => ({ evaluations: shown }));
}

/** Runs of one evaluation that stand beside each other. */
const maxBeside = 6;
