import type { NodeInspection, Parameter, SourceFile } from '@unroll/engine';
import { closingBracket, splitAtCommas } from '../code/brackets.ts';
import { blankPython } from './blank-python.ts';

/**
 * What can be seen of a Python node by looking at its text: the parameters of its one tool, and the functions given to
 * `function_node`. Nothing is run; where the text leaves doubt, nothing is claimed.
 */
export function inspectPython(file: SourceFile): Partial<NodeInspection> {
  const blank = blankPython(file.text);
  const defined = definedFunctions(file.text, blank);
  if (defined !== undefined) return { takesAnyInput: true, ...(defined.length > 0 && { definedFunctions: defined }) };
  const signature = toolSignature(blank);
  if (signature === undefined) return { takesAnyInput: true };
  return readSignature(file, blank, signature);
}

/** The same of a function of the file by its name. */
export function inspectPythonFunction(file: SourceFile, name: string): Partial<NodeInspection> {
  const blank = blankPython(file.text);
  const found = [...blank.matchAll(new RegExp(`^(@[^\\n]*\\n)?(?:async[ \\t]+)?def[ \\t]+${name}[ \\t]*\\(`, 'gm'))];
  const [only] = found;
  if (only === undefined || found.length > 1 || only[1] !== undefined) return {};
  const start = only.index + only[0].length;
  const end = closingBracket(blank, start);
  return end === undefined ? {} : readSignature(file, blank, { start, end });
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** Between the parentheses of the one top-level tool, or of the one public function where nothing is decorated. */
function toolSignature(blank: string): Stretch | undefined {
  const isClassTool = /^[ \t]+@(?:\w+\.)*tool\b/m.test(blank);
  const found = [...blank.matchAll(/^((?:@[^\n]*\n)*)(?:async[ \t]+)?def[ \t]+(\w+)[ \t]*\(/gm)];
  const tools = found.filter(([, decorators = '']) => /^@(?:\w+\.)*tool\b/m.test(decorators));
  const candidates = tools.length > 0 ? tools : found.filter(([, , name = '']) => !name.startsWith('_'));
  const [only] = candidates;
  if (only === undefined || candidates.length > 1 || isClassTool) return undefined;
  if (/@(?!(?:\w+\.)*(?:tool|trace)\b)/.test(only[1] ?? '')) return undefined;
  const start = only.index + only[0].length;
  const end = closingBracket(blank, start);
  return end === undefined ? undefined : { start, end };
}

function readSignature(file: SourceFile, blank: string, { start, end }: Stretch): Partial<NodeInspection> {
  const parameters: Parameter[] = [];
  let takesAnyInput = false;
  for (const part of splitAtCommas(blank, start, end)) {
    const text = blank.slice(part.start, part.end).trim();
    if (text === '' || text === '*' || text === '/') continue;
    if (text.startsWith('**')) takesAnyInput = true;
    else if (!text.startsWith('*')) parameters.push(readParameter(file, blank, part));
  }
  return { parameters, takesAnyInput };
}

function readParameter(file: SourceFile, blank: string, part: Stretch): Parameter {
  const text = blank.slice(part.start, part.end);
  const name = /\w+/.exec(text)?.[0] ?? '';
  const at = part.start + text.indexOf(name);
  const equals = text.indexOf('=');
  const colon = text.indexOf(':');
  const hasType = colon !== -1 && (equals === -1 || colon < equals);
  const fallback = equals === -1 ? '' : text.slice(equals + 1).trim();
  const type = hasType ? text.slice(colon + 1, equals === -1 ? undefined : equals).trim() : typeOfDefault(fallback);
  return {
    name,
    required: equals === -1,
    ...(type !== undefined && type !== '' && { type }),
    span: { file, start: at, end: at + name.length },
  };
}

/** What Prompt flow makes a literal to where a parameter has no type of its own. */
function typeOfDefault(text: string): string | undefined {
  return defaultTypes.find(([written]) => written.test(text))?.[1];
}

const defaultTypes: readonly (readonly [RegExp, string])[] = [
  [/^-?\d+$/, 'int'],
  [/^-?\d+\.\d*$/, 'double'],
  [/^(?:True|False)$/, 'bool'],
  [/^\[[^[\]]*\]$/, 'list'],
];

/** undefined: no function node; an empty list: one whose functions cannot be seen. */
function definedFunctions(text: string, blank: string): readonly string[] | undefined {
  const call = /^[ \t]*\w+[ \t]*(?::[^=\n]*)?=[ \t]*(?:\w+\.)?function_node[ \t]*\(/m.exec(blank);
  if (call === null) return undefined;
  const start = call.index + call[0].length;
  const end = closingBracket(blank, start);
  if (end === undefined) return [];
  const parts = splitAtCommas(blank, start, end).filter((part) => blank.slice(part.start, part.end).trim() !== '');
  const [only] = parts;
  if (only === undefined) return [];
  const inner = parts.length === 1 ? insideBrackets(blank, only) : undefined;
  const names = (inner === undefined ? parts : splitAtCommas(blank, inner.start, inner.end))
    .map((part) => nameOf(text, blank, part))
    .filter((name) => name !== '');
  return names.every((name) => /^[\w-]+$/.test(name)) ? names : [];
}

function insideBrackets(blank: string, part: Stretch): Stretch | undefined {
  const open = blank.slice(part.start, part.end).search(/\S/) + part.start;
  if (blank[open] !== '{' && blank[open] !== '[') return undefined;
  const end = closingBracket(blank, open + 1);
  return end === undefined ? undefined : { start: open + 1, end };
}

/** `"name": function`, or `function` itself; a text that is no plain name is given back as it is and refused above. */
function nameOf(text: string, blank: string, { start, end }: Stretch): string {
  const colon = blank.slice(start, end).indexOf(':');
  if (colon === -1) return blank.slice(start, end).trim();
  const key = text.slice(start, start + colon).trim();
  return /^(["']).*\1$/s.test(key) ? key.slice(1, -1) : `${key}:`;
}
