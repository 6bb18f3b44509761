import type { Studio } from '../studio/studio.ts';
import type { DiffOptions, RunPage } from '../studio-contract/contract.ts';
import { type Answers, questionOf } from './answers.ts';
import { addLists, addRun, type ExportBounds } from './export-runs.ts';
import { addDiff, type DiffAsked } from './exported-diff.ts';
import type { ExportedView } from './exported-view.ts';

export interface DiffViewAsked extends Required<Pick<DiffAsked, 'left' | 'right' | 'rows' | 'places' | 'first'>> {
  readonly options: DiffOptions;
}

/** Of each run. What differs in a row is told on the page; the pages of the two rows are many times as large. */
const runBounds: ExportBounds = { lines: 500, pages: 10, bytes: 2_000_000, diffRows: 0 };

/** Characters of pairs of rows: with all else a file of less than 20 MB. */
const roomOfPairs = 8_000_000;

/** Two runs as the page compares them, with the runs and the rows that it leads to as far as a file holds them. */
export function diffView(asked: DiffViewAsked): ExportedView {
  const { left, right, options, first } = asked;
  return {
    start: `/${questionOf('diff', { left, right, ...options, ...first })}`,
    title: `${left} → ${right}`,
    gather: (into, studio) => addCompared(asked, into, studio),
  };
}

async function addCompared(asked: DiffViewAsked, into: Answers, studio: Studio): Promise<void> {
  await into.add('session', async () => studio.session());
  const { told = [] } = (await addDiff({ ...asked, room: roomOfPairs }, into, studio)) ?? {};
  const pages: RunPage[] = [];
  for (const side of ['left', 'right'] as const) {
    if (side === 'right' && asked.left === asked.right) break;
    const first = told.map((pair) => pair[side]);
    const page = await addRun(asked[side], { bounds: runBounds, put: () => undefined, first }, into, studio);
    if (page !== undefined) pages.push(page);
  }
  await addLists(pages, into, studio);
}
