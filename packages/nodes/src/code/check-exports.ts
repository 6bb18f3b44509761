import type { Diagnostic, SourceFile } from '@unroll/engine';
import { blankScript } from './blank-script.ts';
import { closingBracket } from './brackets.ts';
import { failsWhenLoaded } from './check-loading.ts';
import { isWrittenAsModule } from './module-syntax.ts';

/** What Node refuses in a module by its text: a name that is exported twice, a name of CommonJS, what fails whenever it is loaded. */
export function moduleMistakes(file: SourceFile): readonly Diagnostic[] {
  const blank = blankScript(file.text);
  if (!isWrittenAsModule(file.text)) return failsWhenLoaded(file, blank);
  return [...exportedTwice(file, blank), ...namesOfCommonJs(file, blank), ...failsWhenLoaded(file, blank)];
}

/** Whether its one export is a number, a truth value or nothing, written there or as a constant: no function. */
export function exportsPlainValue(blank: string): boolean {
  const exported = blank.match(/\bexports?\b/g) ?? [];
  const [, written = ''] = /^export[ \t]+default[ \t]+([\w$.]+)[ \t]*;?[ \t]*$/m.exec(blank) ?? [];
  if (written === '' || exported.length !== 1) return false;
  const constant = new RegExp(
    `^const[ \\t]+${written.replaceAll(/[$.]/g, '\\$&')}[ \\t]*=[ \\t]*([\\w.]+)[ \\t]*;?[ \\t]*$`,
    'm',
  );
  return isPlain(written) || isPlain(constant.exec(blank)?.[1] ?? '');
}

/** What a default export is that is written there and is no function that can be called; where it stands. */
export function kindOfDefault(blank: string): { name: string; start: number; end: number } | undefined {
  const found = /^export[ \t]+default[ \t]+(abstract\s+class|class|\{|\[)/m.exec(blank);
  if (found === null) return undefined;
  const [whole, word = ''] = found;
  const isClass = word.endsWith('class');
  // Beside what is no function another export may be the node.
  if (!isClass && (blank.match(/\bexport\b/g) ?? []).length > 1) return undefined;
  const end = found.index + whole.length;
  // A member of it: `export default [run][0]`.
  if (!isClass && /^[ \t]*[.[?]/.test(blank.slice((closingBracket(blank, end) ?? end) + 1))) return undefined;
  return { name: isClass ? 'a class' : word === '{' ? 'an object' : 'a list', start: end - word.length, end };
}

function isPlain(text: string): boolean {
  return /^(?:\d+(?:\.\d+)?|true|false|null)$/.test(text);
}

interface Exported {
  readonly name: string;
  readonly start: number;
  readonly isFunction: boolean;
}

/** Overloads of a function are one export; what `declare` holds is gone once the file is loaded. */
function exportedTwice(file: SourceFile, blank: string): readonly Diagnostic[] {
  if (/\bdeclare\b/.test(blank)) return [];
  const seen = new Map<string, Exported>();
  const found: Diagnostic[] = [];
  for (const one of [...declared(blank), ...listed(blank)].toSorted((a, b) => a.start - b.start)) {
    const first = seen.get(one.name);
    seen.set(one.name, first ?? one);
    if (first === undefined || (first.isFunction && one.isFunction)) continue;
    found.push(mistake(file, 'CODE_SYNTAX', `${one.name} is exported twice`, one.start, one.name));
  }
  return found;
}

const declaration =
  /^export[ \t]+(?:(default)\b(?!\s+(?:interface|abstract)\b)(?:\s+(?:async\s+)?(function)\b)?|(?:async[ \t]+)?(function)[ \t]*\*?[ \t]*([\w$]+)|(?:const(?![ \t]+enum\b)|let|var|class)[ \t]+([\w$]+))/gm;

function declared(blank: string): readonly Exported[] {
  return [...blank.matchAll(declaration)].map((match) => {
    const [whole, byDefault, defaultFunction, named, functionName, other] = match;
    const name = byDefault ?? functionName ?? other ?? '';
    const start = match.index + whole.lastIndexOf(name);
    return { name, start, isFunction: (defaultFunction ?? named) !== undefined };
  });
}

function listed(blank: string): readonly Exported[] {
  return [...blank.matchAll(/^export[ \t]*\{([^}]*)\}/gm)].flatMap((match) => {
    const [whole, list = ''] = match;
    const from = match.index + whole.indexOf('{') + 1;
    return [...list.matchAll(/[^,]+/g)].flatMap((part) => {
      const [, name = ''] = /^\s*(?!type\s)(?:[\w$]+\s+as\s+)?([\w$]+)\s*$/.exec(part[0]) ?? [];
      return name === '' ? [] : [{ name, start: from + part.index + part[0].lastIndexOf(name), isFunction: false }];
    });
  });
}

/** In a constant of the file it fails as the file is loaded; in a function, or as what is taken else, it may never be come to. */
function namesOfCommonJs(file: SourceFile, blank: string): readonly Diagnostic[] {
  return ['dirname', 'filename'].flatMap((own): readonly Diagnostic[] => {
    const name = `__${own}`;
    const found = [...blank.matchAll(new RegExp(`(?<![\\w$.])${name}\\b(?!\\s*:)`, 'g'))];
    const isDefined = new RegExp(`\\b(?:declare|typeof)\\b.*\\b${name}\\b|\\b${name}\\s*=(?!=)|globalThis`).test(blank);
    const first = found.find(({ index }) => isConstant(blank, index)) ?? found[0];
    if (first === undefined || isDefined) return [];
    const told = mistake(file, 'CODE_NAME', `there is no ${name} in a module`, first.index, name);
    const severity = isConstant(blank, first.index) ? 'error' : 'warning';
    return [{ ...told, severity, help: `write import.meta.${own}` }];
  });
}

function isConstant(blank: string, at: number): boolean {
  const line = blank.slice(blank.lastIndexOf('\n', at) + 1, at);
  return /^(?:export[ \t]+)?(?:const|let|var)\b/.test(line) && !/=>|\bfunction\b|\{|\?|\|\||&&/.test(line);
}

function mistake(file: SourceFile, code: string, message: string, start: number, text: string): Diagnostic {
  return { severity: 'error', code, message, span: { file, start, end: start + text.length } };
}
