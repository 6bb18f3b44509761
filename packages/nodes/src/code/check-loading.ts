import type { Diagnostic, SourceFile } from '@unroll/engine';
import { outsideBrackets } from './brackets.ts';

/** What fails whenever a TypeScript or JavaScript file is loaded: a `throw` that nothing stands before, a name that is declared twice. */
export function failsWhenLoaded(file: SourceFile, blank: string): readonly Diagnostic[] {
  return [...thrown(file, blank), ...declaredTwice(file, blank)];
}

/** Behind a `)`, `else` or a label it may never be reached. */
function thrown(file: SourceFile, blank: string): readonly Diagnostic[] {
  return outsideBrackets(blank, blank.matchAll(/^throw\b.*/gm))
    .filter(({ index }) => ['', ';', '}'].includes(blank.slice(0, index).trimEnd().slice(-1)))
    .map(({ index }) => ({
      severity: 'error',
      code: 'CODE_FUNCTION',
      message: 'the file throws an error whenever it is loaded',
      help: 'throw it in the function that is the node, where a row records it as its failure',
      span: { file, start: index, end: index + 'throw'.length },
    }));
}

const declaration = /^(export[ \t]+)?(?:const(?![ \t]+enum\b)|let|class)[ \t]+([\w$]+)/gm;

/** A name of the file itself; what is exported twice is told as that, and what `declare` holds is gone once the file is loaded. */
function declaredTwice(file: SourceFile, blank: string): readonly Diagnostic[] {
  if (/\bdeclare\b/.test(blank)) return [];
  const first = new Map<string, RegExpExecArray>();
  return outsideBrackets(blank, blank.matchAll(declaration)).flatMap((found) => {
    const { 0: whole, 1: exported, 2: name = '', index } = found;
    const before = first.get(name);
    if (before === undefined) first.set(name, found);
    if (before === undefined || (before[1] !== undefined && exported !== undefined)) return [];
    const end = index + whole.length;
    const message = `${name} is declared twice`;
    return [{ severity: 'error', code: 'CODE_SYNTAX', message, span: { file, start: end - name.length, end } }];
  });
}
