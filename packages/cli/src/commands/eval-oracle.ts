import { type EvaluatedFile, runOracle } from '@unroll/project';
import { evalHostOf, evalRunner, evalSettingsOf, reportUnended } from '../eval/evaluate-named.ts';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { EvalSettings } from '../options/eval-options.ts';
import { oracleJson, oracleText } from '../oracle/print-oracle.ts';
import { stringifyJsonLine } from '../runs/run-result.ts';
import { createStyle, usesColor } from '../text/style.ts';

/** `flow eval --oracle NODE`, `--oracle-sweep`: runs the flow with outputs given and tells what the end scores gain. */
export async function evaluateOracle(base: EvaluatedFile, settings: EvalSettings, io: Io): Promise<number> {
  const { bulk } = evalSettingsOf(settings, io);
  const asked = {
    ...{ nodes: settings.oracle, metrics: settings.metric, from: settings.oracleFrom },
    ...{ isSweep: settings.oracleSweep, bulk, runForRecord: evalRunner(settings, io) },
    onGiven: (node: string, rows: number) => tellUnderWay(node, rows, settings, io),
  };
  try {
    const report = await runOracle(base, asked, evalHostOf(settings, io));
    if (settings.json) io.stdout.write(stringifyJsonLine(oracleJson(report), 2));
    else io.stdout.write(oracleText(report, createStyle(usesColor(io.stdout, io, settings.color))));
    return exitCode.done;
  } catch (error) {
    return reportUnended(error, settings, io);
  }
}

function tellUnderWay(node: string, rows: number, settings: EvalSettings, io: Io): void {
  if (settings.quiet || settings.json) return;
  io.stderr.write(`${node}: ${rows} ${rows === 1 ? 'output' : 'outputs'} given\n`);
}
