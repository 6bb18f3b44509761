import { realpathSync } from 'node:fs';
import { createRequire, findPackageJSON } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { moduleResolve } from 'import-meta-resolve';

export type ResolvedImport =
  /** `path` is absolute; absent where nobody can tell, or it is none of a file. */
  | { readonly is: 'found'; readonly path?: string }
  /** There is no such package. */
  | { readonly is: 'no package' }
  /** The package is there, and has nothing of this name to import. @param whole the name with the ending that Node wants */
  | { readonly is: 'not in package'; readonly whole: string | undefined };

const conditions = new Set(['node', 'import', 'module-sync', 'node-addons']);

/**
 * Where Node finds what a file imports by the name of a package, by Node's own rules ("Modules: ECMAScript modules", Resolution Algorithm).
 *
 * @param from absolute path of the file that imports
 */
export function resolveImport(name: string, from: string): ResolvedImport {
  const parent = pathToFileURL(realOf(from));
  try {
    const url = moduleResolve(name, parent, conditions);
    return url.protocol === 'file:' ? { is: 'found', path: fileURLToPath(url) } : { is: 'found' };
  } catch (error) {
    if (!notThere.has((error as NodeJS.ErrnoException).code ?? '')) return { is: 'found' };
    if (!hasPackage(name, parent)) return { is: isFoundByLoader(name, parent) ? 'found' : 'no package' };
    const endings = ['.js', '.mjs', '.cjs', '/index.js'].map((ending) => `${name}${ending}`);
    return { is: 'not in package', whole: endings.find((one) => resolves(one, parent)) };
  }
}

const notThere: ReadonlySet<string> = new Set([
  'ERR_MODULE_NOT_FOUND',
  'ERR_PACKAGE_PATH_NOT_EXPORTED',
  'ERR_UNSUPPORTED_DIR_IMPORT',
]);

function resolves(name: string, parent: URL): boolean {
  try {
    moduleResolve(name, parent, conditions);
    return true;
  } catch {
    return false;
  }
}

function hasPackage(name: string, parent: URL): boolean {
  try {
    return findPackageJSON(name, parent) !== undefined;
  } catch {
    return false;
  }
}

/** A loader of the user's (Yarn's Plug'n'Play, hooks of `node:module`) is asked by `require` alone. */
function isFoundByLoader(name: string, parent: URL): boolean {
  try {
    createRequire(parent).resolve(name);
    return true;
  } catch {
    return false;
  }
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
