import { type JsonValue, stringifyJson } from '@unroll/engine';
import { evaluateNamed } from '../eval/evaluate-named.ts';
import { gateText } from '../eval/print-gate.ts';
import { writeReports } from '../eval/write-reports.ts';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { GateSettings } from '../options/eval-options.ts';
import { styleOf } from '../text/style.ts';

/** `flow gate`: whether an evaluation keeps to its bounds and to its baseline; fails by node and names the cause. */
export async function gate(settings: GateSettings, io: Io): Promise<number> {
  const evaluated = await evaluateNamed(settings, io, (project, asked) => project.gate(settings.evaluation, asked));
  if (typeof evaluated === 'number') return evaluated;
  const { result, isPassed, scored } = evaluated;
  await writeReports(scored, settings, io);
  if (settings.json) io.stdout.write(`${stringifyJson(result as unknown as JsonValue, 2)}\n`);
  else io.stdout.write(gateText(result, styleOf(io.stdout, io, settings.color)));
  return isPassed ? exitCode.done : exitCode.failed;
}
