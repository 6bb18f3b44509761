import { writeOutputFile } from '../host/output-file.ts';
import type { Studio } from '../studio/studio.ts';
import { Answers } from './answers.ts';
import { addRuns, type ExportBounds } from './export-runs.ts';
import { readPage, singleFile } from './page-text.ts';

interface FileExport {
  /** As given, seen from `from`. */
  readonly file: string;
  /** Folder, absolute. */
  readonly from: string;
  /** Ids. */
  readonly runs: readonly string[];
  /** Of the built page, absolute. */
  readonly pageFolder: string;
}

/** All of it is read before anything is shown, and a mail carries it. */
const bounds: ExportBounds = { lines: 500, pages: 30, diffRows: 10 };

/**
 * Writes the page with everything that it shows of these runs as one file.
 *
 * @returns its bytes
 * @throws ProjectFailure when it cannot be written
 */
export async function exportFile({ file, from, runs, pageFolder }: FileExport, studio: Studio): Promise<number> {
  const answers = new Answers();
  await addRuns({ runs, bounds, put: () => undefined }, answers, studio);
  const told = JSON.parse(studio.host.redactor.text(JSON.stringify(answers.take()))) as ReturnType<Answers['take']>;
  const [only, ...others] = runs;
  const start = only === undefined || others.length > 0 ? '/' : `/runs/${encodeURIComponent(only)}`;
  const text = singleFile(readPage(pageFolder), { start, ...told, files: {} }, `Unroll: ${runs.join(', ')}`);
  writeOutputFile(file, text, { folder: from });
  return Buffer.byteLength(text);
}
