import { resolve } from 'node:path';
import {
  markedInexact,
  type NodeRun,
  type RowError,
  type RowResult,
  RunFileError,
  type RunnableFlow,
  testsAggregation,
  type Values,
} from '@unroll/engine';
import type { FoundFlow } from '@unroll/project';
import { nodePlace, type RecordedRun, recordRun, tellUnseen, writeImages } from '@unroll/project';
import type { CommandCall } from '../command-spec.ts';
import { exitCode } from '../exit-code.ts';
import { textOf } from '../option-values.ts';
import { hostOf, runArgument } from '../project-host.ts';
import { failureText } from '../reporters/failure-text.ts';
import { outputsText, totalsText, unfinishedText } from '../reporters/outcome-text.ts';
import { createRunReporter, streamingTo } from '../reporters/run-reporter.ts';
import { givenRecord } from '../runs/given-run.ts';
import { printResult, type RunResult, runResult } from '../runs/run-result.ts';
import { writeOutputs } from '../runs/write-outputs.ts';
import { createStyle, usesColor } from '../text/style.ts';

/** Runs a flow once, its aggregation nodes over that one row included, as Prompt flow's test of a flow does. */
export async function runOneRow(
  flow: RunnableFlow,
  found: FoundFlow,
  given: Values,
  call: CommandCall,
): Promise<number> {
  const { io, options } = call;
  const record = recordRun(flow, found, { ...givenRecord(call), options: settingsOf(call) }, hostOf(call));
  await using store = record.store;
  const isJson = options['json'] === true;
  const style = createStyle(!isJson && usesColor(io.stdout, io, options['color']));
  const report = isJson ? undefined : createRunReporter(flow.plan, io.stdout, style);
  const signal = io.interruption();
  const rowOptions = {
    runId: record.id,
    line: 0,
    signal,
    ...(report === undefined ? {} : { onEvent: report, ...streamingTo(io.stdout) }),
  };
  const result = await flow.runRow(given, rowOptions);
  const recording = new Recording();
  await recording.do(() => store.append(result.nodes.map(markedInexact), result.row));
  const aggregated = await aggregate(flow, result, rowOptions);
  await recording.do(async () => {
    await store.append(aggregated.nodes.map(markedInexact));
    await store.appendMetrics(aggregated.metrics);
    store.ensureKept();
  });
  const nodes = [...result.nodes, ...aggregated.nodes];
  const row = writeImages(rowWith(result.row, aggregated.nodes), flow.plan, record.id, hostOf(call));
  const kept = recording.failure === undefined ? record : undefined;
  const outcome = runResult(row, nodes, aggregated.metrics, kept);
  tellUnseen(flow, hostOf(call));
  const folder = textOf(options, 'outputDir');
  if (folder !== undefined) writeOutputs(resolve(io.folder, folder), outcome.outputs, printResult(outcome));
  if (isJson) io.stdout.write(printResult(outcome));
  else tellOutcome({ row, nodes, failure: failureOf(row, aggregated.nodes) }, aggregated.metrics, flow, kept, call);
  if (recording.failure === undefined) return exitCodeOf(outcome);
  io.stderr.write(`error: ${recording.failure.message}\n`);
  return exitCode.failed;
}

/** What came out of a row is shown also where it could not be recorded; the command fails then. */
class Recording {
  failure: RunFileError | undefined;

  async do(record: () => void | Promise<void>): Promise<void> {
    try {
      if (this.failure === undefined) await record();
    } catch (error) {
      if (!(error instanceof RunFileError)) throw error;
      this.failure = error;
    }
  }
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

/** As in Prompt flow, an aggregation node that fails leaves the row completed; one that was stopped does not. */
function rowWith(row: RowResult['row'], aggregated: readonly NodeRun[]): RowResult['row'] {
  const stopped = aggregated.find(({ status }) => status === 'Canceled');
  if (stopped?.error === undefined) return row;
  return { ...row, status: 'Canceled', error: { ...stopped.error, node: stopped.node } };
}

/** What is to be told as having failed: the row, or else an aggregation node after it. */
function failureOf(row: RowResult['row'], aggregated: readonly NodeRun[]): RowError | undefined {
  if (row.error !== undefined) return row.error;
  const failed = aggregated.find(({ status }) => status === 'Failed');
  return failed?.error === undefined ? undefined : { ...failed.error, node: failed.node };
}

function tellOutcome(
  { row, nodes, failure }: RowResult & { readonly failure: RowError | undefined },
  metrics: Values,
  flow: RunnableFlow,
  record: RecordedRun | undefined,
  { io, options }: CommandCall,
): void {
  const style = createStyle(usesColor(io.stdout, io, options['color']));
  const place = failure?.node === undefined ? undefined : nodePlace(flow.plan, failure.node);
  const ofNode = failure?.node === undefined ? '' : ` --node ${failure.node}`;
  const recorded =
    record === undefined
      ? []
      : [
          `${style.dim('record')}  ${record.path}`,
          `${style.dim('next')}    flow show ${runArgument(record.id, options)}${ofNode}`,
        ];
  const parts = [
    outputsText(row, style),
    Object.keys(metrics).length === 0 ? '' : outputsText({ ...row, outputs: metrics }, style),
    unfinishedText(row, nodes, style),
    failure === undefined || row.status === 'Canceled' ? '' : `${failureText(failure, { place, style })}\n`,
    [style.dim(totalsText(row, nodes)), ...recorded, ''].join('\n'),
  ];
  io.stdout.write(`\n${parts.filter((part) => part !== '').join('\n')}`);
}

/** Where inputs of the flow are to blame, nothing ran. A completed row whose aggregation failed is a failure still. */
function exitCodeOf({ status, error, nodes }: RunResult): number {
  if (status === 'Completed') {
    return Object.values(nodes).some((node) => node.status === 'Failed') ? exitCode.failed : exitCode.done;
  }
  if (status === 'Unfinished') return exitCode.unfinished;
  if (status === 'Canceled') return exitCode.interrupted;
  const hasRun = Object.values(nodes).some((node) => node.status !== 'NotRun');
  return error?.node === null && error.code.startsWith('Input') && !hasRun ? exitCode.wrong : exitCode.failed;
}
