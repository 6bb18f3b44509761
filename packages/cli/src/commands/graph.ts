import {
  checkFlow,
  flowFilesOf,
  type JsonValue,
  type NodeRun,
  type Plan,
  readSourceFile,
  stringifyJson,
} from '@unroll/engine';
import { shellWord } from '@unroll/engine/values';
import { compose, findFlow, ProjectFailure, projectOn, writeOutputFile } from '@unroll/project';
import type { Picture } from '@unroll/project/graph';
import { exitCode } from '../exit-code.ts';
import { drawPlan } from '../graph/draw-plan.ts';
import { stringifyMermaid } from '../graph/mermaid.ts';
import type { Io } from '../io.ts';
import type { GraphSettings } from '../options/flow-options.ts';
import { hostOf } from '../project-host.ts';
import { diagnosticsText } from '../text/diagnostics-text.ts';
import { styleOf } from '../text/style.ts';

/** `flow graph`: a picture of a flow. */
export async function graph(settings: GraphSettings, io: Io): Promise<number> {
  if (settings.json && settings.svg !== undefined)
    throw new ProjectFailure('a graph is printed as JSON or as SVG', { help: 'Leave --json or --svg out.' });
  const plan = await planOf(settings.flow, io);
  if (plan === undefined) return exitCode.wrong;
  const records = await recordsOf(settings, io);
  const picture = drawPlan(plan, {
    unfolded: settings.unfolded,
    direction: settings.direction === 'right' ? 'right' : 'down',
    ...(records === undefined ? {} : { records }),
  });
  const text = await textOf(picture, settings);
  const out = typeof settings.svg === 'string' ? settings.svg : settings.out;
  if (out === undefined) io.stdout.write(text);
  else {
    writeOutputFile(out, text, io);
    io.stderr.write(`${out} written\n`);
  }
  return exitCode.done;
}

/** A picture needs less than a run: that the flow would not run is told all the same. */
function drawnAllTheSame(count: number): string {
  return `the flow is drawn, but would not run as it stands, for ${count} ${count === 1 ? 'mistake' : 'mistakes'}`;
}

/** The plan of the flow; undefined, with the reasons told, when nothing can be drawn of it. */
async function planOf(flow: string, io: Io): Promise<Plan | undefined> {
  const found = findFlow(flow, io);
  const composed = compose(io, found.folder);
  const files = flowFilesOf(found, io.folder).files;
  const { plan, diagnostics } = checkFlow(readSourceFile(found.file, io.folder), { ...composed, files });
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (plan === undefined) io.stderr.write(`${diagnosticsText(errors, styleOf(io.stderr, io, true))}\n`);
  else if (errors.length > 0)
    io.stderr.write(`note: ${drawnAllTheSame(errors.length)}: flow check ${shellWord(flow)}\n`);
  return plan;
}

async function recordsOf(settings: GraphSettings, io: Io): Promise<readonly NodeRun[] | undefined> {
  const run = settings.run;
  if (run === undefined) return undefined;
  await using store = await projectOn(hostOf(settings, io)).runs.open(run);
  return await store.nodes(settings.row ?? 0);
}

async function textOf(picture: Picture, { json, svg, out = '' }: GraphSettings): Promise<string> {
  if (json) return `${stringifyJson(picture as unknown as JsonValue, 2)}\n`;
  const isSvg = svg !== undefined || /\.svg$/i.test(out);
  return isSvg ? await svgOf(picture) : stringifyMermaid(picture);
}

async function svgOf(picture: Picture): Promise<string> {
  const [{ layoutPicture }, { stringifySvg }] = await Promise.all([
    import('@unroll/project/graph'),
    import('../graph/svg.ts'),
  ]);
  return stringifySvg(await layoutPicture(picture));
}
