import { type Notice, type ProjectHost, runsFolder } from '@unroll/project';
import type { CommandCall, Options } from './command-spec.ts';
import type { Io } from './io.ts';
import { textOf } from './option-values.ts';

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
    notice: (notice) => printNotice(notice, io),
  };
}

function printNotice(notice: Notice, io: Io): void {
  if (notice.kind === 'warning') io.stderr.write(`warning: ${notice.message}\n`);
  else if (notice.kind === 'damage') io.damage.add(notice.record, notice.damage);
}

/** A run as a further command names it: where runs are kept elsewhere, that too. */
export function runArgument(id: string, { runsDir }: Options): string {
  return typeof runsDir === 'string' ? `${id} --runs-dir ${runsDir}` : id;
}
