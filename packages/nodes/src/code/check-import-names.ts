import { isBuiltin } from 'node:module';
import { type Diagnostic, didYouMean, type SourceFile } from '@unroll/engine';
import { mistake } from '../errors/mistake-in-file.ts';
import type { ImportOfModule } from './imports-of-module.ts';
import { exportedAs, type ReadExports } from './module-exports.ts';
import { packageExports } from './package-exports.ts';

/**
 * Names that an import asks for and that the module does not export, as far as its text shows it; JSON that is imported without
 * its type. Node loads no file with such an import.
 *
 * @param path of the module that is imported, relative to the flow's folder; undefined where it is none of the flow's
 * @param full absolute path of the file that imports
 */
export function importNameMistakes(
  imported: ImportOfModule,
  file: SourceFile,
  path: string | undefined,
  read: ReadExports,
  full: string | undefined,
): readonly Diagnostic[] {
  if (/^\.{1,2}\/.*\.json$/.test(imported.name)) return withoutType(imported, file);
  const names = namesOf(imported.statement);
  if (isBuiltin(imported.name)) return names.flatMap((name) => ofBuiltin(name, imported, file));
  if (path === undefined) return ofPackage(names, imported, file, full);
  return names.flatMap((name): readonly Diagnostic[] => {
    const found = exportedAs(name, path, read);
    if (found === 'type') return [ofType(name, path, imported, file)];
    if (found !== 'nothing') return [];
    const help = didYouMean(name, [...(read(path)?.values ?? [])]);
    const message = name === 'default' ? `${path} has no default export` : `${path} does not export ${name}`;
    return [mistake('CODE_NAME', message, spanOf(name, imported, file), help)];
  });
}

/** The names that a statement asks the module for, `default` among them; none of `import * as all`. */
function namesOf(statement: string): readonly string[] {
  const isDefault = /^import\s+(?!type\s+[\w$])[\w$]+\s*(?:,|$)/.test(statement.trim());
  const list = /\{([^}]*)\}/.exec(statement)?.[1] ?? '';
  const named = list.split(',').flatMap((part) => {
    const [, type, name] = /^\s*(type\s+(?!as\b))?([\w$]+)/.exec(part) ?? [];
    return name === undefined || type !== undefined ? [] : [name];
  });
  return [...(isDefault ? ['default'] : []), ...named];
}

function ofBuiltin(name: string, imported: ImportOfModule, file: SourceFile): readonly Diagnostic[] {
  const own = process.getBuiltinModule(imported.name) as object | undefined;
  if (own === undefined || name === 'default' || name in own) return [];
  const help = didYouMean(name, Object.keys(own));
  return [mistake('CODE_NAME', `${imported.name} does not export ${name}`, spanOf(name, imported, file), help)];
}

/** Node looks for the exports of CommonJS in its text, and finds those only that are written plainly. */
function ofPackage(
  names: readonly string[],
  imported: ImportOfModule,
  file: SourceFile,
  full: string | undefined,
): readonly Diagnostic[] {
  const { name: of } = imported;
  if (full === undefined || names.length === 0 || !/^@?[\w-]/.test(of) || of.includes(':')) return [];
  const found = packageExports(of, full);
  if (found === undefined) return [];
  const { names: known, isCommonJs } = found;
  return names.flatMap((name) => {
    if (known.has(name)) return [];
    const message = isCommonJs
      ? `Node finds no export ${name} in "${of}", which is CommonJS`
      : `the package "${of}" does not export ${name}`;
    const way = isCommonJs
      ? `import all of it: import all from "${of}", then all.${name}`
      : 'if it is a type, write `type` before it, or `import type`';
    return [mistake('CODE_NAME', message, spanOf(name, imported, file), didYouMean(name, known) ?? way)];
  });
}

function ofType(name: string, path: string, imported: ImportOfModule, file: SourceFile): Diagnostic {
  const message = `${name} of ${path} is a type, which is gone when the file is loaded`;
  return mistake('CODE_NAME', message, spanOf(name, imported, file), 'write `type` before it, or `import type`');
}

function withoutType({ name, start, end }: ImportOfModule, file: SourceFile): readonly Diagnostic[] {
  if (/^\s*(?:with|assert)\b/.test(file.text.slice(end))) return [];
  const help = 'write `with { type: "json" }` behind it';
  return [mistake('CODE_SYNTAX', `"${name}" is JSON, which Node imports by its type only`, { file, start, end }, help)];
}

function spanOf(name: string, { start, end, statement }: ImportOfModule, file: SourceFile): Diagnostic['span'] {
  const from = name === 'default' ? -1 : file.text.lastIndexOf(name, start);
  const isSeen = from >= start - statement.length - ' from '.length;
  return isSeen ? { file, start: from, end: from + name.length } : { file, start, end };
}
