import type { Plan } from '@unroll/engine';
import { type NodeOutcome, nodePlace, ProjectFailure, projectOn, type Reporter } from '@unroll/project';
import { failureText, indentLines } from '@unroll/project/words';
import { type RunOptions, withoutRows } from '../bulk/read-bulk-settings.ts';
import { exitCode } from '../exit-code.ts';
import { readInputs } from '../inputs/read-inputs.ts';
import { interruptionOf } from '../interruption.ts';
import type { Io } from '../io.ts';
import type { RunSettings } from '../options/run-options.ts';
import { hostOf } from '../project-host.ts';
import { createRunReporter } from '../reporters/run-reporter.ts';
import { runResult, stringifyResult } from '../runs/run-result.ts';
import { readableValue } from '../text/readable-value.ts';
import { createStyle, styleOf, usesColor } from '../text/style.ts';

/** Runs one node alone, with given inputs or those it had in a recorded run. */
export async function runOneNode(node: string, asked: RunOptions, settings: RunSettings, io: Io): Promise<number> {
  const { fromFile: inputs, fromPairs: texts } = await readInputs({ file: settings.inputs, pairs: settings.input }, io);
  const { json: isJson, from } = settings;
  refuseOutputDir(settings);
  const { signal, reporter } = interruptionOf(io);
  const style = createStyle(!isJson && usesColor(io.stdout, io, settings.color), io.words);
  const reporters = isJson ? [] : [createRunReporter(io.stdout, style)];
  const project = projectOn(hostOf(settings, io, [reporter, ...reporters, createOutcomeReporter(settings, io)]));
  const { budget: _run, rowBudget: _row, ...ofNode } = withoutRows(asked);
  const wanted = { ...ofNode, from, durable: settings.durable, signal };
  const { run } = await project.runNode(asked.flow, { node, inputs, texts }, wanted).result;
  if (run.status === 'Canceled') return exitCode.interrupted;
  return run.status === 'Failed' ? exitCode.failed : exitCode.done;
}

/** @throws ProjectFailure: a node has no outputs of the flow */
function refuseOutputDir({ outputDir }: RunSettings): void {
  if (outputDir === undefined) return;
  throw new ProjectFailure('--output-dir is for outputs of the flow, and --node runs a node alone', {
    help: '--json prints what the node gave.',
  });
}

/** What came of the node, when it has. */
function createOutcomeReporter(settings: RunSettings, io: Io): Reporter {
  let plan: Plan | undefined;
  return (event) => {
    if (event.type === 'run-started' && event.kind !== 'dataset') plan = event.plan;
    if (event.type !== 'run-ended' || event.outcome.kind !== 'node' || plan === undefined) return;
    if (settings.json) {
      const { row, run, record } = event.outcome;
      io.stdout.write(stringifyResult(runResult(row, [run], {}, record)));
    } else reportOutcome(event.outcome, plan, settings, io);
  };
}

function reportOutcome({ row, run, record }: NodeOutcome, plan: Plan, settings: RunSettings, io: Io): void {
  const style = styleOf(io.stdout, io, settings.color);
  io.stdout.write(`\n${indentLines(readableValue(run.output ?? null), 2)}\n`);
  if (row.error !== undefined) {
    io.stdout.write(`\n${failureText(row.error, { place: nodePlace(plan, run.node), style })}\n`);
  }
  io.stdout.write(`\n${style.dim('record')}  ${record.path}\n`);
}
