import type { NodeInspection, Parameter, SourceFile } from '@unroll/engine';
import { blankScript } from './blank-script.ts';
import { closingBracket, splitAtCommas } from './brackets.ts';

/**
 * What can be seen of a TypeScript or JavaScript node by looking at its text: the names its default function takes out
 * of its first parameter, and the functions given to `functionNode`. Where the text leaves doubt, nothing is claimed.
 */
export function inspectModule(file: SourceFile): Partial<NodeInspection> {
  const blank = blankScript(file.text);
  const node = /\bfunctionNode\s*(?:<[^>]*>)?\s*\(\s*\{/.exec(blank);
  if (node !== null) {
    const names = objectKeys(file.text, blank, node.index + node[0].length);
    return { takesAnyInput: true, ...(names !== undefined && { definedFunctions: names }) };
  }
  const start = parametersStart(blank);
  if (start === undefined) return { takesAnyInput: true };
  return { ...readFirstParameter(file, blank, start), toleratedInputs: 'unknown or missing' };
}

/** The same of the function that is exported under a name. */
export function inspectNamed(file: SourceFile, name: string): Partial<NodeInspection> {
  const blank = blankScript(file.text);
  const start = startOfNamed(blank, name);
  return start === undefined ? {} : readFirstParameter(file, blank, start);
}

/** Names that a function takes out of its first parameter and gives a default, read from its own source text. */
export function parametersWithDefault(functionText: string): ReadonlySet<string> {
  const blank = blankScript(functionText);
  const open = blank.indexOf('(');
  const seen = open === -1 ? {} : readFirstParameter({ path: '', text: functionText }, blank, open + 1);
  const names = (seen.parameters ?? []).filter(({ name, required }) => !required && hasDefault(blank, name));
  return new Set(names.map(({ name }) => name));
}

function hasDefault(blank: string, name: string): boolean {
  return new RegExp(`(?<![\\w$])${name}\\s*(?::\\s*[\\w$]+\\s*)?=`).test(blank);
}

/** Where the parameters of the function begin that is the node; undefined where its text leaves doubt. */
export function parametersStart(blank: string): number | undefined {
  const found = /\bexport\s+default\s+(?:async\s+)?(?:function\b\s*\*?\s*[\w$]*\s*)?(?:<[^>(]*>\s*)?\(/.exec(blank);
  if (found !== null) return found.index + found[0].length;
  const named = [...blank.matchAll(/^export\s+(?:async\s+)?function\s*\*?\s*[\w$]+\s*(?:<[^>(]*>\s*)?\(/gm)];
  const hasOther = /^export\s+(?:const|let|var|class|default|\{|\*)/m.test(blank);
  const [only] = named;
  if (only === undefined || named.length > 1 || hasOther) return undefined;
  return only.index + only[0].length;
}

/** Where the parameters of the function begin that is exported under a name. */
export function startOfNamed(blank: string, name: string): number | undefined {
  const own = name.replaceAll('$', '\\$');
  const declared = `function\\s*\\*?\\s*${own}\\s*(?:<[^>(]*>\\s*)?\\(`;
  const constant = `const\\s+${own}\\s*=\\s*(?:async\\s*)?(?:function\\s*)?\\(`;
  const found = new RegExp(`\\bexport\\s+(?:async\\s+)?(?:${declared}|${constant})`).exec(blank);
  return found === null ? undefined : found.index + found[0].length;
}

function readFirstParameter(file: SourceFile, blank: string, start: number): Partial<NodeInspection> {
  const open = blank.slice(start).search(/\S/) + start;
  if (blank[open] === ')') return { parameters: [], takesAnyInput: false };
  if (blank[open] !== '{') return { takesAnyInput: true };
  const end = closingBracket(blank, open + 1);
  if (end === undefined) return { takesAnyInput: true };
  const optional = optionalMembers(blank, end + 1);
  const parameters: Parameter[] = [];
  let takesAnyInput = false;
  for (const part of splitAtCommas(blank, open + 1, end)) {
    const text = blank.slice(part.start, part.end);
    if (text.trim() === '') continue;
    const name = /^\s*([\w$]+)/.exec(text)?.[1];
    if (name === undefined) {
      takesAnyInput = true;
      continue;
    }
    const at = part.start + text.indexOf(name);
    const required = !text.includes('=') && optional !== undefined && !optional.has(name);
    parameters.push({ name, required, span: { file, start: at, end: at + name.length } });
  }
  return { parameters, takesAnyInput };
}

/** Members marked `?` in the type written behind the pattern; undefined when that type is not seen in this file. */
function optionalMembers(blank: string, start: number): ReadonlySet<string> | undefined {
  const after = blank.slice(start);
  if (/^\s*[,)]/.test(after)) return new Set();
  const inline = /^\s*:\s*\{/.exec(after);
  if (inline !== null) return optionalOf(blank, start + inline[0].length);
  const name = /^\s*:\s*([\w$]+)\s*[,)]/.exec(after)?.[1];
  if (name === undefined) return undefined;
  const declared = new RegExp(`\\b(?:interface\\s+${name}|type\\s+${name}\\s*=)\\s*\\{`).exec(blank);
  return declared === null ? undefined : optionalOf(blank, declared.index + declared[0].length);
}

/** Undefined of a part of a type: what else it is of is not seen. */
function optionalOf(blank: string, start: number): ReadonlySet<string> | undefined {
  const isPart = /^\s*[&|]/.test(blank.slice((closingBracket(blank, start) ?? start) + 1));
  return isPart ? undefined : optionalNames(blank, start);
}

function optionalNames(blank: string, start: number): ReadonlySet<string> {
  const members = blank.slice(start, closingBracket(blank, start));
  return new Set([...members.matchAll(/([\w$]+)\s*\?\s*:/g)].map(([, name = '']) => name));
}

/** Keys of an object literal; undefined when one of them cannot be read (spread, computed). */
function objectKeys(text: string, blank: string, start: number): readonly string[] | undefined {
  const end = closingBracket(blank, start);
  if (end === undefined) return undefined;
  const names: string[] = [];
  for (const part of splitAtCommas(blank, start, end)) {
    if (blank.slice(part.start, part.end).trim() === '' && text.slice(part.start, part.end).trim() === '') continue;
    const found = /^\s*(?:(?:async\s+)?\*?\s*([\w$]+)|(["'])(.*?)\2)\s*(?=[:(,}]|$)/s.exec(
      withoutComments(text.slice(part.start, part.end)),
    );
    if (found === null) return undefined;
    names.push(found[1] ?? found[3] ?? '');
  }
  return names;
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/[^\n]*/gm, '');
}
