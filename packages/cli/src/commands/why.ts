import { projectOn } from '@unroll/project';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { WhySettings } from '../options/record-options.ts';
import { hostOf } from '../project-host.ts';
import { explanationJson } from '../reporters/explanation-json.ts';
import { explanationText } from '../reporters/explanation-text.ts';
import { stringifyJsonLine } from '../runs/run-result.ts';
import { createStyle, usesColor } from '../text/style.ts';

/** `flow why`: for each named node of a row, what changed since an earlier run, or from where its output was taken. */
export async function why(settings: WhySettings, io: Io): Promise<number> {
  const { run, row, node, against } = settings;
  const { nodes: told, ...about } = await projectOn(hostOf(settings, io)).why(run, { row, node, against });
  if (settings.json) io.stdout.write(stringifyJsonLine(explanationJson(told, about), 2));
  else {
    const style = createStyle(usesColor(io.stdout, io, settings.color));
    io.stdout.write(explanationText(told, about, { style, columns: io.stdout.columns ?? 100 }));
  }
  return exitCode.done;
}
