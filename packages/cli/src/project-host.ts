import { formatDiagnostics } from '@unroll/engine';
import { type Notice, type ProjectHost, runsFolder } from '@unroll/project';
import type { Io } from './io.ts';
import { driftText } from './reporters/drift-text.ts';
import { createStyle, usesColor } from './text/style.ts';

/** What commands may be told of where runs are kept, and of how they print. */
export interface OutputSettings {
  readonly runsDir?: string | undefined;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly color?: boolean;
}

/** What a command's project stands on; what it tells beside its results goes to stderr. */
export function hostOf(settings: OutputSettings, io: Io): ProjectHost {
  return {
    folder: io.folder,
    environment: io.environment,
    redactor: io.redactor,
    runsFolder: runsFolder(settings.runsDir, io),
    now: () => io.now(),
    randomText: () => io.randomText(),
    stdin: () => io.stdin(),
    notice: (notice) => printNotice(notice, settings, io),
  };
}

function printNotice(notice: Notice, { json = false, quiet = false, color }: OutputSettings, io: Io): void {
  const hasColor = (): boolean => usesColor(io.stderr, io, color);
  if (notice.kind === 'warning') io.stderr.write(`warning: ${notice.message}\n`);
  else if (notice.kind === 'damage') io.damage.add(notice.record, notice.damage);
  else if (notice.kind === 'note' && !quiet) io.stderr.write(`note: ${notice.message}\n`);
  else if (notice.kind === 'diagnostics' && !json) {
    io.stderr.write(`${formatDiagnostics(notice.diagnostics, { color: hasColor() })}\n\n`);
  } else if (notice.kind === 'cassette' && !quiet) {
    const layout = { style: createStyle(hasColor()), columns: io.stderr.columns ?? 100 };
    io.stderr.write(driftText(notice.drift, { file: notice.file, mode: notice.mode, ...layout }));
  }
}

/** A run as a further command names it: where runs are kept elsewhere, that too. */
export function runArgument(id: string, { runsDir }: OutputSettings): string {
  return runsDir === undefined ? id : `${id} --runs-dir ${runsDir}`;
}
