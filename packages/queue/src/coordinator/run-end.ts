import type { RunReader } from '@unroll/engine';
import { type DistantEnd, notify, type ProjectHost } from '@unroll/project';
import type { RunWork } from '../work/index.ts';

/** How a run on workers ended. Rows that were removed in the database meanwhile are told: such a run has not come to its end. */
export async function endOf({ id, standing }: RunWork, reader: RunReader, host: ProjectHost): Promise<DistantEnd> {
  const { state, stoppedFor, budgetText, elapsedMs } = standing;
  const lost = state === 'ended' ? await lostRows(reader) : 0;
  if (lost > 0) {
    const rows = lost === 1 ? '1 of its rows is' : `${lost} of its rows are`;
    const message = `run ${id} came to its end, and ${rows} no longer in the database, where somebody removed them`;
    notify(host, { kind: 'warning', message });
  }
  return {
    stopped: state !== 'ended' || lost > 0,
    timedOut: stoppedFor === 'time',
    budget: budgetText,
    elapsedMs,
  };
}

async function lostRows(reader: RunReader): Promise<number> {
  const { Completed: completed, Failed: failed, Canceled: canceled } = await reader.rowCounts();
  const rows = completed + failed + canceled;
  return (reader.info.data?.total ?? rows) - rows;
}
