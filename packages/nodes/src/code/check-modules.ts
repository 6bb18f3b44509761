import { existsSync, readdirSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type { Diagnostic, FlowFiles, InspectedNode, SourceFile } from '@unroll/engine';
import { mistake } from '../errors/mistake-in-file.ts';
import { blankScript } from './blank-script.ts';
import { commonJsMistakes } from './check-common-js.ts';
import { exportsPlainValue, kindOfDefault, moduleMistakes } from './check-exports.ts';
import { inputsTakenApart } from './check-first-parameter.ts';
import { importNameMistakes } from './check-import-names.ts';
import { functionNameOf } from './function-name.ts';
import { importedPath, isModule, isRelative, withImported } from './imported-files.ts';
import { type ImportOfModule, importsOfModule } from './imports-of-module.ts';
import { exportsReader } from './module-exports.ts';
import { resolveImport } from './resolve-import.ts';
import { isShortName } from './short-names.ts';
import { syntaxMistakes } from './syntax-mistakes.ts';

/**
 * What keeps the TypeScript and JavaScript nodes of a flow from being loaded, as far as their files show it: text that is no
 * TypeScript, an import that is not there, a file that exports nothing. No code of the user's is run.
 */
export function checkModules(nodes: readonly InspectedNode[], own: FlowFiles): readonly Diagnostic[] {
  const files = withImported(own);
  const ofNodes = new Set(nodes.flatMap(moduleOf).filter((path) => files.read(path) !== undefined));
  const exported = [...ofNodes].flatMap((path) => exportMistakes(path, files));
  const apart = nodes.flatMap((node) => apartMistakes(node, files));
  const ofTools = nodes.flatMap(({ inspection }) => inspection.loadedFiles ?? []).filter(isModule);
  const paths = new Set([...ofNodes, ...ofTools]);
  const read = exportsReader(files);
  const found: Diagnostic[] = [];
  for (const path of paths) {
    const file = files.read(path);
    if (file === undefined) continue;
    const all = importsOfModule(file.text, blankScript(file.text)).filter(isFollowed);
    const imports = firstOfEach(all);
    const full = files.resolve(path);
    for (const one of imports) addTo(paths, importedPath(one, path, files));
    found.push(
      ...syntaxMistakes(file),
      ...moduleMistakes(file),
      ...(full === undefined ? [] : commonJsMistakes(file, full)),
      ...imports.flatMap((one) => importMistakes(one, file, full)),
    );
    found.push(...all.flatMap((one) => importNameMistakes(one, file, importedPath(one, path, files), read, full)));
  }
  return [...found, ...exported, ...apart];
}

function apartMistakes(node: InspectedNode, files: FlowFiles): readonly Diagnostic[] {
  const [path = ''] = moduleOf(node);
  const file = path === '' ? undefined : files.read(path);
  return file === undefined ? [] : inputsTakenApart(Object.keys(node.definition.inputs), file);
}

function isFollowed({ isStatement }: ImportOfModule): boolean {
  return isStatement;
}

function addTo(paths: Set<string>, path: string | undefined): void {
  if (path !== undefined && paths.size < mostModules) paths.add(path);
}

/** Of a larger project the rest is told of as it is loaded. */
const mostModules = 1000;

/** What is imported again is told once. */
function firstOfEach(imports: readonly ImportOfModule[]): readonly ImportOfModule[] {
  return [...new Map(imports.toReversed().map((one) => [one.name, one])).values()].toReversed();
}

function moduleOf({ definition: { type, source } }: InspectedNode): readonly string[] {
  const path = source?.path ?? '';
  return type === 'python' && source?.type === 'code' && isModule(path) ? [path] : [];
}

function importMistakes(
  { name, start, end }: ImportOfModule,
  file: SourceFile,
  path: string | undefined,
): readonly Diagnostic[] {
  if (path === undefined) return [];
  const span = { file, start, end };
  if (isRelative(name)) {
    if (/[%?#]/.test(name) || existsSync(join(dirname(path), name))) return [];
    return [mistake('FILE_MISSING', `there is no file "${name}" to import`, span, wholeName(name, path))];
  }
  // What a loader of the user's resolves, names within a package, addresses.
  if (/^[#/]|:/.test(name) || isBuiltin(name) || name.startsWith('@unroll/')) return [];
  const found = resolveImport(name, path);
  if (found.is === 'found') return [];
  if (found.is === 'no package') {
    return [mistake('IMPORT_MISSING', `the module ${name} is not found`, span, howToInstall(name, path))];
  }
  const help = found.whole === undefined ? undefined : wholeNameHelp(found.whole);
  return [
    mistake('IMPORT_MISSING', `there is nothing to import as "${name}", though its package is there`, span, help),
  ];
}

function howToInstall(name: string, path: string): string {
  if (isShortName(name, path))
    return 'a short name of tsconfig.json, which Node does not read: write the path from this file';
  const [first = '', second = ''] = name.split('/');
  return `npm install ${first.startsWith('@') ? `${first}/${second}` : first} in the flow's folder, or in one above it`;
}

function wholeNameHelp(found: string): string {
  return `write "${found}": Node takes the whole name of a file`;
}

/** Compilers and bundlers find a file without its ending, or by that of what it is compiled to; Node does not. */
function wholeName(name: string, path: string): string | undefined {
  const bare = name.replace(/\.[cm]?jsx?$/, '');
  const candidates = ['.ts', '.mts', '.js', '.mjs', '/index.ts', '/index.js', '.json'].map((ending) => bare + ending);
  const found = candidates.find((one) => existsSync(join(dirname(path), one)));
  return found === undefined ? otherLetters(name, path) : wholeNameHelp(found);
}

/** macOS and Windows find a file by its name in letters of another case, as does nothing else. */
function otherLetters(name: string, path: string): string | undefined {
  const folder = dirname(join(dirname(path), name));
  if (!existsSync(folder)) return undefined;
  const found = readdirSync(folder).find((one) => one.toLowerCase() === basename(name).toLowerCase());
  if (found === undefined) return undefined;
  return `write "${name.slice(0, -found.length)}${found}": capital and small letters count`;
}

/** By the rule of `load-module.ts`. */
function exportMistakes(path: string, files: FlowFiles): readonly Diagnostic[] {
  const file = files.read(path);
  if (file === undefined) return [];
  const blank = blankScript(file.text);
  const span = { file, start: 0, end: 0 };
  const help = 'export the function that is the node: `export default function …`';
  if (!/\bexports?\b/.test(blank) || exportsPlainValue(blank)) {
    return [{ severity: 'error', code: 'CODE_FUNCTION', message: 'the file exports no function', span, help }];
  }
  const kind = kindOfDefault(blank);
  if (kind !== undefined) {
    const message = `the file exports ${kind.name} as default, and no function`;
    return [{ severity: 'error', code: 'CODE_FUNCTION', message, span: { file, ...kind }, help }];
  }
  const names = [...blank.matchAll(exportedFunction)].map(([, name, constant = '']) => name ?? constant);
  const own = functionNameOf(path);
  const isSeen =
    !/^export\s*(?:default|[{*])|\bexports\b/m.test(blank) && !new RegExp(`\\b(?:run|${own})\\b`).test(blank);
  if (names.length < 2 || !isSeen) return [];
  const message = `the file exports several functions: ${names.join(', ')}`;
  const way = `export the one that is the node as default, or name it "run" or "${own}"`;
  return [{ severity: 'error', code: 'CODE_FUNCTION', message, span, help: way }];
}

const exportedFunction =
  /^export\s+(?:(?:async\s+)?function\s*\*?\s*([\w$]+)|const\s+([\w$]+)\s*=\s*(?:async\s*)?(?:function\b|\([^)\n]*\)\s*=>))/gm;
