import { evaluateNamed } from '../eval/evaluate-named.ts';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { EvalSettings } from '../options/eval-options.ts';
import { oracleJson, oracleText } from '../oracle/print-oracle.ts';
import { stringifyJsonLine } from '../runs/run-result.ts';
import { styleOf } from '../text/style.ts';

/** `flow eval --oracle NODE`, `--oracle-sweep`: runs the flow with outputs given and tells what the end scores gain. */
export async function evaluateOracle(settings: EvalSettings, io: Io): Promise<number> {
  const { oracle: nodes, metric: metrics, oracleFrom: from, oracleSweep: isSweep } = settings;
  const report = await evaluateNamed(settings, io, (project, { against: _, ...asked }) =>
    project.oracle(settings.evaluation, { ...asked, nodes, metrics, from, isSweep }),
  );
  if (typeof report === 'number') return report;
  if (settings.json) io.stdout.write(stringifyJsonLine(oracleJson(report), 2));
  else io.stdout.write(oracleText(report, styleOf(io.stdout, io, settings.color)));
  return exitCode.done;
}
