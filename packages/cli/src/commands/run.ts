import { FlowNotReady, ProjectFailure } from '@unroll/project';
import { readBulkSettings } from '../bulk/read-bulk-settings.ts';
import { engineAddress } from '../engine/with-engine.ts';
import { exitCodes } from '../exit-code.ts';
import type { Io } from '../io.ts';
import { type RunKind, refuseOptionsOfOthers } from '../options/run-kinds.ts';
import type { RunSettings } from '../options/run-options.ts';
import { errorResult, stringifyJsonLine, stringifyResult, unrunResult } from '../runs/run-result.ts';
import { runOneNode } from './run-node.ts';
import { runOneRow } from './run-row.ts';

/** `flow run`: one row of a flow, one node of it, or all rows of a dataset. */
export async function run(settings: RunSettings, io: Io): Promise<number> {
  const { resume, retryFailed, node } = settings;
  const again = resume ?? retryFailed;
  if (again !== undefined) {
    refuseOptionsOfOthers(placed('resumed', settings, io), settings);
    return await (await loadBulk()).resumeBulk(again, resume === undefined ? 'retryFailed' : 'resume', settings, io);
  }
  const asked = readBulkSettings(settings, io);
  if (asked.data !== undefined || asked.run !== undefined) {
    refuseOptionsOfOthers(placed('rows', settings, io), settings);
    return await (await loadBulk()).startBulk(asked, settings, io);
  }
  refuseOptionsOfOthers(node === undefined ? 'row' : 'node', settings);
  if (node === undefined) return await runOneRow(asked, settings, io);
  return await runOneNode(node, asked, settings, io);
}

function placed(kind: 'rows' | 'resumed', settings: RunSettings, io: Io): RunKind {
  return engineAddress(settings, io) === undefined ? kind : `${kind} on workers`;
}

/**
 * What `--json` prints where the command comes to no result.
 *
 * @returns the exit code
 * @throws the error itself where it is to be told as for any other command
 */
export function reportFailure(error: unknown, isBulk: boolean, io: Io): number {
  if (!(error instanceof ProjectFailure) || error instanceof FlowNotReady) throw error;
  const result = unrunResult(errorResult(error, undefined));
  io.stdout.write(isBulk ? stringifyJsonLine({ event: 'run-ended', ...result }) : stringifyResult(result));
  return exitCodes[error.kind];
}

/** A single row does without what only many rows need. */
function loadBulk() {
  return import('../bulk/run-dataset.ts');
}
