import type { ProjectHost, ScoredEvaluation } from '@unroll/project';
import { Studio } from '@unroll/project/studio';
import { type ExportedView, exportFile } from '@unroll/project/studio-export';
import { studioPage } from './studio-page.ts';

interface WantedExport {
  /** As given, seen from the folder of the host. */
  readonly file: string;
  readonly view: ExportedView;
  /** Places of the records that it shows, by their ids. */
  readonly records: ReadonlyMap<string, string>;
  /** The evaluation that it shows. */
  readonly scored?: ScoredEvaluation;
}

/**
 * Writes pages of the studio as one file that needs no server.
 *
 * @throws ProjectFailure when it cannot be written
 */
export async function writeExport({ file, view, records, scored }: WantedExport, host: ProjectHost): Promise<void> {
  const known = scored === undefined ? { records } : { records, scored };
  await using studio = new Studio(host, { isReadOnly: true, isExport: true, opened: [], ...known });
  await exportFile({ file, from: host.folder, view, pageFolder: await studioPage() }, studio);
}
