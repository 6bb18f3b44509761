import { existsSync, readFileSync, statSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import type { CodeSources } from './code-parts.ts';
import { namedFile } from './named-file.ts';
import { scriptTexts } from './script-texts.ts';

/**
 * What a TypeScript or JavaScript file is made of: the files it imports by a relative path, and what these import, with
 * the versions of the packages and the files of the flow's folder that a text in the code names. Imports that are put
 * together while the code runs are not seen.
 *
 * @param file absolute
 * @param folder of the flow, absolute
 */
export function scriptSources(file: string, folder: string): Required<CodeSources> {
  const code = new Set<string>([file]);
  const named = new Set<string>();
  const packages: Record<string, string> = {};
  for (const path of code) {
    for (const { text, isImport } of scriptTexts(readFileSync(path, 'utf8'))) {
      if (!isImport) addIfThere(named, namedFile(text, [dirname(path), folder], folder));
      else if (/^\.{1,2}(?:\/|$)/.test(text)) addIfThere(code, findModule(resolve(dirname(path), text)));
      else addPackage(packages, text, dirname(path));
    }
  }
  return { code: [...code], named: [...named].filter((path) => !code.has(path)).sort(), packages };
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

function addPackage(packages: Record<string, string>, specifier: string, from: string): void {
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
  if (specifier.startsWith('node:') || builtinModules.includes(name) || name in packages) return;
  const version = packageVersion(name, from);
  if (version !== undefined) packages[name] = version;
}

function packageVersion(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const manifest = join(folder, 'node_modules', name, 'package.json');
    if (existsSync(manifest)) return (JSON.parse(readFileSync(manifest, 'utf8')) as { version?: string }).version;
    if (folder === dirname(folder)) return undefined;
  }
}
