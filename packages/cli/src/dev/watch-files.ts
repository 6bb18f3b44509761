import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';

/** Folders that tools fill, wherever they lie below what is watched. */
const leftOut: ReadonlySet<string> = new Set(['node_modules', '.git', '.flow', '.promptflow', '__pycache__', '.venv']);

export interface FileWatchOptions {
  readonly onChange: (path: string) => void;
  /** Why changes may no longer be seen. */
  readonly onError: (error: Error) => void;
  /** Absolute; what lies there is not watched. */
  readonly leftOut: readonly string[];
}

/** Files and folders that are watched, also through deletion and return. */
export class FileWatch implements AsyncDisposable {
  readonly #options: FileWatchOptions;
  #watcher: FSWatcher | undefined;
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
    if (this.#watcher !== undefined && targets.join('\n') === this.#targets.join('\n')) return;
    const { onChange, onError } = this.#options;
    const watcher = watch([...new Set(targets.map(startOf))], {
      ignored: (path) => !this.#isWatched(resolve(path), targets),
      ignoreInitial: true,
    });
    watcher.on('all', (_event, path) => onChange(path));
    watcher.on('error', (error) => onError(error instanceof Error ? error : new Error(String(error))));
    await once(watcher, 'ready');
    await this.#watcher?.close();
    this.#watcher = watcher;
    this.#targets = targets;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#watcher?.close();
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

/** The nearest folder that is there above a file or folder, which sees it go and come back. */
function startOf(target: string): string {
  const above = dirname(target);
  return existsSync(above) || above === target ? above : startOf(above);
}
