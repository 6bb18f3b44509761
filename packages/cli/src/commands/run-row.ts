import { resolve } from 'node:path';
import type { JsonObject, RunnableFlow } from '@unroll/engine';
import type { FoundFlow } from '@unroll/project';
import { nodePlace, type RowOutcome, runFlowRow } from '@unroll/project';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { RunSettings } from '../options/run-options.ts';
import { hostOf, runArgument } from '../project-host.ts';
import { failureText } from '../reporters/failure-text.ts';
import { outputsText, totalsText, unfinishedText } from '../reporters/outcome-text.ts';
import { createRunReporter, streamingTo } from '../reporters/run-reporter.ts';
import { givenRecord } from '../runs/given-run.ts';
import { type RunResult, runResult, stringifyResult } from '../runs/run-result.ts';
import { writeOutputs } from '../runs/write-outputs.ts';
import { createStyle, usesColor } from '../text/style.ts';

/** Runs a flow once, its aggregation nodes over that one row included, as Prompt flow's test of a flow does. */
export async function runOneRow(
  flow: RunnableFlow,
  found: FoundFlow,
  given: JsonObject,
  settings: RunSettings,
  io: Io,
): Promise<number> {
  const isJson = settings.json;
  const style = createStyle(!isJson && usesColor(io.stdout, io, settings.color));
  const onEvent = isJson ? undefined : createRunReporter(flow.plan, io.stdout, style);
  const running = {
    record: { ...givenRecord(settings, io), options: variantOf(settings) },
    signal: io.interruption(),
    onEvent,
    ...(isJson ? {} : streamingTo(io.stdout)),
  };
  const outcome = await runFlowRow(flow, found, given, running, hostOf(settings, io));
  const { row, nodes, metrics, record, recordFailure } = outcome;
  const result = runResult(row, nodes, metrics, record);
  const folder = settings.outputDir;
  if (isJson) io.stdout.write(stringifyResult(result));
  else tellOutcome(outcome, flow, settings, io);
  if (folder !== undefined) writeOutputs(resolve(io.folder, folder), result.outputs, stringifyResult(result));
  if (recordFailure === undefined) return exitCodeOf(result);
  io.stderr.write(`error: ${recordFailure}\n`);
  return exitCode.failed;
}

function variantOf({ variant }: RunSettings): JsonObject {
  return variant === undefined ? {} : { variant };
}

function tellOutcome(
  { row, nodes, failure, metrics, record }: RowOutcome,
  flow: RunnableFlow,
  settings: RunSettings,
  io: Io,
): void {
  const style = createStyle(usesColor(io.stdout, io, settings.color));
  const place = failure?.node === undefined ? undefined : nodePlace(flow.plan, failure.node);
  const ofNode = failure?.node === undefined ? '' : ` --node ${failure.node}`;
  const recorded =
    record === undefined
      ? []
      : [
          `${style.dim('record')}  ${record.path}`,
          `${style.dim('next')}    flow show ${runArgument(record.id, settings)}${ofNode}`,
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
