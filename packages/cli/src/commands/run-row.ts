import { resolve } from 'node:path';
import { type NodeRun, type RowResult, type RunnableFlow, testsAggregation, type Values } from '@unroll/engine';
import type { CommandCall } from '../command-spec.ts';
import { exitCode } from '../exit-code.ts';
import { textOf } from '../option-values.ts';
import { failureText } from '../reporters/failure-text.ts';
import { outputsText, totalsText, unfinishedText } from '../reporters/outcome-text.ts';
import { createRunReporter } from '../reporters/run-reporter.ts';
import { type RecordedRun, recordRun } from '../runs/record-run.ts';
import { nodePlace } from '../runs/run-info.ts';
import { printResult, type RunResult, runResult } from '../runs/run-result.ts';
import { writeOutputs } from '../runs/write-outputs.ts';
import { createStyle, usesColor } from '../text/style.ts';
import type { FoundFlow } from './locate.ts';

/** Runs a flow once, its aggregation nodes over that one row included, as Prompt flow's test of a flow does. */
export async function runOneRow(
  flow: RunnableFlow,
  found: FoundFlow,
  given: Values,
  call: CommandCall,
): Promise<number> {
  const { io, options } = call;
  const record = recordRun(flow.plan, found, call, settingsOf(call));
  await using store = record.store;
  const isJson = options['json'] === true;
  const style = createStyle(!isJson && usesColor(io.stdout, io, options['color']));
  const report = isJson ? undefined : createRunReporter(flow.plan, io.stdout, style);
  const signal = io.interruption();
  const rowOptions = { runId: record.id, line: 0, signal, ...(report === undefined ? {} : { onEvent: report }) };
  const result = await flow.runRow(given, rowOptions);
  await store.append(result.nodes, result.row);
  const aggregated = await aggregate(flow, result, rowOptions);
  await store.append(aggregated.nodes);
  await store.appendMetrics(aggregated.metrics);
  const nodes = [...result.nodes, ...aggregated.nodes];
  const row = rowWith(result.row, aggregated.nodes);
  const outcome = runResult(row, nodes, aggregated.metrics, record);
  const folder = textOf(options, 'outputDir');
  if (folder !== undefined) writeOutputs(resolve(io.folder, folder), outcome.outputs, printResult(outcome));
  if (isJson) io.stdout.write(printResult(outcome));
  else tellOutcome({ ...result, row, nodes }, aggregated.metrics, flow, record, call);
  return exitCodeOf(outcome);
}

function settingsOf({ options }: CommandCall): Values {
  const variant = textOf(options, 'variant');
  return variant === undefined ? {} : { variant };
}

async function aggregate(
  flow: RunnableFlow,
  result: RowResult,
  options: Parameters<RunnableFlow['runAggregation']>[1],
): ReturnType<RunnableFlow['runAggregation']> {
  if (result.row.status !== 'Completed' || !testsAggregation(flow.plan)) return { nodes: [], metrics: {} };
  return flow.runAggregation([result], options);
}

/** An aggregation node that fails fails the test of the flow. */
function rowWith(row: RowResult['row'], aggregated: readonly NodeRun[]): RowResult['row'] {
  const failed = aggregated.find(({ status }) => status === 'Failed' || status === 'Canceled');
  if (failed?.error === undefined) return row;
  return {
    ...row,
    status: failed.status === 'Failed' ? 'Failed' : 'Canceled',
    error: { ...failed.error, node: failed.node },
  };
}

function tellOutcome(
  { row, nodes }: RowResult,
  metrics: Values,
  flow: RunnableFlow,
  record: RecordedRun,
  { io, options }: CommandCall,
): void {
  const style = createStyle(usesColor(io.stdout, io, options['color']));
  const { error } = row;
  const place = error?.node === undefined ? undefined : nodePlace(flow.plan, error.node);
  const next = [`flow show ${record.id}`, ...(error?.node === undefined ? [] : [`--node ${error.node}`])].join(' ');
  const parts = [
    outputsText(row, style),
    Object.keys(metrics).length === 0 ? '' : outputsText({ ...row, outputs: metrics }, style),
    unfinishedText(row, style),
    error === undefined || row.status === 'Canceled' ? '' : `${failureText(error, { place, style })}\n`,
    [
      style.dim(totalsText(row, nodes)),
      `${style.dim('record')}  ${record.path}`,
      `${style.dim('next')}    ${next}`,
      '',
    ].join('\n'),
  ];
  io.stdout.write(`\n${parts.filter((part) => part !== '').join('\n')}`);
}

/** Where inputs of the flow are to blame, nothing ran. */
function exitCodeOf({ status, error, nodes }: RunResult): number {
  if (status === 'Completed') return exitCode.done;
  if (status === 'Unfinished') return exitCode.unfinished;
  if (status === 'Canceled') return exitCode.interrupted;
  const hasRun = Object.values(nodes).some((node) => node.status !== 'NotRun');
  return error?.node === null && error.code.startsWith('Input') && !hasRun ? exitCode.wrong : exitCode.failed;
}
