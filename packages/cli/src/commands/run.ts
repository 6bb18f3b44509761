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
import type { CommandCall } from '../command-spec.ts';
import { exitCodes } from '../exit-code.ts';
import { listOf, textOf } from '../option-values.ts';
import { hostOf } from '../project-host.ts';
import { errorResult, stringifyJsonLine, stringifyResult, unrunResult } from '../runs/run-result.ts';
import { createStyle, usesColor } from '../text/style.ts';
import { readInputs } from './read-inputs.ts';
import { runOneNode } from './run-node.ts';
import { runOneRow } from './run-row.ts';

/** `flow run`: one row of a flow, one node of it, or all rows of a dataset. */
export async function run(call: CommandCall): Promise<number> {
  if (call.options['json'] !== true) return await dispatch(call);
  try {
    return await dispatch(call);
  } catch (error) {
    if (!(error instanceof ProjectFailure) || error instanceof FlowNotReady) throw error;
    const result = unrunResult(errorResult(error, undefined));
    const isBulk = ['data', 'run', 'file', 'resume', 'retryFailed'].some((name) => call.options[name] !== undefined);
    call.io.stdout.write(isBulk ? stringifyJsonLine({ event: 'run-ended', ...result }) : stringifyResult(result));
    return exitCodes[error.kind];
  }
}

async function dispatch(call: CommandCall): Promise<number> {
  const resumed = textOf(call.options, 'resume');
  const retried = textOf(call.options, 'retryFailed');
  if (resumed !== undefined) return await (await loadBulk()).resumeBulk(resumed, 'resume', call);
  if (retried !== undefined) return await (await loadBulk()).resumeBulk(retried, 'retry-failed', call);
  const settings = readBulkSettings(call);
  if (settings.data !== undefined || settings.run !== undefined) {
    refuseSingleRow(call);
    return await (await loadBulk()).startBulk(settings, call);
  }
  const { io, options } = call;
  const found = findFlow(settings.flow, io);
  const given = await readInputs({ file: textOf(options, 'inputs'), pairs: listOf(options, 'input') }, io);
  const node = textOf(options, 'node');
  const opened = await openForRun(
    found,
    {
      ...settings,
      ...rowBudgetOf(settings),
      ...(node === undefined ? {} : { only: new Set([node]) }),
    },
    hostOf(call),
  );
  await using flow = opened.flow;
  if (node !== undefined) return await runOneNode(flow, found, node, given, call);
  const asGiven = { ...given.fromFile, ...given.fromPairs };
  const sample = sampleInputs(asGiven, flow.plan, found.folder, io);
  if (sample !== undefined) io.stderr.write('inputs are those of the sample\n');
  return await runOneRow(flow, found, checkedInputs(flow, sample ?? asGiven, call), call);
}

/** Where there is one row, what the run may spend is what the row may. */
function rowBudgetOf({ budget, rowBudget }: BulkSettings): Pick<BulkSettings, 'rowBudget'> {
  return budget === undefined && rowBudget === undefined ? {} : { rowBudget: { ...budget, ...rowBudget } };
}

/** @throws ProjectFailure for options that mean one row or one node beside data */
function refuseSingleRow({ options }: CommandCall): void {
  const given = ['input', 'inputs', 'node', 'from'].find((name) => options[name] !== undefined);
  if (given === undefined) return;
  throw new ProjectFailure(`--${given} is for one row, and --data and --run are for many`, {
    help: given.startsWith('input') ? 'For the same value in every row: --column-mapping name=value' : undefined,
  });
}

/** A single row does without what only many rows need. */
function loadBulk() {
  return import('./run-dataset.ts');
}

/** @throws ProjectFailure when inputs are missing */
function checkedInputs(flow: RunnableFlow, given: JsonObject, { io, options }: CommandCall): JsonObject {
  const style = createStyle(usesColor(io.stderr, io, options['color']));
  const known = flow.plan.inputs.map(({ name }) => name);
  for (const warning of unknownInputs(given, known)) io.stderr.write(`${style.warn('warning')}: ${warning}\n`);
  return testInputs(flow.plan, given);
}
