import { readFileSync, realpathSync } from 'node:fs';
import { createRequire, findPackageJSON } from 'node:module';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FlowFiles } from '@unroll/engine';
import type { ImportOfModule } from './imports-of-module.ts';

/** The files of a flow, and with them those outside of its folder: its code imports them, and they are loaded as its own are. */
export function withImported(files: FlowFiles): FlowFiles {
  const outside = (path: string): boolean => isModule(path) && files.readImported?.(path) !== undefined;
  return {
    ...files,
    read: (path) => files.read(path) ?? (isModule(path) ? files.readImported?.(path) : undefined),
    resolve: (path) => files.resolve(path) ?? (outside(path) ? join(files.folder, path) : undefined),
  };
}

/**
 * Where the TypeScript or JavaScript lies that a file imports, seen from the flow's folder: what it names by a relative path, or by the name of a
 * package that `node_modules` only links to, as workspaces do. Undefined of packages that are installed.
 */
export function importedPath({ name }: ImportOfModule, path: string, files: FlowFiles): string | undefined {
  if (isRelative(name)) return isModule(name) ? join(dirname(path), name).replaceAll(sep, '/') : undefined;
  const from = /^(?:@?[\w-])/.test(name) && !name.includes(':') ? files.resolve(path) : undefined;
  const found = from === undefined ? undefined : linkedModule(name, from);
  return found === undefined ? undefined : relative(files.folder, found).replaceAll(sep, '/');
}

export function isModule(path: string): boolean {
  return /\.[cm]?[jt]s$/.test(path);
}

export function isRelative(name: string): boolean {
  return /^\.{1,2}\//.test(name);
}

/** @param from absolute path of the file that imports */
function linkedModule(name: string, from: string): string | undefined {
  try {
    const found = findPackageJSON(name, pathToFileURL(from));
    const about = found === undefined ? '' : realpathSync(found);
    if (about === '' || about.split(sep).includes('node_modules')) return undefined;
    // What it gives to `require` may be another file than what it gives to `import`.
    if (/"(?:require|import)"\s*:/.test(readFileSync(about, 'utf8'))) return undefined;
    const path = createRequire(from).resolve(name);
    return isAbsolute(path) && isModule(path) && !path.split(sep).includes('node_modules') ? path : undefined;
  } catch {
    // Told where it is looked for.
    return undefined;
  }
}
