import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where a worker finds it among its descriptors: the first after the standard ones. */
const place = 3;
const lengthBytes = 4;

/**
 * A file without a name, shared with a worker: replies it has made and not written yet, first their length (32 bits in the
 * machine's order), then their bytes. Should the worker end suddenly, they are read from here.
 */
export class UnsentReplies {
  static readonly environment: Readonly<Record<string, string>> = { UNROLL_UNSENT_REPLIES: String(place) };
  readonly descriptor: number;

  private constructor(descriptor: number) {
    this.descriptor = descriptor;
  }

  /** undefined where a file cannot go on without its name: replies are then written one by one. */
  static open(): UnsentReplies | undefined {
    if (process.platform === 'win32') return undefined;
    const path = join(tmpdir(), `unroll-replies-${randomUUID()}`);
    try {
      const descriptor = openSync(path, 'wx+', 0o600);
      unlinkSync(path);
      return new UnsentReplies(descriptor);
    } catch {
      return undefined;
    }
  }

  /** What was left unsent; the file is gone afterwards. */
  take(): Buffer {
    const head = Buffer.alloc(lengthBytes);
    const read = readSync(this.descriptor, head, 0, lengthBytes, 0);
    const bytes = Buffer.alloc(read < lengthBytes ? 0 : (new Uint32Array(head.buffer, head.byteOffset, 1)[0] ?? 0));
    readSync(this.descriptor, bytes, 0, bytes.length, lengthBytes);
    closeSync(this.descriptor);
    return bytes;
  }
}
