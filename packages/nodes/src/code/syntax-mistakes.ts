import { stripTypeScriptTypes } from 'node:module';
import { Script } from 'node:vm';
import { type Diagnostic, MAX_DEPTH, type SourceFile } from '@unroll/engine';
import { blankScript } from './blank-script.ts';
import { isWrittenAsModule } from './module-syntax.ts';

/** What the Node that would load a file of TypeScript or JavaScript cannot read of it, in that Node's words where it has any. */
export function syntaxMistakes(file: SourceFile): readonly Diagnostic[] {
  const blank = blankScript(file.text);
  return nestsDeeply(blank) ? [] : [...strippingMistakes(file), ...decoratorMistakes(file, blank)];
}

/** Node's reader of TypeScript would fail, for this file and all that come after it. */
function nestsDeeply(blank: string): boolean {
  let depth = 0;
  for (const [bracket] of blank.matchAll(/[()[\]{}]/g)) {
    depth += '([{'.includes(bracket) ? 1 : -1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

function strippingMistakes(file: SourceFile): readonly Diagnostic[] {
  // JavaScript of the old form has syntax of its own.
  if (!/\.[cm]?ts$/.test(file.path) && !isWrittenAsModule(file.text)) return [];
  try {
    stripTypeScriptTypes(file.text, { sourceUrl: 'module.ts' });
    return [];
  } catch (error) {
    const { message: told, stack = '', code = '' } = error as NodeJS.ErrnoException;
    if (!/^ERR_(?:INVALID|UNSUPPORTED)_TYPESCRIPT_SYNTAX$/.test(code)) return [];
    const message = `${told}: Node cannot read this file`;
    const help = ways.find(([begins]) => told.startsWith(begins))?.[1];
    return [{ severity: 'error', code: 'CODE_SYNTAX', message, span: placeIn(stack, file), help }];
  }
}

/** How each is written that compilers of TypeScript make code of, and Node, which takes types away, does not. */
const ways: readonly (readonly [told: string, way: string])[] = [
  ['TypeScript enum ', 'write an object in its place: `const Kind = { A: "a", B: "b" } as const`'],
  ['TypeScript parameter property ', 'declare the property in the class, and set it in the constructor: `this.a = a`'],
  ['TypeScript namespace ', 'put what it holds into a file of its own, and import that'],
  ['TypeScript import equals ', 'write `import … from "…"`'],
];

/** Line and column stand in the stack alone, the column as marks below the line. */
function placeIn(stack: string, file: SourceFile): Diagnostic['span'] {
  const line = Number(/^module\.ts:(\d+)$/m.exec(stack)?.[1] ?? 1);
  const start = file.text.split('\n', line - 1).join('\n').length + (line > 1 ? 1 : 0);
  const text = file.text.slice(start).split('\n', 1)[0] ?? '';
  const [, shown = '', before = '', marks = ''] = /^module\.ts:\d+\n(.*)\n( *)(\^+)$/m.exec(stack) ?? [];
  // Wide characters take two columns there.
  const isCounted = marks !== '' && shown === text && /^[ -~]*$/.test(text);
  const from = start + (isCounted ? before.length : text.search(/\S|$/));
  return { file, start: from, end: isCounted ? from + marks.length : start + text.trimEnd().length };
}

/** They are no types: stripping leaves them where they stand. */
function decoratorMistakes(file: SourceFile, blank: string): readonly Diagnostic[] {
  const [name, start] = firstDecorator(blank);
  if (name === undefined || readsDecorators()) return [];
  return [
    {
      severity: 'error',
      code: 'CODE_SYNTAX',
      message: `a decorator (${name}) is no syntax of Node ${process.versions.node}: Node cannot read this file`,
      span: { file, start, end: start + name.length },
      help: 'call its function on the class or the method instead, or compile the file first',
    },
  ];
}

/** `@` stands before a name or a bracket for nothing else. */
function firstDecorator(blank: string): readonly [name: string | undefined, start: number] {
  const found = /@[\w$.]+|@(?=\()/.exec(blank);
  return [found?.[0], found?.index ?? 0];
}

function readsDecorators(): boolean {
  try {
    new Script('class Known { @((method) => method) method() {} }');
    return true;
  } catch {
    return false;
  }
}
