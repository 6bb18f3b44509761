import { type JsonValue, stringifyJson } from '@unroll/engine';
import { metricsWithoutScores } from '@unroll/evals';
import { ProjectFailure } from '@unroll/project';
import { evaluateNamed } from '../eval/evaluate-named.ts';
import { evalText } from '../eval/print-eval.ts';
import { writeReports } from '../eval/write-reports.ts';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { EvalSettings } from '../options/eval-options.ts';
import { placeArgument, runArgument } from '../project-host.ts';
import { styleOf } from '../text/style.ts';

/** `flow eval`: a flow run over the data of an evaluation, or a run that is there, scored. */
export async function evaluate(settings: EvalSettings, io: Io): Promise<number> {
  const isOracle = settings.oracle.length > 0 || settings.oracleSweep;
  if (!isOracle) refuseOracleOptions(settings);
  if (isOracle) {
    refuseSlices(settings);
    const { evaluateOracle } = await import('./eval-oracle.ts');
    return await evaluateOracle(settings, io);
  }
  const evaluated = await evaluateNamed(settings, io, (project, asked) => project.evaluate(settings.evaluation, asked));
  if (typeof evaluated === 'number') return evaluated;
  const { result, isPassed, scored } = evaluated;
  await writeReports(scored, settings, io);
  if (settings.json) io.stdout.write(`${stringifyJson(result as unknown as JsonValue, 2)}\n`);
  else {
    const style = styleOf(io.stdout, io, settings.color);
    io.stdout.write(
      evalText(result, style, {
        run: placeArgument(scored.record, settings),
        judgeRun: (id) => runArgument(id, settings),
        width: io.stdout.columns,
      }),
    );
  }
  return isPassed && metricsWithoutScores(result).length === 0 ? exitCode.done : exitCode.failed;
}

function refuseSlices({ by }: EvalSettings): void {
  if (by.length === 0) return;
  throw new ProjectFailure('--by tells the scores of a run apart, and an oracle run compares two', {
    help: 'Leave one of them out.',
  });
}

function refuseOracleOptions({ metric, oracleFrom }: EvalSettings): void {
  const flag = metric.length > 0 ? '--metric' : oracleFrom === undefined ? undefined : '--oracle-from';
  if (flag === undefined) return;
  throw new ProjectFailure(`${flag} says what an oracle run is to do, and none is asked for`, {
    help: 'Give --oracle NODE or --oracle-sweep with it.',
  });
}
