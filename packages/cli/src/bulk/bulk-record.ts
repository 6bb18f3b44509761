import { existsSync } from 'node:fs';
import type { RunnableFlow, RunStore } from '@unroll/engine';
import { CommandFailure } from '../command-failure.ts';
import type { CommandCall } from '../command-spec.ts';
import type { FoundFlow } from '../commands/locate.ts';
import { type RecordedRun, recordRun } from '../runs/record-run.ts';
import { runPath, runsFolder } from '../runs/runs-folder.ts';
import type { BulkRows } from './bulk-rows.ts';
import type { BulkSettings } from './bulk-settings.ts';
import { recordedSettings } from './recorded-settings.ts';

/**
 * Starts the record of a bulk run.
 *
 * @throws CommandFailure when its name cannot be taken, or the record cannot be written
 */
export function startRecord(
  flow: Pick<RunnableFlow, 'plan' | 'definitions'>,
  found: FoundFlow,
  settings: BulkSettings,
  { data, mapping }: BulkRows,
  call: CommandCall,
): RecordedRun {
  const { name } = settings;
  if (name !== undefined) checkName(name, call);
  return recordRun(flow, found, call, recordedSettings(settings), {
    data,
    columnMapping: mapping,
    ...(name === undefined ? {} : { id: name }),
  });
}

function checkName(name: string, { io, options }: CommandCall): void {
  if (!/^[\p{L}\p{N}_][\p{L}\p{N}._-]{0,99}$/u.test(name)) {
    throw new CommandFailure(`a run cannot be called "${name}"`, {
      help: 'Letters, digits, ".", "_" and "-", at most 100, and none of "." and "-" at the start.',
    });
  }
  if (!existsSync(runPath(runsFolder(options, io), name))) return;
  throw new CommandFailure(`there is a run ${name} already`, {
    help: `flow run --resume ${name} goes on with it; flow runs rm ${name} removes it.`,
    code: 'RunExists',
  });
}

/** What of a recorded run is done. */
export function countRecorded(store: RunStore): { readonly completed: number; readonly failed: number } {
  const { Completed: completed, Failed: failed } = store.rowCounts();
  return { completed, failed };
}
