import { shellWord } from '@unroll/engine/values';
import { projectOn } from '@unroll/project';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { WhySettings } from '../options/record-options.ts';
import { hostOf, placeArgument } from '../project-host.ts';
import { explanationJson } from '../reporters/explanation-json.ts';
import { explanationText } from '../reporters/explanation-text.ts';
import { stringifyJsonLine } from '../runs/run-result.ts';
import { styleOf } from '../text/style.ts';

/** `flow why`: for each named node of a row, what changed since an earlier run, or from where its output was taken. */
export async function why(settings: WhySettings, io: Io): Promise<number> {
  const { row, node, against } = settings;
  const project = projectOn(hostOf(settings, io));
  const { file } = await project.runs.find(settings.run);
  const { nodes: told, ...about } = await project.why(file, { row, node, against });
  if (settings.json) io.stdout.write(stringifyJsonLine(explanationJson(told, about), 2));
  else {
    const style = styleOf(io.stdout, io, settings.color);
    const compared = against === undefined ? '' : ` --against ${shellWord(against)}`;
    const run = `${placeArgument(file, settings)}${compared}`;
    io.stdout.write(explanationText(told, about, { run, style, columns: io.stdout.columns ?? 100 }));
  }
  return exitCode.done;
}
