import type { JsonObject, RunnableFlow } from '@unroll/engine';
import {
  type BulkSettings,
  FlowNotReady,
  findFlow,
  openForRun,
  ProjectFailure,
  sampleInputs,
  testInputs,
  unknownInputs,
} from '@unroll/project';
import { readBulkSettings } from '../bulk/read-bulk-settings.ts';
import { exitCodes } from '../exit-code.ts';
import { readInputs } from '../inputs/read-inputs.ts';
import type { Io } from '../io.ts';
import type { RunSettings } from '../options/run-options.ts';
import { hostOf } from '../project-host.ts';
import { errorResult, stringifyJsonLine, stringifyResult, unrunResult } from '../runs/run-result.ts';
import { createStyle, usesColor } from '../text/style.ts';
import { runOneNode } from './run-node.ts';
import { runOneRow } from './run-row.ts';

/** `flow run`: one row of a flow, one node of it, or all rows of a dataset. */
export async function run(settings: RunSettings, io: Io): Promise<number> {
  const { resume, retryFailed, node } = settings;
  if (resume !== undefined) return await (await loadBulk()).resumeBulk(resume, 'resume', settings, io);
  if (retryFailed !== undefined) return await (await loadBulk()).resumeBulk(retryFailed, 'retry-failed', settings, io);
  const bulk = readBulkSettings(settings, io);
  if (bulk.data !== undefined || bulk.run !== undefined) {
    refuseSingleRow(settings);
    return await (await loadBulk()).startBulk(bulk, settings, io);
  }
  const found = findFlow(bulk.flow, io);
  const given = await readInputs({ file: settings.inputs, pairs: settings.input }, io);
  const only = node === undefined ? {} : { only: new Set([node]) };
  const opened = await openForRun(found, { ...bulk, ...rowBudgetOf(bulk), ...only }, hostOf(settings, io));
  await using flow = opened.flow;
  if (node !== undefined) return await runOneNode(flow, found, { node, inputs: given }, settings, io);
  const asGiven = { ...given.fromFile, ...given.fromPairs };
  const sample = sampleInputs(asGiven, flow.plan, found.folder, io);
  if (sample !== undefined) io.stderr.write('inputs are those of the sample\n');
  return await runOneRow(flow, found, checkedInputs(flow, sample ?? asGiven, settings, io), settings, io);
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

/** Where there is one row, what the run may spend is what the row may. */
function rowBudgetOf({ budget, rowBudget }: BulkSettings): Pick<BulkSettings, 'rowBudget'> {
  return budget === undefined && rowBudget === undefined ? {} : { rowBudget: { ...budget, ...rowBudget } };
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

/** @throws ProjectFailure when inputs are missing */
function checkedInputs(flow: RunnableFlow, given: JsonObject, settings: RunSettings, io: Io): JsonObject {
  const style = createStyle(usesColor(io.stderr, io, settings.color));
  const known = flow.plan.inputs.map(({ name }) => name);
  for (const warning of unknownInputs(given, known)) io.stderr.write(`${style.warn('warning')}: ${warning}\n`);
  return testInputs(flow.plan, given);
}
