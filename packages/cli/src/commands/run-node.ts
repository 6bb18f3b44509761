import type { RunnableFlow } from '@unroll/engine';
import { type FoundFlow, type GivenNodeInputs, nodePlace, runFlowNode } from '@unroll/project';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { RunSettings } from '../options/run-options.ts';
import { hostOf } from '../project-host.ts';
import { failureText } from '../reporters/failure-text.ts';
import { createRunReporter } from '../reporters/run-reporter.ts';
import { givenRecord } from '../runs/given-run.ts';
import { runResult, stringifyResult } from '../runs/run-result.ts';
import { indentLines, readableValue } from '../text/readable-value.ts';
import { createStyle, usesColor } from '../text/style.ts';

/** Runs one node alone, with given inputs or those it had in a recorded run. */
export async function runOneNode(
  flow: RunnableFlow,
  found: FoundFlow,
  asked: { readonly node: string; readonly inputs: GivenNodeInputs },
  settings: RunSettings,
  io: Io,
): Promise<number> {
  const { json: isJson, from } = settings;
  const style = createStyle(!isJson && usesColor(io.stdout, io, settings.color));
  const onEvent = isJson ? undefined : createRunReporter(flow.plan, io.stdout, style);
  const running = { record: givenRecord(settings, io), from, signal: io.interruption(), onEvent };
  const { row, run, record } = await runFlowNode(flow, found, asked, running, hostOf(settings, io));
  if (isJson) io.stdout.write(stringifyResult(runResult(row, [run], {}, record)));
  else {
    io.stdout.write(`\n${indentLines(readableValue(run.output ?? null), 2)}\n`);
    if (row.error !== undefined) {
      io.stdout.write(`\n${failureText(row.error, { place: nodePlace(flow.plan, asked.node), style })}\n`);
    }
    io.stdout.write(`\n${style.dim('record')}  ${record.path}\n`);
  }
  if (run.status === 'Canceled') return exitCode.interrupted;
  return run.status === 'Failed' ? exitCode.failed : exitCode.done;
}
