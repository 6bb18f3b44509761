import type { RunReader } from '@unroll/engine';
import { type RunPlaces, workState } from '../records/open-record.ts';
import { formatCount } from '../words/index.ts';
import { recordedStatus } from './run-summary.ts';

/** What there is of a run that has not come to its end, after `run ID`; undefined where it has. */
export async function whyUnfinished(place: string, store: RunReader, host: RunPlaces): Promise<string | undefined> {
  const counts = await store.rowCounts();
  const rows = counts.Completed + counts.Failed + counts.Canceled;
  const isRunning = (await workState(place, host)) === 'running';
  const { data } = store.info;
  if (data === undefined) {
    if (rows > 0) return undefined;
    return isRunning ? 'is under way: its row has not ended' : 'was ended by force: its row is not recorded';
  }
  const status = await recordedStatus(place, store, host, counts);
  if (status !== 'Running' && status !== 'Canceled') return undefined;
  const of = data.total === undefined ? '' : ` of ${formatCount(data.total)}`;
  return `${isRunning ? 'is under way' : 'was stopped before its end'}: ${formatCount(rows)}${of} rows are here`;
}
