import { checkFlow, flowFilesOf, formatDiagnostics, readSourceFile } from '@unroll/engine';
import { compose } from '../connections/compose.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import type { System } from '../host/project-host.ts';
import type { FoundFlow } from './find-flow.ts';

/**
 * Looks at a flow where it was written to go elsewhere.
 *
 * @param shownFrom places are told from there
 * @param help tells what was not written
 * @throws ProjectFailure where files that it names are not there: what it names may be hidden, or lie behind a link
 */
export function refuseMissing(
  { file, folder }: FoundFlow,
  { shownFrom, help }: { readonly shownFrom: string; readonly help: string },
  system: System,
): void {
  const { files } = flowFilesOf({ file, folder }, shownFrom);
  const { diagnostics } = checkFlow(readSourceFile(file, shownFrom), { ...compose(system, folder), files });
  const missing = diagnostics
    .filter(({ code }) => code === 'FILE_MISSING')
    .map(({ help: _, ...one }) => ({
      ...one,
      help: 'it is hidden, or lies behind a link or in a folder that tools fill',
    }));
  if (missing.length === 0) return;
  throw new ProjectFailure(`files that the flow names would not go along\n${formatDiagnostics(missing)}`, {
    code: 'FilesLeftBehind',
    help,
  });
}
