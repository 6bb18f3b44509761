import fs from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { callersOf, isPackage } from './callers.ts';
import { allNamesNow, contentNow, filesBelow, linkNow, namesNow, tooMany } from './content-now.ts';
import { partStart } from './sighting.ts';
import type { Sightings } from './sightings.ts';

type AnyFunction = (this: unknown, ...given: unknown[]) => unknown;
type Functions = Record<string, AnyFunction | undefined>;

/** What a function of `node:fs` does with the path it is given first. */
type Use =
  | 'reads'
  | 'lists'
  | 'opens'
  | 'writes'
  | 'makes'
  | 'copies'
  | 'moves'
  | 'globs'
  | 'watches'
  | 'loads'
  | 'links';

/** By name without `Sync`; those of `fs/promises` bear the same names. */
const uses: Readonly<Record<string, Use>> = {
  ...named('reads', 'readFile createReadStream ReadStream exists stat lstat statfs access realpath openAsBlob'),
  ...named('links', 'readlink'),
  ...named('lists', 'readdir opendir'),
  ...named('opens', 'open'),
  ...named('globs', 'glob'),
  ...named('copies', 'copyFile cp link'),
  ...named('moves', 'rename'),
  ...named('watches', 'watch watchFile'),
  ...named('writes', 'writeFile createWriteStream WriteStream rm rmdir unlink truncate'),
  ...named('makes', 'mkdtemp'),
};

function named(use: Use, names: string): Readonly<Record<string, Use>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, use]));
}

/** Puts itself before the functions of `node:fs` and `node:fs/promises` that take paths. */
export function observeFiles(sightings: Sightings, shown: (path: string) => string): void {
  const watcher = new FileWatcher(sightings, shown);
  for (const functions of [fs, fs.promises] as unknown as readonly Functions[]) {
    for (const name of Object.keys(functions)) {
      const use = uses[name.replace(/Sync$/, '')];
      const original = functions[name];
      if (use !== undefined && typeof original === 'function') functions[name] = watched(original, use, watcher);
    }
  }
  process.loadEnvFile = watched(process.loadEnvFile as AnyFunction, 'loads', watcher) as typeof process.loadEnvFile;
}

/** A function and a class alike: `new fs.ReadStream(path)` is seen as `fs.createReadStream(path)`. */
function watched(original: AnyFunction, use: Use, watcher: FileWatcher): AnyFunction {
  // `fs.realpath.native`.
  const native = (original as { native?: AnyFunction }).native;
  const inner = native === undefined ? undefined : watched(native, use, watcher);
  const traps = {
    get(target: AnyFunction, name: string | symbol): unknown {
      return name === 'native' && inner !== undefined ? inner : Reflect.get(target, name);
    },
    apply(target: AnyFunction, self: unknown, given: unknown[]): unknown {
      watcher.see(use, given, traps.apply);
      return Reflect.apply(target, self, given);
    },
    construct(target: AnyFunction, given: unknown[], made: AnyFunction): object {
      watcher.see(use, given, traps.construct);
      return Reflect.construct(target, given, made) as object;
    },
  };
  return new Proxy(original, traps);
}

class FileWatcher {
  readonly #sightings: Sightings;
  readonly #shown: (path: string) => string;
  /** What code made itself is nothing it was given. */
  readonly #written = new Set<string>();
  /** Beginnings of paths of temporary folders that it had made for itself. */
  readonly #made: string[] = [];
  #isLooking = false;

  constructor(sightings: Sightings, shown: (path: string) => string) {
    this.#sightings = sightings;
    this.#shown = shown;
  }

