import { explainRow } from '@unroll/project';
import type { CommandCall } from '../command-spec.ts';
import { exitCode } from '../exit-code.ts';
import { textOf } from '../option-values.ts';
import { hostOf } from '../project-host.ts';
import { explanationJson } from '../reporters/explanation-json.ts';
import { explanationText } from '../reporters/explanation-text.ts';
import { stringifyJsonLine } from '../runs/run-result.ts';
import { createStyle, usesColor } from '../text/style.ts';

/** `flow why`: for each named node of a row, what changed since an earlier run, or from where its output was taken. */
export async function why(call: CommandCall): Promise<number> {
  const { options, io } = call;
  const settings = {
    row: textOf(options, 'row'),
    node: textOf(options, 'node'),
    against: textOf(options, 'against'),
  };
  const { nodes: told, ...about } = await explainRow(call.arguments[0], settings, hostOf(call));
  if (options['json'] === true) io.stdout.write(stringifyJsonLine(explanationJson(told, about), 2));
  else {
    const style = createStyle(usesColor(io.stdout, io, options['color']));
    io.stdout.write(explanationText(told, about, { style, columns: io.stdout.columns ?? 100 }));
  }
  return exitCode.done;
}
