import { type EvaluatedFile, runOracle } from '@unroll/project';
import type { CommandCall } from '../command-spec.ts';
import { evalHostOf, evalRunner, evalSettingsOf, reportUnended } from '../eval/evaluate-named.ts';
import { exitCode } from '../exit-code.ts';
import { listOf, textOf } from '../option-values.ts';
import { oracleJson, oracleText } from '../oracle/print-oracle.ts';
import { stringifyJsonLine } from '../runs/run-result.ts';
import { createStyle, usesColor } from '../text/style.ts';

/** `flow eval --oracle NODE`, `--oracle-sweep`: runs the flow with outputs given and tells what the end scores gain. */
export async function evaluateOracle(base: EvaluatedFile, call: CommandCall): Promise<number> {
  const { io, options } = call;
  const { bulk } = evalSettingsOf(call);
  const settings = {
    ...{ nodes: listOf(options, 'oracle'), metrics: listOf(options, 'metric'), from: textOf(options, 'oracleFrom') },
    ...{ isSweep: options['oracleSweep'] === true, bulk, runForRecord: evalRunner(call) },
    onGiven: (node: string, rows: number) => tellUnderWay(node, rows, call),
  };
  try {
    const report = await runOracle(base, settings, evalHostOf(call));
    if (options['json'] === true) io.stdout.write(stringifyJsonLine(oracleJson(report), 2));
    else io.stdout.write(oracleText(report, createStyle(usesColor(io.stdout, io, options['color']))));
    return exitCode.done;
  } catch (error) {
    return reportUnended(error, call);
  }
}

function tellUnderWay(node: string, rows: number, { io, options }: CommandCall): void {
  if (options['quiet'] === true || options['json'] === true) return;
  io.stderr.write(`${node}: ${rows} ${rows === 1 ? 'output' : 'outputs'} given\n`);
}
