import { diagnosticJson, formatDiagnostics, type JsonValue, stringifyJson } from '@unroll/engine';
import {
  type EvalSettings,
  type EvaluatedFile,
  type EvaluateOptions,
  EvaluationNotReady,
  evaluateFile,
  FlowNotReady,
  madeFolder,
  type ProjectHost,
  type RunForRecord,
  RunStopped,
  runIdOf,
} from '@unroll/project';
import { readBulkSettings } from '../bulk/read-bulk-settings.ts';
import type { CommandCall } from '../command-spec.ts';
import { runForRecord } from '../commands/run-dataset.ts';
import { exitCode } from '../exit-code.ts';
import { textOf } from '../option-values.ts';
import { hostOf, runArgument } from '../project-host.ts';
import { reportNotReady } from '../reporters/not-ready.ts';
import { usesColor } from '../text/style.ts';

/** What the command line says of an evaluation. */
export function evalSettingsOf(call: CommandCall): EvalSettings {
  const { options } = call;
  return {
    run: textOf(options, 'run'),
    against: textOf(options, 'against'),
    baseline: textOf(options, 'baseline'),
    bulk: readBulkSettings({ ...call, arguments: [], options: { ...options, run: undefined } }),
    asksAnew: options['cache'] === false,
  };
}

/** What is doubtful in an evaluation is told beside its JSON too. */
export function evalHostOf({ io, options }: CommandCall): ProjectHost {
  return hostOf({ io, options: { ...options, json: undefined } });
}

/** Runs for an evaluation, progress shown; where outputs are given, without a word among the runs that commands make. */
export function evalRunner(call: CommandCall): RunForRecord {
  return (settings, given) => {
    const runsDir = madeFolder(hostOf(call).runsFolder);
    const options = given === undefined ? call.options : { ...call.options, runsDir, quiet: true };
    return runForRecord(settings, { ...call, options }, given);
  };
}

/**
 * The evaluation that the command line names.
 *
 * @returns the exit code, all told, where it came to no end
 */
export async function evaluateNamed(
  call: CommandCall,
  options: Pick<EvaluateOptions, 'isCompared' | 'check'> = {},
): Promise<EvaluatedFile | number> {
  const running = { ...options, runForRecord: evalRunner(call), signal: () => call.io.interruption() };
  try {
    return await evaluateFile(call.arguments[0], evalSettingsOf(call), running, evalHostOf(call));
  } catch (error) {
    return reportUnended(error, call);
  }
}

/** Tells why an evaluation came to no end. @throws the error itself where it is to be told as any other */
export function reportUnended(error: unknown, call: CommandCall): number {
  const { io, options } = call;
  if (error instanceof FlowNotReady) return reportNotReady(error, io, { color: options['color'] });
  if (error instanceof EvaluationNotReady) return reportMistakes(error, call);
  if (!(error instanceof RunStopped)) throw error;
  const run = runArgument(runIdOf(error.record), options);
  io.stderr.write(
    error.givenTo === undefined
      ? `stopped; it goes on, and is scored then, with\n  flow run --resume ${run}\n  flow eval ${error.evaluation} --run ${run}\n`
      : `stopped while the output of ${error.givenTo} was given: nothing is told\n`,
  );
  return exitCode.interrupted;
}

function reportMistakes({ file, diagnostics }: EvaluationNotReady, { io, options }: CommandCall): number {
  if (options['json'] === true) {
    const report = { ok: false, eval: file, diagnostics: diagnostics.map(diagnosticJson) };
    io.stdout.write(`${stringifyJson(report as unknown as JsonValue, 2)}\n`);
  } else io.stderr.write(`${formatDiagnostics(diagnostics, { color: usesColor(io.stderr, io, options['color']) })}\n`);
  return exitCode.wrong;
}
