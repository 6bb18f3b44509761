import { join } from 'node:path';
import { type JsonValue, stringifyJson } from '@unroll/engine';
import { stringifyJunit, stringifyMarkdown } from '@unroll/evals';
import { type ScoredEvaluation, writeOutputFile } from '@unroll/project';
import type { Io } from '../io.ts';
import type { GateSettings } from '../options/eval-options.ts';
import { hostOf } from '../project-host.ts';

/** Writes the files a command line asks for: `--html`, `--junit`, `--markdown`, and `--out`, a folder, for eval.json. */
export async function writeReports(scored: ScoredEvaluation, settings: GateSettings, io: Io): Promise<void> {
  const { html, junit, markdown, out } = settings;
  const { result } = scored;
  if (html !== undefined) await writePage(html, scored, settings, io);
  if (junit !== undefined) write(junit, stringifyJunit(result), io);
  if (markdown !== undefined) write(markdown, stringifyMarkdown(result), io);
  if (out !== undefined) write(join(out, 'eval.json'), `${stringifyJson(result as unknown as JsonValue)}\n`, io);
}

/** The page of the studio with this evaluation, as one file. */
async function writePage(file: string, scored: ScoredEvaluation, settings: GateSettings, io: Io): Promise<void> {
  const [{ evaluationView, recordsOf }, { writeExport }] = await Promise.all([
    import('@unroll/project/studio-export'),
    import('../serving/write-export.ts'),
  ]);
  const view = evaluationView(scored);
  await writeExport({ file, view, records: recordsOf(scored), scored }, hostOf(settings, io));
  io.stderr.write(`${file} written\n`);
}

/** @throws ProjectFailure when it cannot be written */
function write(path: string, text: string, io: Io): void {
  writeOutputFile(path, io.redactor.text(text), io);
  io.stderr.write(`${path} written\n`);
}
