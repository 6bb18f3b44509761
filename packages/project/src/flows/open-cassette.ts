import { accessSync, constants, existsSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { makeFolder, readNamedFile } from '@unroll/engine';
import { Cassette, CassetteError, type CassetteMode, readCassette, stringifyCassette } from '@unroll/nodes';
import { beginOutputFile } from '../host/output-file.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import { notify, type ProjectHost, type System } from '../host/project-host.ts';
import { reasonOf } from '../host/refusal.ts';
import { withFileLock } from '../host/with-file-lock.ts';
import type { CassetteSettings } from './flow-settings.ts';

export interface OpenedCassette {
  readonly cassette: Cassette;
  /** Writes what was recorded and tells how far run and cassette have grown apart. */
  finish(): Promise<void>;
}

/**
 * Opens the cassette that a run records on or is answered from.
 *
 * @param since whether outputs of an earlier run stand in
 * @throws ProjectFailure when it cannot be read, or would hold but few calls
 */
export function openCassette(
  settings: CassetteSettings,
  { since }: { readonly since: boolean },
  host: ProjectHost,
): OpenedCassette {
  const mode = 'replay' in settings ? 'replay' : (settings.recordMode ?? 'new');
  if (mode === 'all' && since) {
    throw new ProjectFailure('--record-mode all keeps only calls that are made, and --since makes but few', {
      help: 'Leave out one of them, or record with --record-mode new.',
    });
  }
  const file = 'replay' in settings ? settings.replay : settings.record;
  if (mode !== 'replay') makePlace(resolve(host.folder, file));
  const cassette = new Cassette(mode, read(file, mode, host), file, host.redactor);
  const isShared = 'replay' in settings && settings.isShared === true;
  return { cassette, finish: isShared ? async () => undefined : () => finish(cassette, file, host) };
}

/** Before anything is asked that could not be kept then. */
function makePlace(path: string): void {
  try {
    makeFolder(dirname(path));
    accessSync(dirname(path), constants.W_OK);
  } catch (error) {
    throw notWritable(path, error, 'wrong');
  }
}

function notWritable(path: string, error: unknown, kind: 'wrong' | 'failed'): ProjectFailure {
  const message = `the cassette ${path} cannot be written: ${reasonOf(error)}`;
  return new ProjectFailure(message, { code: 'CassetteNotWritable', kind });
}

const noCalls: ReturnType<typeof readCassette> = { connections: {}, calls: [] };

function read(file: string, mode: CassetteMode, { folder }: System): ReturnType<typeof readCassette> {
  const path = resolve(folder, file);
  if (!existsSync(path)) {
    if (mode !== 'replay') return noCalls;
    throw new ProjectFailure(`there is no cassette ${file}`, {
      help: `flow run … --record ${file} makes one.`,
      code: 'FileNotFound',
    });
  }
  try {
    return readCassette(readNamedFile(path), file);
  } catch (error) {
    if (error instanceof CassetteError) throw new ProjectFailure(error.message, { code: 'CassetteUnreadable' });
    throw new ProjectFailure(`the cassette ${file} cannot be read: ${reasonOf(error)}`, { code: 'CassetteUnreadable' });
  }
}

async function finish(cassette: Cassette, file: string, host: ProjectHost): Promise<void> {
  const { mode } = cassette;
  if (mode !== 'replay') {
    const path = resolve(host.folder, file);
    await withFileLock({ file: existsSync(path) ? realpathSync(path) : path, shown: file }, async () => {
      // With --record-mode all what is not asked for is left out, whoever recorded it.
      const now = mode === 'all' ? noCalls : read(file, mode, host);
      reportOtherAnswers(cassette.otherAnswers(now), file, host);
      write(file, stringifyCassette(cassette.content(now)), host);
    });
  }
  notify(host, { kind: 'cassette', file, mode, drift: cassette.drift() });
}

function reportOtherAnswers(count: number, file: string, host: ProjectHost): void {
  if (count === 0) return;
  const calls = count === 1 ? '1 call' : `${count} calls`;
  const message = `${calls} of this run came onto ${file} meanwhile by another run, with other answers: those stay, and a replay will not give what this run gave`;
  notify(host, { kind: 'warning', message });
}

/** A run that is killed while it writes leaves the old cassette. */
function write(file: string, text: string, host: ProjectHost): void {
  try {
    const output = beginOutputFile(file, host);
    writeFileSync(output.written, text);
    output.finish();
  } catch (error) {
    throw notWritable(resolve(host.folder, file), error, 'failed');
  }
}
