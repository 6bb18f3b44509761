import type { RunnableFlow, RunReader } from '@unroll/engine';
import type { FoundFlow } from '../flows/find-flow.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { type RecordedRun, recordRun } from '../records/record-run.ts';
import type { BulkRows } from './bulk-rows.ts';
import type { BulkSettings } from './bulk-settings.ts';
import { recordedSettings } from './recorded-settings.ts';

/**
 * Starts the record of a bulk run.
 *
 * @throws ProjectFailure when its name cannot be taken, or the record cannot be written
 */
export function startRecord(
  flow: Pick<RunnableFlow, 'plan' | 'definitions' | 'redactor'>,
  found: FoundFlow,
  settings: BulkSettings,
  { data, mapping }: BulkRows,
  host: ProjectHost,
): RecordedRun {
  const { name, since, durable } = settings;
  const id = name === undefined ? {} : { id: name };
  // A run that was named as its data is recorded by its id: `latest` would be another when it goes on.
  const options = recordedSettings({ ...settings, ...(data.path === undefined ? {} : { data: data.path }) });
  return recordRun(flow, found, { ...id, since, durable, options, data, columnMapping: mapping }, host);
}

/** What of a recorded run is done. */
export async function countRecorded(
  reader: RunReader,
): Promise<{ readonly completed: number; readonly failed: number }> {
  const { Completed: completed, Failed: failed } = await reader.rowCounts();
  return { completed, failed };
}
