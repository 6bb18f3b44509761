import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSqliteRunLog, type RowRun, type RunInfo } from '@unroll/engine';
import { afterAll, expect, test } from 'vitest';
import { readRunSummary } from './run-summary.ts';

const folder = mkdtempSync(join(tmpdir(), 'unroll-summary-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const info: RunInfo = {
  ...{ id: 'served', flowPath: 'f', flowName: 'f', flowDigest: 'f', startedAt: 0 },
  nodes: [{ name: 'search', kind: 'loop', reads: [] }],
};

type End = Pick<RowRun, 'status' | 'error' | 'unfinished'>;

const completed: End = { status: 'Completed' };
const failed: End = { status: 'Failed', error: { code: 'E', message: 'no', node: 'search', retryable: false } };

/** Rows that are read, and so many that they are counted. */
test.for<[string, End, 3 | 300]>(
  ([3, 300] as const).flatMap((rows): [string, End, 3 | 300][] => [
    ['Completed', completed, rows],
    ['Failed', failed, rows],
    ['Canceled', { status: 'Canceled' }, rows],
    ['Unfinished', { status: 'Completed', unfinished: ['search'] }, rows],
  ]),
)('a run without data is %s by its row %j, of %i rows', async ([status, end, rows]) => {
  const path = join(folder, `${status}-${rows}.run`);
  {
    await using log = createSqliteRunLog(path, info);
    for (let line = 0; line < rows; line += 1) {
      const own = line === 1 ? end : completed;
      await log.append([], { line, inputs: {}, outputs: {}, startedAt: 0, durationMs: 1, ...own });
    }
  }
  const summary = await readRunSummary(path, { folder, runsFolder: folder });
  expect(summary).toMatchObject({ status, rows, total: rows, failed: status === 'Failed' ? 1 : 0 });
});
