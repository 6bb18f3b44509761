import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { checkFlow, flowFilesOf, formatDiagnostics, type NodeRun, type Plan, readSourceFile } from '@unroll/engine';
import { compose, findFlow, findRun, openRecord } from '@unroll/project';
import type { CommandCall } from '../command-spec.ts';
import { exitCode } from '../exit-code.ts';
import { drawPlan } from '../graph/draw-plan.ts';
import { stringifyMermaid } from '../graph/mermaid.ts';
import type { Picture } from '../graph/picture.ts';
import { textOf, wholeNumberOf } from '../option-values.ts';
import { hostOf } from '../project-host.ts';
import { usesColor } from '../text/style.ts';

/** `flow graph`: a picture of a flow. */
export async function graph(call: CommandCall): Promise<number> {
  const { options, io } = call;
  const plan = await planOf(call);
  if (plan === undefined) return exitCode.wrong;
  const records = recordsOf(call);
  const picture = drawPlan(plan, {
    unfolded: options['unfolded'] === true,
    direction: options['direction'] === 'right' ? 'right' : 'down',
    ...(records === undefined ? {} : { records }),
  });
  const isSvg = options['svg'] !== undefined;
  const text = isSvg ? await svgOf(picture) : stringifyMermaid(picture);
  const out = textOf(options, 'svg') ?? textOf(options, 'out');
  if (out === undefined) io.stdout.write(text);
  else {
    writeFileSync(resolve(io.folder, out), text);
    io.stderr.write(`${out} written\n`);
  }
  return exitCode.done;
}

/** The plan of the flow; undefined, with the reasons told, when the flow is wrong. */
export async function planOf({ arguments: given, io }: CommandCall): Promise<Plan | undefined> {
  const found = findFlow(given[0], io);
  const composed = compose(io, found.folder);
  const files = flowFilesOf(found, io.folder).files;
  const { plan, diagnostics } = checkFlow(readSourceFile(found.file, io.folder), { ...composed, files });
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (plan === undefined) io.stderr.write(`${formatDiagnostics(errors, { color: usesColor(io.stderr, io, true) })}\n`);
  return plan;
}

function recordsOf({ options, io }: CommandCall): readonly NodeRun[] | undefined {
  const run = textOf(options, 'run');
  if (run === undefined) return undefined;
  const store = openRecord(findRun(run, hostOf({ options, io })), hostOf({ options, io }));
  return store.nodes(wholeNumberOf(options, 'row', 0) ?? 0);
}

async function svgOf(picture: Picture): Promise<string> {
  const [{ layoutPicture }, { stringifySvg }] = await Promise.all([
    import('../graph/layout.ts'),
    import('../graph/svg.ts'),
  ]);
  return stringifySvg(await layoutPicture(picture));
}
