import { once } from 'node:events';
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';
import { LinkWatch } from './watch-links.ts';

/** Folders that tools fill, wherever they lie below what is watched. */
const leftOut: ReadonlySet<string> = new Set(['node_modules', '.git', '.flow', '.promptflow', '__pycache__', '.venv']);

/** Files and folders: each takes the system a handle and us about 14 kB. A link can lead to a whole disk. */
const maxWatched = 20_000;

export interface FileWatchOptions {
  readonly onChange: (path: string) => void;
  /** Why changes may no longer be seen, the first time for the same targets. */
  readonly onError: (error: Error) => void;
  /** Absolute; what lies there is not watched. */
  readonly leftOut: readonly string[];
}

/** Files and folders that are watched, also through deletion and return. */
export class FileWatch implements AsyncDisposable {
  readonly #options: FileWatchOptions;
  #watcher: FSWatcher | undefined;
  #links: LinkWatch | undefined;
  /** A link leads elsewhere, or another folder took the place of one: what lies there now is not watched yet. */
  #isStale = false;
  #targets: readonly string[] = [];

  constructor(options: FileWatchOptions) {
    this.#options = options;
  }

  /**
   * Watches these in place of those before. What changes after it has resolved is told, and what changed meanwhile of those that were
   * watched before.
   *
   * @param targets absolute
   */
  async watch(targets: readonly string[]): Promise<void> {
    const isWatched = this.#watcher !== undefined && targets.join('\n') === this.#targets.join('\n');
    if (isWatched && !this.#isStale) return;
    // chokidar watches a path once for all its watchers: a new one would be told of what lay there before the link led elsewhere.
    if (this.#isStale) await this[Symbol.asyncDispose]();
    this.#isStale = false;
    const seen = new Seen(this.#options.onError);
    const links = new LinkWatch(
      (path) => {
        this.#isStale = true;
        this.#options.onChange(path);
      },
      (error) => seen.tell(error),
    );
    for (const target of targets) {
      links.addAllAbove(target);
      links.addFolder(target);
    }
    const watcher = watch([...new Set(targets.map(startOf))], {
      ignored: (path) => {
        if (!this.#isWatched(resolve(path), targets)) return true;
        links.addFolder(resolve(path));
        return leadsRound(path) || !seen.add(path);
      },
      ignoreInitial: true,
    });
    watcher.on('all', (event, path) => {
      if (event.startsWith('unlink')) seen.delete(path);
      this.#options.onChange(path);
    });
    watcher.on('error', (error) => seen.tell(error instanceof Error ? error : new Error(String(error))));
    await once(watcher, 'ready');
    await this[Symbol.asyncDispose]();
    this.#watcher = watcher;
    this.#links = links;
    this.#targets = targets;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const watcher = this.#watcher;
    this.#links?.[Symbol.dispose]();
    this.#links = undefined;
    this.#watcher = undefined;
    await watcher?.close();
  }

  /** A target, what lies in it, or a folder on the way to it. */
  #isWatched(path: string, targets: readonly string[]): boolean {
    if (this.#options.leftOut.some((one) => path === one || path.startsWith(`${one}${sep}`))) return false;
    return targets.some((target) => {
      if (path === target || target.startsWith(path.endsWith(sep) ? path : `${path}${sep}`)) return true;
      const way = relative(target, path).split(sep);
      return way[0] !== '..' && !way.some((name) => leftOut.has(name));
    });
  }
}

/** What a watcher watches, up to a bound. */
class Seen {
  readonly #paths = new Set<string>();
  readonly #onError: (error: Error) => void;
  #hasTold = false;

  constructor(onError: (error: Error) => void) {
    this.#onError = onError;
  }

  /** @returns whether it may be watched */
  add(path: string): boolean {
    if (this.#paths.has(path)) return true;
    if (this.#paths.size < maxWatched) {
      this.#paths.add(path);
      return true;
    }
    this.tell(
      new Error(`there are more than ${maxWatched.toLocaleString('en')} files and folders; the others are not watched`),
    );
    return false;
  }

  delete(path: string): void {
    this.#paths.delete(path);
  }

  tell(error: Error): void {
    if (!this.#hasTold) this.#onError(error);
    this.#hasTold = true;
  }
}

/** A link to a folder that it lies in itself, as `up -> ..`: it would be followed without end. */
function leadsRound(path: string): boolean {
  try {
    if (!lstatSync(path).isSymbolicLink()) return false;
    const way = relative(realpathSync(path), realpathSync(dirname(path)));
    return way === '' || (way.split(sep)[0] !== '..' && !isAbsolute(way));
  } catch {
    return false;
  }
}

/** The nearest folder that is there above a file or folder, which sees it go and come back. */
function startOf(target: string): string {
  const above = dirname(target);
  return existsSync(above) || above === target ? above : startOf(above);
}
