import { join } from 'node:path/posix';
import { type Diagnostic, type FlowFiles, type SourceFile, unseenHelp, unseenWords } from '@unroll/engine';
import { unseenWays } from '../observe/unseen-ways.ts';
import { blankScript } from './blank-script.ts';
import { type ImportOfModule, importsOfModule } from './imports-of-module.ts';

const fetchCall = /(?<![\w$.]|\bfunction\s+)fetch\s*\(/;
const ownFetch = /\bfunction\s+fetch\b|\b(?:const|let|var)\s+fetch\b|\bimport\b[^;(]*\bfetch\b/;

/**
 * Where a TypeScript or JavaScript file of a flow, or one that it imports by a relative path, gets at what a run cannot see
 * (a process, the network): at the import, where the file also names a function that leads there.
 */
export function unseenImports(path: string, files: FlowFiles): readonly Diagnostic[] {
  const known = new Set([path]);
  const found: Diagnostic[] = [];
  for (const next of known) {
    const file = files.read(next);
    if (file === undefined) continue;
    const blank = blankScript(file.text);
    const imports = importsOfModule(file.text, blank);
    for (const { name } of imports) if (/^\.{1,2}\//.test(name)) known.add(join(next, '..', name));
    found.push(...imports.flatMap((one) => unseenDiagnostics(file, blank, one)), ...fetchIn(file, blank));
  }
  return found;
}

function unseenDiagnostics(
  file: SourceFile,
  blank: string,
  { name, start, end }: ImportOfModule,
): readonly Diagnostic[] {
  const way = unseenWays[name.replace(/^node:/, '')];
  if (way === undefined) return [];
  const leads = new RegExp(`\\b(?:${(way.exports ?? way.names).replaceAll(' ', '|')})\\b`);
  return leads.test(blank) ? [unseenDiagnostic(way.what, file, start, end)] : [];
}

function fetchIn(file: SourceFile, blank: string): readonly Diagnostic[] {
  const call = fetchCall.exec(blank);
  if (call === null || ownFetch.test(blank)) return [];
  return [unseenDiagnostic('network', file, call.index, call.index + 'fetch'.length)];
}

/** Told at an import, as the run tells it once the code ran. */
export function unseenDiagnostic(what: string, file: SourceFile, start: number, end: number): Diagnostic {
  return {
    severity: 'warning',
    code: 'CODE_READS_UNSEEN',
    message: `${unseenWords}: ${what}`,
    span: { file, start, end },
    help: unseenHelp,
  };
}
