import type { ProjectHost } from '@unroll/project';
import { Studio, type StudioSettings } from '@unroll/project/studio';
import { type ExportedView, exportFile } from '@unroll/project/studio-export';
import { studioPage } from './studio-page.ts';

/** What it shows may be there already: the evaluation, or what two runs compared come to. */
interface WantedExport extends Pick<StudioSettings, 'scored' | 'compared'> {
  /** As given, seen from the folder of the host. */
  readonly file: string;
  readonly view: ExportedView;
  /** Places of the records that it shows, by their ids. */
  readonly records: ReadonlyMap<string, string>;
}

/**
 * Writes pages of the studio as one file that needs no server.
 *
 * @throws ProjectFailure when it cannot be written
 */
export async function writeExport({ file, view, ...known }: WantedExport, host: ProjectHost): Promise<void> {
  await using studio = new Studio(host, { isReadOnly: true, isExport: true, opened: [], ...known });
  await exportFile({ file, from: host.folder, view, pageFolder: await studioPage() }, studio);
}
