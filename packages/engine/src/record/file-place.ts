import { statSync } from 'node:fs';
import { RunFileLostError } from './run-file-error.ts';

/** Looks are so far apart: one costs little, but on a network. */
const apartMs = 500;

/** Whether a file that is open for writing is still the one at its path: what is removed can be written to all the same. */
export class FilePlace {
  private readonly path: string;
  private readonly file: string | undefined;
  private lookedAt = performance.now();

  constructor(path: string) {
    this.path = path;
    this.file = fileAt(path);
  }

  /** From time to time. @throws RunFileLostError */
  look(): void {
    if (performance.now() - this.lookedAt >= apartMs) this.lookNow();
  }

  /** @throws RunFileLostError */
  lookNow(): void {
    this.lookedAt = performance.now();
    const now = fileAt(this.path);
    if (now === this.file) return;
    const what = now === undefined ? 'removed' : 'replaced by another file';
    throw new RunFileLostError(
      `the run record ${this.path} was ${what} while the run wrote it: what was recorded is lost`,
      `it was ${what} while the run wrote it`,
    );
  }
}

/** Which file is there: its device and its number on it. */
function fileAt(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev} ${found.ino}`;
}
