import { readFileSync, statSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, extname, isAbsolute, join } from 'node:path';
import { compileFunction } from 'node:vm';
import { initSync as initCommonJs, parse as parseCommonJs } from 'cjs-module-lexer';
import { initSync as initModules, parse as parseModule } from 'es-module-lexer';
import { packageType } from './module-format.ts';
import { resolveImport } from './resolve-import.ts';

/** What an installed package exports to `import`. */
export interface PackageExports {
  readonly names: ReadonlySet<string>;
  /** Node finds those names alone that its text shows plainly. */
  readonly isCommonJs: boolean;
}

/**
 * Read by the lexers that Node itself and bundlers use, so that no code of the package is run.
 *
 * @param name as it is imported, from a file whose absolute path is `from`
 * @returns undefined where it is not there, or its text leaves doubt
 */
export function packageExports(name: string, from: string): PackageExports | undefined {
  try {
    const resolved = resolveImport(name, from);
    if (resolved.is !== 'found' || resolved.path === undefined) return undefined;
    initCommonJs();
    initModules();
    const found: Found = { names: new Set(), seen: new Set(), types: new Map() };
    addImported(resolved.path, found);
    const isCommonJs = formatOf(resolved.path, readSource(resolved.path), found) === 'commonjs';
    return { names: found.names, isCommonJs };
  } catch {
    // What is not there is told where it is looked for.
    return undefined;
  }
}

interface Found {
  readonly names: Set<string>;
  readonly seen: Set<string>;
  /** `type` of package.json by folder: a package may have hundreds of files in one. */
  readonly types: Map<string, unknown>;
}

/** Bytes of a file that is read. */
const largest = 5_000_000;

/** @throws Error where it cannot be told what it exports */
function addImported(path: string, found: Found): void {
  const isFirst = found.seen.size === 0;
  if (found.seen.has(path)) return;
  found.seen.add(path);
  if (isBuiltin(path)) {
    addAll(Object.keys(process.getBuiltinModule(path) as object), found);
    return;
  }
  const text = readSource(path);
  const isModule = formatOf(path, text, found) === 'module';
  if (isModule) addModule(path, text, found);
  else addCommonJs(path, text, found);
  if (isFirst && !isModule) addAll(['default', 'module.exports', '__esModule'], found);
}

function addModule(path: string, text: string, found: Found): void {
  const isFirst = found.seen.size === 1;
  const [imports, exports, , isWrittenAsModule] = parseModule(text, path);
  if (!isWrittenAsModule) throw new Error(`${path} may be no module`);
  const names = exports.map(({ n }) => n);
  // `export *` gives all but the default.
  addAll(isFirst ? names : names.filter((name) => name !== 'default'), found);
  for (const { n, ss, se } of imports) {
    if (!/^export\s*\*(?!\s*as\b)/.test(text.slice(ss, se))) continue;
    if (n === undefined) throw new Error(`${path} exports all of what has no name`);
    addImported(pathFrom(n, path), found);
  }
}

function addCommonJs(path: string, text: string, found: Found): void {
  const { exports, reexports } = parseCommonJs(text, path);
  addAll(exports, found);
  const require = createRequire(path);
  for (const name of reexports) {
    const next = require.resolve(name);
    if (found.seen.has(next)) continue;
    found.seen.add(next);
    // Node looks for no names in modules of its own that CommonJS gives on.
    if (!isBuiltin(next)) addCommonJs(next, readCommonJs(next, found), found);
  }
}

function pathFrom(name: string, path: string): string {
  if (/^\.{1,2}\//.test(name)) return join(dirname(path), name);
  const resolved = isBuiltin(name) ? { path: name } : resolveImport(name, path);
  if (!('path' in resolved) || resolved.path === undefined) throw new Error(`${name} is not found from ${path}`);
  return resolved.path;
}

function readCommonJs(path: string, found: Found): string {
  const text = readSource(path);
  if (formatOf(path, text, found) !== 'commonjs') throw new Error(`${path} is no CommonJS`);
  return text;
}

function readSource(path: string): string {
  if (!isAbsolute(path) || !/\.[cm]?js$/.test(path)) throw new Error(`${path} is no JavaScript`);
  if (statSync(path).size > largest) throw new Error(`${path} is too large`);
  return readFileSync(path, 'utf8');
}

/** As Node finds it out: where package.json says nothing, what compiles as CommonJS is that. */
function formatOf(path: string, text: string, { types }: Found): 'module' | 'commonjs' {
  const ending = extname(path);
  if (ending !== '.js') return ending === '.mjs' ? 'module' : 'commonjs';
  const folder = dirname(path);
  if (!types.has(folder)) types.set(folder, packageType(path));
  const type = types.get(folder);
  if (type === 'module' || type === 'commonjs') return type;
  return compilesAsCommonJs(text) ? 'commonjs' : 'module';
}

function compilesAsCommonJs(text: string): boolean {
  try {
    compileFunction(text, ['exports', 'require', 'module', '__filename', '__dirname']);
    return true;
  } catch {
    return false;
  }
}

function addAll(names: readonly string[], { names: known }: Found): void {
  for (const name of names) known.add(name);
}
