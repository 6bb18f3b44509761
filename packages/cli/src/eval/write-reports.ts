import { join } from 'node:path';
import { type JsonValue, stringifyJson } from '@unroll/engine';
import { type EvalResult, stringifyHtml, stringifyJunit, stringifyMarkdown } from '@unroll/evals';
import { writeOutputFile } from '@unroll/project';
import type { Io } from '../io.ts';
import type { GateSettings } from '../options/eval-options.ts';
import { drawScores } from './draw-scores.ts';

/** Writes the files a command line asks for: `--html`, `--junit`, `--markdown`, and `--out`, a folder, for eval.json. */
export async function writeReports(result: EvalResult, settings: GateSettings, io: Io): Promise<void> {
  const { html, junit, markdown, out } = settings;
  if (html !== undefined) write(html, await evaluationPage(result), io);
  if (junit !== undefined) write(junit, stringifyJunit(result), io);
  if (markdown !== undefined) write(markdown, stringifyMarkdown(result), io);
  if (out !== undefined) write(join(out, 'eval.json'), `${stringifyJson(result as unknown as JsonValue)}\n`, io);
}

/** The page of an evaluation, its flow drawn. */
export async function evaluationPage(result: EvalResult): Promise<string> {
  const picture = drawScores(result);
  if (picture === undefined) return stringifyHtml(result);
  const [{ layoutPicture }, { stringifySvg }] = await Promise.all([
    import('@unroll/project/graph'),
    import('../graph/svg.ts'),
  ]);
  const [graph, tallGraph] = await Promise.all(
    (['right', 'down'] as const).map(async (direction) =>
      stringifySvg(await layoutPicture({ ...picture, direction })).trim(),
    ),
  );
  return stringifyHtml(result, {
    ...(graph === undefined ? {} : { graph }),
    ...(tallGraph === undefined ? {} : { tallGraph }),
  });
}

/** @throws ProjectFailure when it cannot be written */
function write(path: string, text: string, io: Io): void {
  writeOutputFile(path, io.redactor.text(text), io);
  io.stderr.write(`${path} written\n`);
}
