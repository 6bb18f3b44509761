import { writeOutputFile } from '../host/output-file.ts';
import type { Studio } from '../studio/studio.ts';
import { Answers } from './answers.ts';
import type { ExportedView } from './exported-view.ts';
import { readPage, singleFile } from './page-text.ts';

interface FileExport {
  /** As given, seen from `from`. */
  readonly file: string;
  /** Folder, absolute. */
  readonly from: string;
  readonly view: ExportedView;
  /** Of the built page, absolute. */
  readonly pageFolder: string;
}

/**
 * Writes the page with everything that it shows of a view as one file.
 *
 * @returns its bytes
 * @throws ProjectFailure when it cannot be written
 */
export async function exportFile({ file, from, view, pageFolder }: FileExport, studio: Studio): Promise<number> {
  const answers = new Answers();
  await view.gather(answers, studio);
  const redacted = JSON.parse(studio.host.redactor.text(JSON.stringify(answers.take()))) as ReturnType<Answers['take']>;
  const { start, title } = view;
  const text = singleFile(readPage(pageFolder), { start, ...redacted, files: {} }, studio.host.redactor.text(title));
  writeOutputFile(file, text, { folder: from });
  return Buffer.byteLength(text);
}
