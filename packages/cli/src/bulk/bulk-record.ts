import type { RunnableFlow, RunStore } from '@unroll/engine';
import { type RecordedRun, recordRun } from '@unroll/project';
import type { CommandCall } from '../command-spec.ts';
import type { FoundFlow } from '../commands/locate.ts';
import { hostOf } from '../project-host.ts';
import { givenRecord } from '../runs/given-run.ts';
import type { BulkRows } from './bulk-rows.ts';
import type { BulkSettings } from './bulk-settings.ts';
import { recordedCassette, recordedSettings } from './recorded-settings.ts';

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
  call: CommandCall,
): RecordedRun {
  const { name } = settings;
  return recordRun(
    flow,
    found,
    {
      ...givenRecord(call),
      ...(name === undefined ? {} : { id: name }),
      options: { ...recordedSettings(settings), ...recordedCassette(call) },
      data,
      columnMapping: mapping,
    },
    hostOf(call),
  );
}

/** What of a recorded run is done. */
export function countRecorded(store: RunStore): { readonly completed: number; readonly failed: number } {
  const { Completed: completed, Failed: failed } = store.rowCounts();
  return { completed, failed };
}
