import { diagnosticJson, type JsonValue, stringifyJson } from '@unroll/engine';
import {
  EvaluationNotReady,
  FlowNotReady,
  type Operation,
  type Project,
  type ProjectEvent,
  ProjectFailure,
  projectOn,
  type Reporter,
  RunStopped,
  runIdOf,
} from '@unroll/project';
import { followRun } from '../bulk/follow-run.ts';
import { readBulkSettings } from '../bulk/read-bulk-settings.ts';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { AcceptSettings } from '../options/eval-options.ts';
import { hostOf, runArgument } from '../project-host.ts';
import { reportNotReady } from '../reporters/not-ready.ts';
import { diagnosticsText } from '../text/diagnostics-text.ts';
import { styleOf } from '../text/style.ts';

/** What all commands that evaluate are told; some can print JSON. */
type EvaluationSettings = AcceptSettings & {
  readonly against?: string | undefined;
  readonly by?: readonly string[];
  readonly json?: boolean;
};

/** What the command line says of an evaluation. */
export function evaluationSettingsOf(settings: EvaluationSettings, signal: AbortSignal, io: Io) {
  const { flow: _flow, ...bulk } = readBulkSettings({ ...settings, run: undefined }, io);
  const { run, against, by = [], baseline, cache } = settings;
  return { ...bulk, run, against, by: by.length === 0 ? undefined : by, baseline, asksAgain: !cache, signal };
}

/**
 * What the command line asks of an evaluation; progress of its runs is shown.
 *
 * @returns the exit code, all told, where it came to no end
 */
export async function evaluateNamed<Result>(
  settings: EvaluationSettings,
  io: Io,
  start: (project: Project, asked: ReturnType<typeof evaluationSettingsOf>) => Operation<ProjectEvent, Result>,
): Promise<Result | number> {
  const { json = false, quiet = false } = settings;
  refuseEngineWithoutRun(settings);
  const { signal, reporter, explained } = followRun({ ...settings, json: false, quiet: json || quiet }, io);
  // What is doubtful in an evaluation is told beside its JSON too.
  const host = hostOf({ ...settings, json: false, quiet }, io, [reporter]);
  try {
    const project = projectOn({ ...host, report: withGivenOutputs(host.report, { json, quiet }, io) });
    return await start(project, evaluationSettingsOf(settings, signal, io)).result;
  } catch (error) {
    return reportUnended(explained(error), settings, io);
  }
}

/** @throws ProjectFailure where the engine is taken for the place that the flow is to run at */
function refuseEngineWithoutRun({ engine, run, against, since }: EvaluationSettings): void {
  if (engine === undefined || run !== undefined || against !== undefined || since !== undefined) return;
  throw new ProjectFailure('--engine says where a run is kept, and none is named: flow eval runs its flow here', {
    help: 'flow run FLOW --data DATA --engine runs it on workers; flow eval EVAL --run latest --engine scores that.',
  });
}

/** Of runs with given outputs a line is told, and nothing that was told of the run before them. */
function withGivenOutputs(
  report: Reporter,
  { json, quiet }: { readonly json: boolean; readonly quiet: boolean },
  io: Io,
): Reporter {
  let isGiven = false;
  const isToldAgain = (event: ProjectEvent): boolean => {
    if (event.type !== 'notice') return false;
    return event.notice.kind === 'note' ? isGiven || json : event.notice.kind === 'cassette' && isGiven;
  };
  return (event) => {
    if (!isToldAgain(event)) report(event);
    if (event.type !== 'outputs-given') return;
    isGiven = true;
    const { node, rows } = event;
    if (!quiet && !json) io.stderr.write(`${node}: ${rows} ${rows === 1 ? 'output' : 'outputs'} given\n`);
  };
}

/** Tells why an evaluation came to no end. @throws the error itself where it is to be told as any other */
function reportUnended(error: unknown, settings: EvaluationSettings, io: Io): number {
  if (error instanceof FlowNotReady) return reportNotReady(error, io, { color: settings.color });
  if (error instanceof EvaluationNotReady) return reportMistakes(error, settings, io);
  if (!(error instanceof RunStopped)) throw error;
  const run = runArgument(runIdOf(error.record), settings);
  io.stderr.write(
    error.givenTo === undefined
      ? `stopped; it goes on, and is scored then, with\n  flow run --resume ${run}\n  flow eval ${error.evaluation} --run ${run}\n`
      : `stopped while the output of ${error.givenTo} was given: nothing is told\n`,
  );
  return exitCode.interrupted;
}

function reportMistakes({ file, diagnostics }: EvaluationNotReady, settings: EvaluationSettings, io: Io): number {
  if (settings.json) {
    const report = { ok: false, eval: file, diagnostics: diagnostics.map(diagnosticJson) };
    io.stdout.write(`${stringifyJson(report as unknown as JsonValue, 2)}\n`);
  } else io.stderr.write(`${diagnosticsText(diagnostics, styleOf(io.stderr, io, settings.color))}\n`);
  return exitCode.wrong;
}
