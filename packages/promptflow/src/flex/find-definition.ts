import type { FlowFiles, SourceFile } from '@unroll/engine';
import { blankPython, closingBracket, modulePaths, readPythonList } from '@unroll/nodes/building-blocks';

/** Where a name ends: Python's names may be of any letters. */
export const wordEnd = '(?![\\p{L}\\p{N}_])';

/** A function or class, in the file that defines it. */
export interface Definition {
  readonly name: string;
  /** Relative to the flow's folder. */
  readonly path: string;
  readonly file: SourceFile;
  /** The text of the file without comments and strings, places kept. */
  readonly blank: string;
}

/** Where a name is defined that a file of the flow's folder defines or imports from another one; nothing is run. */
export function findDefinition(
  path: string,
  name: string,
  files: FlowFiles,
  seen: ReadonlySet<string> = new Set(),
): Definition | undefined {
  const file = files.read(path);
  const place = `${path}:${name}`;
  if (file === undefined || seen.has(place)) return undefined;
  const blank = blankPython(file.text);
  if (new RegExp(`^(?:async[ \\t]+)?(?:def|class)[ \\t]+${name}${wordEnd}`, 'mu').test(blank))
    return { name, path, file, blank };
  const from = importedFrom(blank, name);
  if (from === undefined) return undefined;
  const found = modulePaths(from.module, path).map((one) =>
    findDefinition(one, from.name, files, new Set([...seen, place])),
  );
  return found.find((one) => one !== undefined);
}

/** Whether a file imports a name or gives it a value, so that only running it tells what it is. */
export function isMadeElsewhere(blank: string, name: string): boolean {
  return (
    importedFrom(blank, name) !== undefined ||
    new RegExp(`^(?:import[^\\n]*[ \\t,]${name}${wordEnd}|${name}[ \\t]*(?::[^=\\n]+)?=[^=])`, 'mu').test(blank)
  );
}

/** Whether a name of the file is for certain no function: given once, as a literal, an object of a class of the file or by `functools.partial`, and named nowhere else. */
export function isNoFunction({ text }: SourceFile, blank: string, name: string): boolean {
  const named = [...blank.matchAll(new RegExp(`(?<![\\p{L}\\p{N}_])${name}${wordEnd}`, 'gu'))];
  const given = new RegExp(`^${name}[ \\t]*=(?!=)`, 'mu').exec(blank);
  if (given === null || named.length !== 1 || /\b(?:globals|setattr)\b|import[ \t]*\*/.test(blank)) return false;
  const start = given.index + given[0].length;
  const lineOf = (all: string): string => /.*/.exec(all.slice(start))?.[0].trim() ?? '';
  const line = lineOf(blank);
  const partial = /^(?:functools\.)?partial\(/.exec(line)?.[0].length;
  if (partial !== undefined && closingBracket(line, partial) === line.length - 1) return isFunctools(blank);
  return isObject(line, blank) || readPythonList(`[${lineOf(text)}]`) !== undefined;
}

/** Whether a line calls a class of the file, which gives an object of it: nothing above the class or around it makes anything else. */
function isObject(line: string, blank: string): boolean {
  const [call = '', name] = /^([\p{L}\p{N}_]+)\(/u.exec(line) ?? [];
  if (name === undefined || closingBracket(line, call.length) !== line.length - 1 || /\b__new__\b/.test(blank))
    return false;
  const classes = [...blank.matchAll(new RegExp(`^class[ \\t]+${name}${wordEnd}[^\\n]*`, 'gmu'))];
  const [only] = classes;
  const isPlain =
    only !== undefined && /^class[ \t]+[^ \t(:]+[ \t]*(?:\([ \t]*(?:object)?[ \t]*\))?[ \t]*:/.test(only[0]);
  return classes.length === 1 && isPlain && !/(?:^|\n)@[^\n]*\n$/.test(blank.slice(0, only.index));
}

function isFunctools(blank: string): boolean {
  return importedFrom(blank, 'partial')?.module === 'functools' || /^import[ \t]+functools[ \t]*$/m.test(blank);
}

const imports = /^from[ \t]+([\p{L}\p{N}_.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n]+)/gmu;

function importedFrom(blank: string, name: string): { readonly module: string; readonly name: string } | undefined {
  for (const [, module = '', names = ''] of blank.matchAll(imports)) {
    for (const written of names.replaceAll(/[()]/g, '').split(',')) {
      const [original = '', , alias = original] = written.trim().split(/\s+/);
      if (alias === name) return { module, name: original };
    }
  }
  return undefined;
}
