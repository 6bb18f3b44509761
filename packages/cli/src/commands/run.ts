import { FlowNotReady, ProjectFailure } from '@unroll/project';
import { readBulkSettings } from '../bulk/read-bulk-settings.ts';
import { exitCodes } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { RunSettings } from '../options/run-options.ts';
import { errorResult, stringifyJsonLine, stringifyResult, unrunResult } from '../runs/run-result.ts';
import { runOneNode } from './run-node.ts';
import { runOneRow } from './run-row.ts';

/** `flow run`: one row of a flow, one node of it, or all rows of a dataset. */
export async function run(settings: RunSettings, io: Io): Promise<number> {
  const { resume, retryFailed, node } = settings;
  if (resume !== undefined) return await (await loadBulk()).resumeBulk(resume, 'resume', settings, io);
  if (retryFailed !== undefined) return await (await loadBulk()).resumeBulk(retryFailed, 'retryFailed', settings, io);
  const asked = readBulkSettings(settings, io);
  if (asked.data !== undefined || asked.run !== undefined) {
    refuseSingleRow(settings);
    return await (await loadBulk()).startBulk(asked, settings, io);
  }
  if (node === undefined) return await runOneRow(asked, settings, io);
  return await runOneNode(node, asked, settings, io);
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

/** @throws ProjectFailure for options that mean one row or one node beside data */
function refuseSingleRow({ input, inputs, node, from }: RunSettings): void {
  const [given] =
    Object.entries({ input: input[0], inputs, node, from }).find(([, value]) => value !== undefined) ?? [];
  if (given === undefined) return;
  throw new ProjectFailure(`--${given} is for one row, and --data and --run are for many`, {
    help: given.startsWith('input') ? 'For the same value in every row: --column-mapping name=value' : undefined,
  });
}

/** A single row does without what only many rows need. */
function loadBulk() {
  return import('../bulk/run-dataset.ts');
}
