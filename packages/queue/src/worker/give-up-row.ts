import type { DataRow, RunLog } from '@unroll/engine';
import type { WorkedRun } from './worked-run.ts';

/** Records the first row of a job that has not ended as failed: the rows ran one by one, so it is the one that ends its workers. */
export async function giveUpRow(run: WorkedRun, rows: readonly DataRow[], log: RunLog): Promise<void> {
  for (const row of rows) {
    for (let repeat = 0; repeat < run.work.settings.repeat; repeat += 1) {
      if ((await log.row(row.line, repeat)) !== undefined) continue;
      await log.append([], {
        line: row.line,
        ...(repeat === 0 ? {} : { repeat }),
        status: 'Failed',
        inputs: 'values' in row ? run.flow.redactor.value(row.values) : {},
        outputs: {},
        error: {
          code: 'WorkerLost',
          message: 'every worker that ran this row ended without a word while it did',
          retryable: false,
        },
        startedAt: Date.now(),
        durationMs: 0,
      });
      return;
    }
  }
}
