import { type JsonValue, stringifyJson } from '@unroll/engine';
import { isPassed } from '@unroll/evals';
import { ProjectFailure } from '@unroll/project';
import type { CommandCall } from '../command-spec.ts';
import { evaluateNamed } from '../eval/evaluate-named.ts';
import { evalText } from '../eval/print-eval.ts';
import { writeReports } from '../eval/write-reports.ts';
import { exitCode } from '../exit-code.ts';
import { runArgument } from '../project-host.ts';
import { createStyle, usesColor } from '../text/style.ts';

/** `flow eval`: a flow run over the data of an evaluation, or a run that is there, scored. */
export async function evaluate(call: CommandCall): Promise<number> {
  const { io, options } = call;
  const isOracle = options['oracle'] !== undefined || options['oracleSweep'] === true;
  if (!isOracle) refuseOracleOptions(options);
  const evaluated = await evaluateNamed(call, { isCompared: !isOracle });
  if (typeof evaluated === 'number') return evaluated;
  await using _evaluated = evaluated;
  if (isOracle) {
    const { evaluateOracle } = await import('./eval-oracle.ts');
    return await evaluateOracle(evaluated, call);
  }
  const { result } = evaluated;
  await writeReports(result, call);
  if (options['json'] === true) io.stdout.write(`${stringifyJson(result as unknown as JsonValue, 2)}\n`);
  else {
    const style = createStyle(usesColor(io.stdout, io, options['color']));
    io.stdout.write(
      evalText(result, style, { next: [`flow show ${runArgument(result.run.id, options)}`], width: io.stdout.columns }),
    );
  }
  return isPassed(result) ? exitCode.done : exitCode.failed;
}

function refuseOracleOptions(options: CommandCall['options']): void {
  for (const [name, flag] of [
    ['metric', '--metric'],
    ['oracleFrom', '--oracle-from'],
  ] as const) {
    const given = options[name];
    if (given === undefined || (Array.isArray(given) && given.length === 0)) continue;
    throw new ProjectFailure(`${flag} says what an oracle run is to do, and none is asked for`, {
      help: 'Give --oracle NODE or --oracle-sweep with it.',
    });
  }
}