  /** @param called where the stack is looked at from */
  see(use: Use, given: readonly unknown[], called: (...given: never[]) => unknown): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const by = callersOf(called);
      if (by !== undefined) this.#seeUse(use, given, by);
    } finally {
      this.#isLooking = false;
    }
  }

  #seeUse(use: Use, [first, second]: readonly unknown[], by: readonly string[]): void {
    if (use === 'globs') {
      for (const pattern of [first].flat()) this.#glob(pattern, optionOf(second, 'cwd'), by);
      return;
    }
    const given = use === 'loads' ? (first ?? '.env') : first;
    const path = pathOf(given);
    if (path === undefined) return;
    if (!isAbsolutePath(given)) this.#seeWorkingFolder(by);
    this.#take[use](path, second, by);
  }

  #seeWorkingFolder(by: readonly string[]): void {
    this.#sightings.read(by, partStart.workingFolder, this.#shown(process.cwd()));
  }

  /** All names below the folder that the pattern begins with. */
  #glob(pattern: unknown, cwd: unknown, by: readonly string[]): void {
    const fixed = /^(?:[^*?[\]{}()!+@]*[\\/])?/.exec(String(pattern))?.[0] ?? '';
    if (!isAbsolutePath(fixed) && !isAbsolutePath(cwd)) this.#seeWorkingFolder(by);
    this.#names(resolve(pathOf(cwd) ?? '.', fixed), true, by);
  }

  readonly #take: Readonly<
    Record<Exclude<Use, 'globs'>, (path: string, second: unknown, by: readonly string[]) => void>
  > = {
    reads: (path, _second, by) => this.#content(path, by),
    links: (path, _second, by) => {
      this.#content(path, by);
      if (this.#isOutside(path, by)) this.#sightings.read(by, partStart.link + this.#shown(path), linkNow(path));
    },
    loads: (path, _second, by) => this.#content(path, by),
    lists: (path, second, by) => this.#names(path, optionOf(second, 'recursive') === true, by),
    opens: (path, second, by) => this.#open(path, second, by),
    writes: (path) => void this.#written.add(path),
    makes: (path) => void this.#made.push(path),
    copies: (path, second, by) => {
      this.#contentBelow(path, by);
      this.#written.add(pathOf(second) ?? path);
    },
    moves: (path, second, by) => {
      this.#contentBelow(path, by);
      for (const moved of [path, pathOf(second) ?? path]) this.#written.add(moved);
    },
    watches: (_path, _second, by) => this.#sightings.read(by, `${partStart.unseen}file watcher`, 'used'),
  };

  /** A file that is only added to is neither read nor new. */
  #open(path: string, flags: unknown, by: readonly string[]): void {
    const { O_WRONLY, O_RDWR, O_APPEND, O_TRUNC } = fs.constants;
    const bits = typeof flags === 'number' ? flags : 0;
    const text = typeof flags === 'string' ? flags : '';
    if (text.startsWith('w') || (bits & O_TRUNC) !== 0) this.#written.add(path);
    else if (!/^as?$/.test(text) && (bits & O_APPEND) === 0) this.#content(path, by);
    if (text.includes('+') || (bits & (O_RDWR | O_WRONLY)) === O_RDWR) this.#written.add(path);
  }

  #content(path: string, by: readonly string[]): void {
    if (!this.#isOutside(path, by)) return;
    this.#sightings.read(by, partStart.file + this.#shown(path), contentNow(path));
  }

  /** A folder that is copied or moved is read with all below it. */
  #contentBelow(path: string, by: readonly string[]): void {
    this.#content(path, by);
    if (contentNow(path) !== 'folder') return;
    this.#names(path, true, by);
    const below = filesBelow(path);
    if (below === undefined) this.#tooMany(by);
    for (const file of below ?? []) this.#content(file, by);
  }

  #names(path: string, isDeep: boolean, by: readonly string[]): void {
    if (!this.#isOutside(path, by)) return;
    const start = isDeep ? partStart.allNames : partStart.names;
    const names = isDeep ? allNamesNow(path) : namesNow(path);
    if (names === tooMany) this.#tooMany(by);
    else this.#sightings.read(by, start + this.#shown(path), names);
  }

  #tooMany(by: readonly string[]): void {
    this.#sightings.read(by, `${partStart.unseen}more files than can be compared`, 'used');
  }

  /** Neither made by the code, nor what a package reads of its own, whose version tells, nor what no two runs find alike. */
  #isOutside(path: string, by: readonly string[]): boolean {
    if (this.#written.has(path) || this.#made.some((start) => isMadeFrom(start, path))) return false;
    if (/[\\/]node_modules[\\/]/.test(path) && by.some(isPackage)) return false;
    return !/^\/(?:dev|proc|sys)(?:\/|$)/.test(path);
  }
}

/** Whether a path is a temporary folder of this beginning, or in one: Node adds six letters or digits. */
function isMadeFrom(start: string, path: string): boolean {
  return path.startsWith(start) && /^[A-Za-z0-9]{6}(?:[\\/]|$)/.test(path.slice(start.length));
}

/** Absolute; undefined for a number of an open file. */
function pathOf(given: unknown): string | undefined {
  if (typeof given === 'string') return given.includes('\0') ? undefined : resolve(given);
  if (given instanceof URL) return given.protocol === 'file:' ? fileURLToPath(given) : undefined;
  return Buffer.isBuffer(given) ? resolve(given.toString()) : undefined;
}

function isAbsolutePath(given: unknown): boolean {
  return given instanceof URL || /^(?:[\\/]|[A-Za-z]:)/.test(String(given));
}

function optionOf(options: unknown, name: string): unknown {
  return typeof options === 'object' && options !== null
    ? (options as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
