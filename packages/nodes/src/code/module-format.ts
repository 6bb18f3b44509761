import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SourceFile } from '@unroll/engine';
import { hasModuleSyntax, isWrittenAsModule } from './module-syntax.ts';

/**
 * What makes Node load a file as a module, and not as CommonJS, as people are told it; undefined where nothing does. By the rules of Node, and by
 * that of `flow-module-hooks.ts`.
 *
 * @param path absolute
 */
export function whyModule(file: SourceFile, path: string): string | undefined {
  const ending = extname(path);
  if (/^\.m[jt]s$/.test(ending)) return `its ending ${ending} makes a module of it`;
  if (!/^\.[jt]s$/.test(ending)) return undefined;
  const type = packageType(path);
  if (type === 'module') return 'package.json says "type": "module"';
  // Below `"type": "commonjs"` one that is written in both ways fails as CommonJS, at what it imports.
  const isOne = type === 'commonjs' ? isWrittenAsModule(file.text) : hasModuleSyntax(file.text);
  return isOne ? 'what it imports or exports makes a module of it' : undefined;
}

/** `type` of the nearest package.json. */
export function packageType(path: string): unknown {
  try {
    const found = findPackageJSON(pathToFileURL(path));
    if (found === undefined) return undefined;
    return (JSON.parse(readFileSync(found, 'utf8')) as { readonly type?: unknown } | null)?.type;
  } catch {
    // One that cannot be read is told by Node as the file is loaded.
    return undefined;
  }
}
