import { readFileSync, statSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { extname, isAbsolute } from 'node:path';
import { compileFunction } from 'node:vm';
import { initSync, parse } from 'cjs-module-lexer';
import { packageType } from './module-format.ts';
import { resolveImport } from './resolve-import.ts';

/**
 * The names that Node gives to `import` from an installed package of CommonJS; undefined where the package is none, or where its text leaves
 * doubt. Read by the lexer that Node has
 * inside, so that no code of the package is run.
 *
 * @param from absolute path of the file that imports
 */
export function commonJsExports(name: string, from: string): ReadonlySet<string> | undefined {
  try {
    const resolved = resolveImport(name, from);
    if (resolved.is !== 'found' || resolved.path === undefined) return undefined;
    initSync();
    const found = new Set<string>(['default', 'module.exports', '__esModule']);
    return addExports(resolved.path, found, new Set()) ? found : undefined;
  } catch {
    // Not there, which is told where it is looked for, or no CommonJS.
    return undefined;
  }
}

/** Bytes of a file that is read. */
const largest = 5_000_000;

/** @returns whether all of them are known */
function addExports(path: string, found: Set<string>, seen: Set<string>): boolean {
  if (seen.has(path)) return true;
  seen.add(path);
  if (isBuiltin(path)) return addAll(Object.keys(process.getBuiltinModule(path) as object), found);
  if (!isAbsolute(path) || !['.js', '.cjs'].includes(extname(path)) || statSync(path).size > largest) return false;
  const text = readFileSync(path, 'utf8');
  if (extname(path) === '.js' && !isCommonJs(text, path)) return false;
  const { exports, reexports } = parse(text, path);
  addAll(exports, found);
  const require = createRequire(path);
  return reexports.every((name) => addExports(require.resolve(name), found, seen));
}

/** As Node finds it out: where package.json says nothing, what compiles as CommonJS is that. */
function isCommonJs(text: string, path: string): boolean {
  const type = packageType(path);
  if (type === 'module') return false;
  if (type !== 'commonjs') compileFunction(text, ['exports', 'require', 'module', '__filename', '__dirname']);
  return true;
}

function addAll(names: readonly string[], found: Set<string>): true {
  for (const name of names) found.add(name);
  return true;
}
