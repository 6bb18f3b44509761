import { formatDiagnostics } from '@unroll/engine';
import { type Notice, type ProjectHost, runsFolder } from '@unroll/project';
import type { CommandCall, Options } from './command-spec.ts';
import { textOf } from './option-values.ts';
import { driftText } from './reporters/drift-text.ts';
import { createStyle, usesColor } from './text/style.ts';

/** What a command's project stands on; what it tells beside its results goes to stderr. */
export function hostOf({ io, options }: Pick<CommandCall, 'io' | 'options'>): ProjectHost {
  return {
    folder: io.folder,
    environment: io.environment,
    redactor: io.redactor,
    runsFolder: runsFolder(textOf(options, 'runsDir'), io),
    now: () => io.now(),
    randomText: () => io.randomText(),
    stdin: () => io.stdin(),
    notice: (notice) => printNotice(notice, { io, options }),
  };
}

function printNotice(notice: Notice, { io, options }: Pick<CommandCall, 'io' | 'options'>): void {
  const isQuiet = options['quiet'] === true;
  const hasColor = (): boolean => usesColor(io.stderr, io, options['color']);
  if (notice.kind === 'warning') io.stderr.write(`warning: ${notice.message}\n`);
  else if (notice.kind === 'damage') io.damage.add(notice.record, notice.damage);
  else if (notice.kind === 'note' && !isQuiet) io.stderr.write(`note: ${notice.message}\n`);
  else if (notice.kind === 'diagnostics' && options['json'] !== true) {
    io.stderr.write(`${formatDiagnostics(notice.diagnostics, { color: hasColor() })}\n\n`);
  } else if (notice.kind === 'cassette' && !isQuiet) {
    const layout = { style: createStyle(hasColor()), columns: io.stderr.columns ?? 100 };
    io.stderr.write(driftText(notice.drift, { file: notice.file, mode: notice.mode, ...layout }));
  }
}

/** A run as a further command names it: where runs are kept elsewhere, that too. */
export function runArgument(id: string, { runsDir }: Options): string {
  return typeof runsDir === 'string' ? `${id} --runs-dir ${runsDir}` : id;
}
