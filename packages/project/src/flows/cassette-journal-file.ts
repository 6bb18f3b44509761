import { appendFileSync, existsSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { readNamedFile } from '@unroll/engine';
import { type CallJournal, type CassetteJournal, type JournaledCall, journalLine, readJournal } from '@unroll/nodes';
import { ProjectFailure } from '../host/project-failure.ts';
import { notify, type ProjectHost } from '../host/project-host.ts';
import { reasonOf } from '../host/refusal.ts';

const noCalls: CassetteJournal = { connections: {}, calls: [] };

/**
 * Calls recorded for a cassette stand in `FILE.part` until they stand on it: a run that is killed, or finds no room at its end,
 * loses none that was paid for.
 */
export class CassetteJournalFile implements CallJournal {
  readonly begun: readonly JournaledCall[];
  private readonly path: string;
  private readonly shown: string;
  private readonly host: ProjectHost;
  private isWritable = true;

  /**
   * @param cassette absolute
   * @param shown of the cassette, for texts
   * @param startsAnew whether what an earlier run left is dropped
   */
  constructor(cassette: string, shown: string, startsAnew: boolean, host: ProjectHost) {
    this.path = `${existsSync(cassette) ? realpathSync(cassette) : cassette}.part`;
    this.shown = `${shown}.part`;
    this.host = host;
    this.begun = startsAnew ? [] : this.read().calls;
    const isThere = existsSync(this.path);
    // An end of line, so that half a call at its end stays a line of its own.
    if (startsAnew || isThere)
      this.write(() => (startsAnew ? writeFileSync(this.path, '') : appendFileSync(this.path, '\n')));
  }

  /** What stands in it now, of this run and of others. */
  read(): CassetteJournal {
    if (!existsSync(this.path)) return noCalls;
    try {
      return readJournal(readNamedFile(this.path));
    } catch (error) {
      throw new ProjectFailure(`${this.shown} cannot be read: ${reasonOf(error)}`, {
        code: 'CassetteUnreadable',
        help: 'It should hold the calls that a run which was killed had recorded. Move it away to record without them.',
      });
    }
  }

  append(call: JournaledCall): void {
    if (this.isWritable) this.write(() => appendFileSync(this.path, journalLine(call)));
  }

  /** Once its calls stand on the cassette. */
  remove(): void {
    rmSync(this.path, { force: true });
  }

  /** Where the run did not begin. */
  removeIfEmpty(): void {
    if (this.read().calls.length === 0) this.remove();
  }

  private write(change: () => void): void {
    try {
      change();
    } catch (error) {
      this.isWritable = false;
      const message = `${this.shown} cannot be written (${reasonOf(error)}): calls are kept from the end of the run only`;
      notify(this.host, { kind: 'warning', message });
    }
  }
}
