import type { Diagnostic, SourceFile } from '@unroll/engine';
import { depthAt } from './brackets.ts';

/** What fails whenever a TypeScript or JavaScript file is loaded: a `throw` that nothing stands before, a name that is declared twice. */
export function failsWhenLoaded(file: SourceFile, blank: string): readonly Diagnostic[] {
  return [...thrown(file, blank), ...declaredTwice(file, blank)];
}

/** Behind a `)`, `else` or a label it may never be reached. */
function thrown(file: SourceFile, blank: string): readonly Diagnostic[] {
  return [...blank.matchAll(/^throw\b.*/gm)]
    .filter(({ index }) => /(?:^|[;}])\s*$/.test(blank.slice(0, index)) && depthAt(blank, index) === 0)
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
  const all = [...blank.matchAll(declaration)].filter(({ index }) => depthAt(blank, index) === 0);
  return all.flatMap(({ 0: whole, 1: exported, 2: name = '', index }, at) => {
    const first = all.slice(0, at).find((one) => one[2] === name);
    if (first === undefined || (first[1] !== undefined && exported !== undefined)) return [];
    const end = index + whole.length;
    const message = `${name} is declared twice`;
    return [{ severity: 'error', code: 'CODE_SYNTAX', message, span: { file, start: end - name.length, end } }];
  });
}
