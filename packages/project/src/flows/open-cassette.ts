import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { makeFolder, type NodeWrapper, readNamedFile } from '@unroll/engine';
import {
  Cassette,
  type CassetteContent,
  CassetteError,
  type CassetteMode,
  readCassette,
  stringifyCassette,
} from '@unroll/nodes';
import { beginOutputFile, type OutputFile } from '../host/output-file.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import { notify, type ProjectHost, type System } from '../host/project-host.ts';
import { reasonOf } from '../host/refusal.ts';
import { withFileLock } from '../host/with-file-lock.ts';
import { CallsOffCassette } from './calls-off-cassette.ts';
import { CassetteJournalFile } from './cassette-journal-file.ts';
import type { CassetteSettings } from './flow-settings.ts';

export interface OpenedCassette {
  readonly cassette: Cassette;
  /** To be given to the flow: hears of calls that go past the cassette. */
  readonly wrapper: NodeWrapper;
  /** Writes what was recorded and tells how far run and cassette have grown apart. */
  finish(): Promise<void>;
  /** Where the run did not begin: leaves nothing behind. */
  abandon?(): void;
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
  if ('replay' in settings) {
    reportUnfinished(settings.replay, host);
    const cassette = new Cassette(mode, read(settings.replay, mode, host), settings.replay, host.redactor);
    const others = new CallsOffCassette();
    const { wrapper } = others;
    if (settings.isShared === true) return { cassette, wrapper, finish: async () => undefined };
    return {
      cassette,
      wrapper,
      finish: async () => {
        reportDrift(cassette, settings.replay, host);
        others.tell(settings.replay, host);
      },
    };
  }
  return recordOn(settings, mode, host);
}

/** SHA-256 of the cassette that a run is answered from; undefined where it is answered from none. */
export function replayDigest(settings: CassetteSettings | undefined, { folder }: System): string | undefined {
  if (settings === undefined || !('replay' in settings)) return undefined;
  const path = resolve(folder, settings.replay);
  return existsSync(path) ? createHash('sha256').update(readNamedFile(path)).digest('hex') : undefined;
}

/** Calls that a run which was killed has left, or one that is not done yet. */
function reportUnfinished(file: string, host: ProjectHost): void {
  if (!existsSync(`${resolve(host.folder, file)}.part`)) return;
  const message = `${file}.part holds calls of a run that has not ended or was killed: they are not replayed. flow run --record ${file} puts them on the cassette`;
  notify(host, { kind: 'warning', message });
}

function recordOn(
  { record: file, isResumed = false }: Extract<CassetteSettings, { readonly record: string }>,
  mode: CassetteMode,
  host: ProjectHost,
): OpenedCassette {
  const path = resolve(host.folder, file);
  makePlace(path, file);
  const journal = new CassetteJournalFile(path, file, mode === 'all' && !isResumed, host);
  const content = read(file, mode, host);
  // With --record-mode all the calls of the run's own first part are what stands on it, once that part ended in order.
  const goesOn = mode === 'all' && isResumed && journal.begun.length === 0;
  const cassette = new Cassette(goesOn ? 'new' : mode, content, file, host.redactor, journal);
  const others = new CallsOffCassette();
  return {
    cassette,
    wrapper: others.wrapper,
    async finish() {
      await writeCassette(cassette, { file, path, journal }, host).catch((error: unknown) => {
        throw cassetteNotWritten(file, error);
      });
      reportDrift(cassette, file, host, isResumed);
      others.tell(file, host);
    },
    abandon: () => journal.removeIfEmpty(),
  };
}

/** Before anything is asked that could not be kept then. */
function makePlace(path: string, shown: string): void {
  try {
    makeFolder(dirname(path));
    const known = statSync(path, { throwIfNoEntry: false });
    if (known?.isCharacterDevice() || known?.isBlockDevice()) throw new Error('it is a device, not a file');
    accessSync(dirname(path), constants.W_OK);
  } catch (error) {
    throw notWritable(shown, error);
  }
}

function notWritable(shown: string, error: unknown): ProjectFailure {
  return new ProjectFailure(`the cassette ${shown} cannot be written: ${reasonOf(error)}`, {
    code: 'CassetteNotWritable',
  });
}

/** The run has ended, and what it paid for is not lost. */
function cassetteNotWritten(shown: string, error: unknown): unknown {
  if (!(error instanceof ProjectFailure)) return error;
  const help = `What could be kept of its calls stands in ${shown}.part, and comes onto it when a run records on it again.`;
  return new ProjectFailure(error.message, { code: error.code, kind: 'failed', help });
}

const noCalls: CassetteContent = { connections: {}, calls: [] };

function read(file: string, mode: CassetteMode, { folder }: System): CassetteContent {
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

interface Recorded {
  readonly file: string;
  readonly path: string;
  readonly journal: CassetteJournalFile;
}

async function writeCassette(cassette: Cassette, { file, path, journal }: Recorded, host: ProjectHost): Promise<void> {
  const { mode } = cassette;
  await withFileLock({ file: existsSync(path) ? realpathSync(path) : path, shown: file }, async () => {
    // With --record-mode all what is not asked for is left out, whoever recorded it.
    const now = mode === 'all' ? noCalls : read(file, mode, host);
    reportOtherAnswers(cassette.otherAnswers(now), file, host);
    const others = mode === 'all' ? noCalls : othersOf(journal, cassette);
    const content = cassette.content({
      connections: { ...others.connections, ...now.connections },
      calls: [...now.calls, ...others.calls],
    });
    write(file, stringifyCassette(content), host);
    journal.remove();
  });
}

/** What runs that are not done yet have recorded so far. */
function othersOf(journal: CassetteJournalFile, cassette: Cassette): CassetteContent {
  const { connections, calls } = journal.read();
  return { connections, calls: calls.map(({ call }) => call).filter((call) => !cassette.isOwn(call)) };
}

/** @param isResumed where calls of rows that were done before are not asked for, which says nothing */
function reportDrift(cassette: Cassette, file: string, host: ProjectHost, isResumed = false): void {
  const drift = cassette.drift();
  notify(host, { kind: 'cassette', file, mode: cassette.mode, drift: isResumed ? { ...drift, unused: [] } : drift });
}

function reportOtherAnswers(count: number, file: string, host: ProjectHost): void {
  if (count === 0) return;
  const calls = count === 1 ? '1 call' : `${count} calls`;
  const message = `${calls} of this run came onto ${file} meanwhile by another run, with other answers: those stay, and a replay will not give what this run gave`;
  notify(host, { kind: 'warning', message });
}

/** A run that is killed while it writes leaves the old cassette. */
function write(file: string, text: string, host: ProjectHost): void {
  let output: OutputFile | undefined;
  try {
    output = beginOutputFile(file, host);
    writeFileSync(output.written, text);
    output.finish();
  } catch (error) {
    output?.discard();
    throw notWritable(file, error);
  }
}
