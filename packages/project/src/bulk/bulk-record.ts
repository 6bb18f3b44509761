import type { RunnableFlow, RunReader } from '@unroll/engine';
import type { FoundFlow } from '../flows/find-flow.ts';
import { replayDigest } from '../flows/open-cassette.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { type RecordedRun, type RecordSettings, recordRun } from '../records/record-run.ts';
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
  rows: BulkRows,
  host: ProjectHost,
): RecordedRun {
  return recordRun(flow, found, bulkRecordSettings(settings, rows, host), host);
}

/** What the record of a bulk run says of it beside its flow. */
export function bulkRecordSettings(
  settings: BulkSettings,
  { data, mapping }: BulkRows,
  host: ProjectHost,
): RecordSettings {
  const { name, since, durable } = settings;
  const id = name === undefined ? {} : { id: name };
  // A run that was named as its data is recorded by its id: `latest` would be another when it goes on.
  const options = recordedSettings({ ...settings, ...(data.path === undefined ? {} : { data: data.path }) });
  const replayed = replayDigest(settings.cassette, host);
  const answers = replayed === undefined ? {} : { cassetteDigest: replayed };
  return { ...id, since, durable, options: { ...options, ...answers }, data, columnMapping: mapping };
}

/** What of a recorded run is done. */
export async function countRecorded(
  reader: RunReader,
): Promise<{ readonly completed: number; readonly failed: number }> {
  const { Completed: completed, Failed: failed } = await reader.rowCounts();
  return { completed, failed };
}
