import { didYouMean, type SourceFile } from '@unroll/engine';
import { exportedAs, exportsReader } from '../../code/module-exports.ts';
import { mistake } from '../../errors/mistake-in-file.ts';
import { blankPython } from '../../python/blank-python.ts';
import type { Locate, Reading } from './table-reading.ts';
import { type AskedFunction, unfitArguments } from './unfit-arguments.ts';

/**
 * Whether the file may have the function of a tool; tells the mistake where its text shows that it has not, and what does not fit
 * the tool's arguments where it has.
 */
export function requireFunction(
  path: string,
  { name, parameters }: AskedFunction,
  span: ReturnType<Locate>,
  read: Reading,
): boolean {
  const file = read.files.read(path);
  if (file === undefined) return true;
  const isPython = path.endsWith('.py');
  const told = isPython ? lacksInPython(name, file) : lacksInModule(name, path, read);
  if (told === undefined) {
    read.diagnostics.push(...unfitArguments(file, { name, parameters }, span));
    return true;
  }
  read.diagnostics.push(mistake('TOOL_UNKNOWN', `${path} has no function "${name}"`, span, told.help));
  return false;
}

interface Lacking {
  readonly help: string | undefined;
}

function lacksInModule(name: string, path: string, { files }: Reading): Lacking | undefined {
  const exports = exportsReader(files);
  const found = exportedAs(name, path, exports);
  if (found === 'value' || found === 'unknown') return undefined;
  return { help: didYouMean(name, [...(exports(path)?.values ?? [])]) ?? 'export it under this name' };
}

/** A name that stands nowhere in the file is not defined there, unless names are made or taken from others unseen. */
function lacksInPython(name: string, { text }: SourceFile): Lacking | undefined {
  const blank = blankPython(text);
  const isMade = /\bimport\s*\*|\b(?:globals|exec|eval|setattr|__import__|vars|locals|__getattr__)\b/.test(blank);
  if (isMade || new RegExp(`(?<![\\w$])${name}(?![\\w$])`).test(blank)) return undefined;
  const functions = [...blank.matchAll(/^(?:async\s+)?def\s+(\w+)/gm)].map(([, one = '']) => one);
  return { help: didYouMean(name, functions) ?? `write \`function:\`, the name of one of its functions` };
}
