import { readFileSync, statSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, resolve } from 'node:path';
import { createPackageLookup, ownImports, type PackageLookup } from '../identity/package-imports.ts';
import type { CodeSources } from './code-parts.ts';
import { namedFile } from './named-file.ts';
import { readVariables } from './read-variables.ts';
import { type ScriptText, scriptTexts } from './script-texts.ts';

/**
 * What a TypeScript or JavaScript file is made of: the files it imports by a relative path, by `#name` or by the name of
 * its own package, the scripts it names (workers), and what these import, with the versions of packages, the files of the
 * flow's folder that a text in the code names, and the variables of the environment it reads. Imports and names that are
 * put together while the code runs are not seen, but for the folder they begin with.
 *
 * @param file absolute
 * @param folder of the flow, absolute
 * @param lookup one for files of one flow, which looks at no package twice
 */
export function scriptSources(
  file: string,
  folder: string,
  lookup: PackageLookup = createPackageLookup(),
): Required<CodeSources> {
  const { code, named, packages, variables } = findSources(file, folder, lookup);
  return {
    code: [...code],
    named: [...named].filter((path) => !code.has(path)).sort(),
    packages,
    variables: Object.fromEntries([...variables].sort().map((name) => [name, process.env[name] ?? null])),
  };
}

/** The `code` of `scriptSources` alone, for which no package need be looked at. */
export function scriptFiles(file: string, folder: string): readonly string[] {
  return [...findSources(file, folder, { identityOf: () => undefined }).code];
}

function findSources(file: string, folder: string, lookup: PackageLookup): Found {
  const found: Found = { code: new Set([file]), named: new Set(), packages: {}, variables: new Set(), lookup };
  for (const path of found.code) {
    const script = isScript.test(path) || path === file ? readFileSync(path, 'utf8') : '';
    for (const text of scriptTexts(script)) addText(found, text, dirname(path), folder);
    for (const name of readVariables(script)) found.variables.add(name);
  }
  return found;
}

interface Found {
  readonly code: Set<string>;
  readonly named: Set<string>;
  readonly packages: Record<string, string>;
  readonly variables: Set<string>;
  readonly lookup: PackageLookup;
}

const isScript = /\.[cm]?[jt]sx?$/;

function addText(found: Found, { text, isImport, isBegun }: ScriptText, from: string, folder: string): void {
  if (isBegun) addIfThere(found.named, namedFile(text.replace(/[^/]*$/, ''), [from, folder], folder));
  else if (!isImport) addNamed(found, namedFile(text, [from, folder], folder));
  else if (/^\.{1,2}(?:\/|$)/.test(text)) addIfThere(found.code, findModule(resolve(from, text)));
  else addImport(found, text, from);
}

/** A script that is named may be started (a worker): what it imports counts too. */
function addNamed({ code, named }: Found, path: string | undefined): void {
  addIfThere(path !== undefined && isScript.test(path) ? code : named, path);
}

function addIfThere(paths: Set<string>, path: string | undefined): void {
  if (path !== undefined) paths.add(path);
}

const endings = ['', '.ts', '.mts', '.cts', '.js', '.mjs', '.cjs', '.json', '/index.ts', '/index.js'];

/** The file an import leads to; one written with `.js` may be a `.ts`. */
function findModule(path: string): string | undefined {
  const asTypeScript = path.replace(/\.([cm]?)js$/, '.$1ts');
  const candidates = [...endings.map((ending) => path + ending), asTypeScript];
  return candidates.find((candidate) => statSync(candidate, { throwIfNoEntry: false })?.isFile());
}

function addImport({ code, packages, lookup }: Found, specifier: string, from: string): void {
  if (specifier.startsWith('node:') || builtinModules.includes(specifier.split('/')[0] ?? '')) return;
  const own = ownImports(specifier, from);
  for (const path of own ?? []) addIfThere(code, findModule(path));
  if (own !== undefined) return;
  const found = lookup.identityOf(specifier, from);
  if (found !== undefined) packages[found.name] = found.identity;
}
