import { isInputError, type Plan } from '@unroll/engine';
import { nodePlace, projectOn, type Reporter, type RowOutcome } from '@unroll/project';
import { failureText } from '@unroll/project/words';
import { type RunOptions, withoutRows } from '../bulk/read-bulk-settings.ts';
import { exitCode } from '../exit-code.ts';
import { readInputs } from '../inputs/read-inputs.ts';
import { interruptionOf } from '../interruption.ts';
import type { Io } from '../io.ts';
import type { RunSettings } from '../options/run-options.ts';
import { hostOf, runArgument } from '../project-host.ts';
import { outputsText, totalsText, unfinishedText } from '../reporters/outcome-text.ts';
import { createRunReporter } from '../reporters/run-reporter.ts';
import { type RunResult, runResult, stringifyResult } from '../runs/run-result.ts';
import { makeOutputFolder, writeOutputs } from '../runs/write-outputs.ts';
import { createStyle, styleOf, usesColor } from '../text/style.ts';

/** Runs a flow once, its aggregation nodes over that one row included, as Prompt flow's test of a flow does. */
export async function runOneRow(asked: RunOptions, settings: RunSettings, io: Io): Promise<number> {
  const { fromFile, fromPairs } = await readInputs({ file: settings.inputs, pairs: settings.input }, io);
  const { json: isJson, outputDir } = settings;
  if (outputDir !== undefined) makeOutputFolder(outputDir, io);
  const { signal, reporter } = interruptionOf(io);
  const style = createStyle(!isJson && usesColor(io.stdout, io, settings.color), io.words);
  const reporters = isJson ? [] : [createRunReporter(io.stdout, style)];
  const project = projectOn(hostOf(settings, io, [reporter, ...reporters, createOutcomeReporter(settings, io)]));
  // Answers are asked for piece by piece only where somebody sees them come.
  const streamsText = !isJson && io.stdout.isTerminal;
  const wanted = { ...withoutRows(asked), streamsText, usesSample: true, durable: settings.durable, signal };
  const outcome = await project.runRow(asked.flow, { ...fromFile, ...fromPairs }, wanted).result;
  const result = resultOf(outcome);
  if (outputDir !== undefined) writeOutputs(outputDir, result.outputs, stringifyResult(result), io);
  if (outcome.recordFailure === undefined) return exitCodeOf(result);
  io.stderr.write(`error: ${outcome.recordFailure}\n`);
  return exitCode.failed;
}

function resultOf({ row, nodes, metrics, record }: RowOutcome): RunResult {
  return runResult(row, nodes, metrics, record);
}

/** What came of the row, when it has. */
function createOutcomeReporter(settings: RunSettings, io: Io): Reporter {
  let plan: Plan | undefined;
  return (event) => {
    if (event.type === 'run-started' && event.kind !== 'dataset') plan = event.plan;
    if (event.type !== 'run-ended' || event.outcome.kind !== 'row' || plan === undefined) return;
    if (settings.json) io.stdout.write(stringifyResult(resultOf(event.outcome)));
    else reportOutcome(event.outcome, plan, settings, io);
  };
}

function reportOutcome(
  { row, nodes, failure, metrics, record }: RowOutcome,
  plan: Plan,
  settings: RunSettings,
  io: Io,
): void {
  const style = styleOf(io.stdout, io, settings.color);
  const place = failure?.node === undefined ? undefined : nodePlace(plan, failure.node);
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
  return error !== null && isInputError(error) && !hasRun ? exitCode.wrong : exitCode.failed;
}
