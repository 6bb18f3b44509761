import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Cassette, CassetteError, type CassetteMode, printCassette, readCassette } from '@unroll/nodes';
import { ProjectFailure } from '@unroll/project';
import type { CommandCall } from '../command-spec.ts';
import type { Io } from '../io.ts';
import { textOf } from '../option-values.ts';
import { driftText } from '../reporters/drift-text.ts';
import { createStyle, usesColor } from '../text/style.ts';

export interface OpenedCassette {
  readonly cassette: Cassette;
  /** Writes what was recorded and tells how far run and cassette have grown apart. */
  finish(): void;
}

/**
 * The cassette that `--record` or `--replay` names; undefined without either.
 *
 * @throws ProjectFailure when it cannot be read, or both are given
 */
export function openCassette(call: CommandCall): OpenedCassette | undefined {
  const { options, io } = call;
  const [record, replay] = [textOf(options, 'record'), textOf(options, 'replay')];
  const file = record ?? replay;
  if (file === undefined) return undefined;
  if (record !== undefined && replay !== undefined)
    throw new ProjectFailure('--record and --replay exclude each other');
  if (options['recordMode'] === 'all' && options['since'] !== undefined && options['cache'] !== false) {
    throw new ProjectFailure('--record-mode all keeps only calls that are made, and --since makes but few', {
      help: 'Leave out one of them, or record with --record-mode new.',
    });
  }
  const mode = replay !== undefined ? 'replay' : ((textOf(options, 'recordMode') ?? 'new') as CassetteMode);
  const cassette = new Cassette(mode, read(file, mode, io), file, io.redactor);
  return { cassette, finish: () => finish(cassette, file, call) };
}

function read(file: string, mode: CassetteMode, io: Io): ReturnType<typeof readCassette> {
  const path = resolve(io.folder, file);
  if (!existsSync(path)) {
    if (mode !== 'replay') return { connections: {}, calls: [] };
    throw new ProjectFailure(`there is no cassette ${file}`, {
      help: `flow run … --record ${file} makes one.`,
      code: 'FileNotFound',
    });
  }
  try {
    return readCassette(readFileSync(path, 'utf8'), file);
  } catch (error) {
    if (error instanceof CassetteError) throw new ProjectFailure(error.message, { code: 'CassetteUnreadable' });
    throw error;
  }
}

function finish(cassette: Cassette, file: string, { io, options }: CommandCall): void {
  if (cassette.mode !== 'replay') write(resolve(io.folder, file), printCassette(cassette.content()));
  if (options['quiet'] === true) return;
  const style = createStyle(usesColor(io.stderr, io, options['color']));
  io.stderr.write(driftText(cassette.drift(), { file, mode: cassette.mode, style, columns: io.stderr.columns ?? 100 }));
}

/** A run that is killed while it writes leaves the old cassette. */
function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}
