import { type FSWatcher, lstatSync, readlinkSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/**
 * Tells when links lead elsewhere, and when another folder stands where one stood: chokidar follows a link or opens a folder once, and sees
 * what lies behind it, also where two renames have put another one in its place.
 */
export class LinkWatch implements Disposable {
  readonly #onChange: (path: string) => void;
  readonly #onError: (error: Error) => void;
  /** What each leads to, by its path. */
  readonly #links = new Map<string, string | undefined>();
  readonly #folders = new Map<string, FSWatcher>();

  /** @param onError where the folder of a link cannot be watched, as one that may be passed through and not listed */
  constructor(onChange: (path: string) => void, onError: (error: Error) => void) {
    this.#onChange = onChange;
    this.#onError = onError;
  }

  /** Watches what lies there from now on where it is a link. */
  add(path: string): void {
    if (isLink(path)) this.addFolder(path);
  }

  /** The same where it is a folder, too. */
  addFolder(path: string): void {
    const target = targetOf(path);
    if (this.#links.has(path) || target === undefined) return;
    this.#links.set(path, target);
    const folder = dirname(path);
    if (this.#folders.has(folder)) return;
    try {
      const watcher = watch(folder, (_event, name) => this.#look(folder, name));
      // The folder may go; what is there then is told by what watches files.
      watcher.on('error', () => undefined);
      this.#folders.set(folder, watcher);
    } catch (error) {
      this.#onError(error as Error);
    }
  }

  /** The same of a path and each folder above it. */
  addAllAbove(path: string): void {
    this.add(path);
    if (dirname(path) !== path) this.addAllAbove(dirname(path));
  }

  #look(folder: string, name: string | null): void {
    for (const [path, before] of this.#links) {
      if (dirname(path) !== folder || (name !== null && basename(path) !== name)) continue;
      const now = targetOf(path);
      if (now === before) continue;
      this.#links.set(path, now);
      this.#onChange(path);
    }
  }

  [Symbol.dispose](): void {
    for (const watcher of this.#folders.values()) watcher.close();
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/** What is written in a link, the number of a folder; undefined where there is neither. */
function targetOf(path: string): string | undefined {
  try {
    const found = lstatSync(path);
    if (found.isSymbolicLink()) return readlinkSync(path);
    return found.isDirectory() ? `${found.ino}` : undefined;
  } catch {
    return undefined;
  }
}
