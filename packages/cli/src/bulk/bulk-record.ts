import type { RunnableFlow, RunStore } from '@unroll/engine';
import type { CommandCall } from '../command-spec.ts';
import type { FoundFlow } from '../commands/locate.ts';
import { type RecordedRun, recordRun } from '../runs/record-run.ts';
import type { BulkRows } from './bulk-rows.ts';
import type { BulkSettings } from './bulk-settings.ts';
import { recordedCassette, recordedSettings } from './recorded-settings.ts';

/**
 * Starts the record of a bulk run.
 *
 * @throws CommandFailure when its name cannot be taken, or the record cannot be written
 */
export function startRecord(
  flow: Pick<RunnableFlow, 'plan' | 'definitions' | 'redactor'>,
  found: FoundFlow,
  settings: BulkSettings,
  { data, mapping }: BulkRows,
  call: CommandCall,
): RecordedRun {
  const { name } = settings;
  return recordRun(
    flow,
    found,
    call,
    { ...recordedSettings(settings), ...recordedCassette(call) },
    {
      data,
      columnMapping: mapping,
      ...(name === undefined ? {} : { id: name }),
    },
  );
}

/** What of a recorded run is done. */
export function countRecorded(store: RunStore): { readonly completed: number; readonly failed: number } {
  const { Completed: completed, Failed: failed } = store.rowCounts();
  return { completed, failed };
}
