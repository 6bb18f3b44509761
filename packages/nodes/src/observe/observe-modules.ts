import { isBuiltin, registerHooks } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isPackage, moduleOf } from './callers.ts';
import { contentNow, missing, textNow } from './content-now.ts';
import { partStart } from './sighting.ts';
import type { Sightings } from './sightings.ts';

/** An import as it is written, and where. */
interface Import {
  readonly specifier: string;
  /** Name of the package it names; undefined where it names none. */
  readonly package: string | undefined;
  /** The importing module; undefined where that is our own. */
  readonly from: string | undefined;
  /** Folder of the importing file, absolute. */
  readonly folder: string;
}

/** Sees each import, and each `require`, with the module it leads to. */
export function observeModules(
  sightings: Sightings,
  shown: (path: string) => string,
  onBuiltin: (specifier: string) => void,
): void {
  const watcher = new ModuleWatcher(sightings, shown);
  registerHooks({
    resolve(specifier, context, next) {
      if (isBuiltin(specifier)) {
        onBuiltin(specifier);
        return next(specifier, context);
      }
      const imported = importOf(specifier, context.parentURL);
      try {
        const resolved = next(specifier, context);
        watcher.found(imported, moduleOf(resolved.url));
        return resolved;
      } catch (error) {
        watcher.notFound(imported);
        throw error;
      }
    },
  });
}

function importOf(specifier: string, parentURL: string | undefined): Import {
  const folder = parentURL?.startsWith('file:') === true ? dirname(pathOf(parentURL)) : process.cwd();
  const from = parentURL === undefined ? undefined : moduleOf(parentURL);
  const name = /^[./#]|^\w+:/.test(specifier) ? undefined : /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0];
  return { specifier, package: name, from, folder };
}

class ModuleWatcher {
  readonly #sightings: Sightings;
  readonly #shown: (path: string) => string;

  constructor(sightings: Sightings, shown: (path: string) => string) {
    this.#sightings = sightings;
    this.#shown = shown;
  }

  /** @param to undefined where it is our own: then its package is told */
  found(imported: Import, to: string | undefined): void {
    const { from } = imported;
    if (to !== undefined && from !== undefined) this.#sightings.import(from, to);
    this.#seeModule(imported, to);
    if (from === undefined || to === undefined || isPackage(from)) return;
    this.#seeManifest(imported, to, from);
    if (!isRelative(imported)) return;
    for (const path of waysBefore(imported, to)) this.#file(from, path);
  }

  notFound({ from, ...imported }: Import): void {
    if (from === undefined || isPackage(from)) return;
    if (imported.package !== undefined) this.#sightings.package(from, imported.package, imported.folder);
    else if (isRelative(imported)) for (const path of waysBefore(imported, undefined)) this.#file(from, path);
  }

  #seeModule({ from, package: name, folder }: Import, to: string | undefined): void {
    const module = to ?? from;
    if (module === undefined) return;
    if (to === undefined || isPackage(to)) {
      if (name !== undefined && from !== to) this.#sightings.package(module, name, folder);
    } else if (!to.startsWith('data:')) {
      this.#sightings.read([to], partStart.code + this.#shown(to), textNow(to));
    }
  }

  /** Where `package.json` says what is meant: that of the importing file for `#name`, else that of the package, which a workspace only links to. */
  #seeManifest({ specifier, package: name, folder }: Import, to: string, from: string): void {
    const isOwn = specifier.startsWith('#');
    if (!isOwn && (name === undefined || isPackage(to))) return;
    const manifest = manifestAbove(isOwn ? folder : dirname(to));
    if (manifest !== undefined) this.#sightings.read([from], partStart.code + this.#shown(manifest), textNow(manifest));
  }

  #file(from: string, path: string): void {
    this.#sightings.read([from], partStart.file + this.#shown(path), contentNow(path));
  }
}

const endings = ['', '.js', '.json', '.node', '/index.js', '/index.json', '/index.node'];

/** Where `require` looks before it finds a module: one that comes to lie there would be taken. The link that led to it. */
function waysBefore({ specifier, folder }: Pick<Import, 'specifier' | 'folder'>, found: string | undefined) {
  const path = specifier.startsWith('file:') ? pathOf(specifier) : resolve(folder, specifier);
  const ways = endings.map((ending) => path + ending);
  const at = found === undefined ? ways.length : ways.indexOf(found);
  // A link leads elsewhere when it is changed.
  return at === -1 ? [path] : ways.slice(0, at);
}

function isRelative({ specifier }: Pick<Import, 'specifier'>): boolean {
  return /^(?:\.{1,2}(?:\/|$)|\/|file:)/.test(specifier);
}

function pathOf(url: string): string {
  return fileURLToPath(url.replace(/[?#].*$/, ''));
}

function manifestAbove(folder: string): string | undefined {
  for (let next = folder; ; next = dirname(next)) {
    const path = resolve(next, 'package.json');
    if (contentNow(path) !== missing) return path;
    if (next === dirname(next)) return undefined;
  }
}
