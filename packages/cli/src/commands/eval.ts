import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  type DataSource,
  type Diagnostic,
  diagnosticJson,
  formatDiagnostics,
  preventsRun,
  printJson,
  type Value,
} from '@unroll/engine';
import { type EvalResult, type EvalSpec, joinData, scoreRun } from '@unroll/evals';
import { CommandFailure } from '../command-failure.ts';
import type { CommandCall } from '../command-spec.ts';
import { evalSettings } from '../eval/eval-settings.ts';
import { type EvalFile, evalName, findEval, openEval } from '../eval/open-eval.ts';
import { evalText } from '../eval/print-eval.ts';
import { exitCode } from '../exit-code.ts';
import { textOf } from '../option-values.ts';
import { openRecord } from '../runs/open-record.ts';
import { runIdOf } from '../runs/runs-folder.ts';
import { shownPath } from '../text/shown-path.ts';
import { createStyle, usesColor } from '../text/style.ts';

/** `flow eval`: a flow run over the data of an evaluation, or a run that is there, scored. */
export async function evaluate(call: CommandCall): Promise<number> {
  const { io, options } = call;
  const found = findEval(call.arguments[0], io);
  const opened = await openEval(found, textOf(options, 'run'), call);
  if (opened.spec === undefined || opened.diagnostics.some(preventsRun)) return refuse(opened.diagnostics, found, call);
  const { spec, data, record } = opened;
  const run = record ?? (await runFlow(spec, found, call));
  if (typeof run === 'number') return run;
  const scoreOf = (record: string): Promise<EvalResult> => score(spec, found, data, record, call);
  const result = await scoreOf(run);
  if (call.options['oracle'] !== undefined || call.options['oracleSweep'] === true) {
    const { evaluateOracle } = await import('./eval-oracle.ts');
    return await evaluateOracle({ spec, found, data, run, result, score: scoreOf }, call);
  }
  writeOut(result, call);
  if (options['json'] === true) io.stdout.write(`${printJson(result as unknown as Value, 2)}\n`);
  else {
    const style = createStyle(usesColor(io.stdout, io, options['color']));
    io.stdout.write(evalText(result, style, [`flow show ${result.run.id}${runsDir(call)}`]));
  }
  return result.metrics.some(({ gate }) => gate?.passed === false) ? exitCode.failed : exitCode.done;
}

/** Runs the flow over all rows. @returns the record's file, or the exit code where the run came to no end */
async function runFlow(spec: EvalSpec, found: EvalFile, call: CommandCall): Promise<string | number> {
  const { runForRecord } = await import('./run-bulk.ts');
  const ran = await runForRecord(evalSettings(spec, found, call), call);
  if (ran === undefined) return exitCode.wrong;
  if (!ran.stopped) return ran.file;
  const next = `flow run --resume ${runIdOf(ran.file)}${runsDir(call)}`;
  call.io.stderr.write(
    `stopped; it goes on, and is scored then, with\n  ${next}\n  flow eval ${found.shown} --run ${runIdOf(ran.file)}${runsDir(call)}\n`,
  );
  return exitCode.interrupted;
}

async function score(
  spec: EvalSpec,
  found: EvalFile,
  data: DataSource | undefined,
  run: string,
  { io }: CommandCall,
): Promise<EvalResult> {
  await using store = openRecord(run);
  const { info } = store;
  const joined = data === undefined ? {} : { data: joinData(data.rows(), info, data.digest === info.data?.digest) };
  return await scoreRun(spec, store, { name: evalName(spec, found), path: shownPath(run, io.folder), ...joined });
}

function refuse(diagnostics: readonly Diagnostic[], { shown }: EvalFile, { io, options }: CommandCall): number {
  if (options['json'] === true) {
    const report = { ok: false, eval: shown, diagnostics: diagnostics.map(diagnosticJson) };
    io.stdout.write(`${printJson(report as unknown as Value, 2)}\n`);
  } else io.stderr.write(`${formatDiagnostics(diagnostics, { color: usesColor(io.stderr, io, options['color']) })}\n`);
  return exitCode.wrong;
}

/** @throws CommandFailure when the folder cannot be written */
function writeOut(result: EvalResult, { options, io }: CommandCall): void {
  const out = textOf(options, 'out');
  if (out === undefined) return;
  const folder = resolve(io.folder, out);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'eval.json'), `${printJson(result as unknown as Value)}\n`);
  } catch (error) {
    throw new CommandFailure(`${out} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function runsDir({ options }: CommandCall): string {
  const given = textOf(options, 'runsDir');
  return given === undefined ? '' : ` --runs-dir ${given}`;
}
