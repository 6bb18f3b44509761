import type { EntrySignature, FlowFiles, Parameter, SourceFile } from '@unroll/engine';
import { closingBracket, splitAtCommas } from '../code/brackets.ts';
import { readPythonList } from '../llm/python-literal.ts';
import { blankPython } from '../python/blank-python.ts';

/**
 * The signature of `module:function` or `module:Class`, seen by looking at the text of its file; nothing is run. Undefined where
 * the file is not there; `found: false` where it holds no such name. What leaves doubt is not claimed.
 */
export function readEntry(entry: string, files: FlowFiles): EntrySignature | undefined {
  const [module = '', name = ''] = entry.split(':', 2);
  const way = module.replaceAll('.', '/');
  const path = [`${way}.py`, `${way}/__init__.py`].find((one) => files.read(one) !== undefined);
  const file = path === undefined ? undefined : files.read(path);
  if (path === undefined || file === undefined) return undefined;
  const blank = blankPython(file.text);
  const names = [...blank.matchAll(/^(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)/gm)].map(([, one = '']) => one);
  const isImported = new RegExp(`^(?:from|import)\\b.*\\b${name}\\b`, 'm').test(blank);
  if (!names.includes(name)) return { path, found: isImported, names, init: [], isClass: false, aggregates: false };
  const shared = { path, found: true, names };
  const body = classBody(blank, name);
  if (body === undefined)
    return { ...shared, init: [], isClass: false, aggregates: false, ...called(file, blank, name, 0) };
  const { start, text } = body;
  const init = signature(file, text, '__init__', start)?.parameters.slice(1) ?? [];
  const aggregates = signature(file, text, '__aggregate__', start) !== undefined;
  return { ...shared, init, isClass: true, aggregates, ...called(file, text, '__call__', start, 1) };
}

interface Body {
  readonly start: number;
  /** The class alone, everything else of the file blanked, so that places stay. */
  readonly text: string;
}

function classBody(blank: string, name: string): Body | undefined {
  const head = new RegExp(`^class[ \\t]+${name}\\b[^\\n]*`, 'm').exec(blank);
  if (head === null) return undefined;
  const start = head.index + head[0].length;
  const rest = blank.slice(start);
  const next = /^\S/m.exec(rest.slice(1));
  const end = next === null ? blank.length : start + 1 + next.index;
  return { start, text: blank.slice(0, end) };
}

/** Inputs and outputs of what is called for a row; nothing where it is inherited or takes `*args`. */
function called(
  file: SourceFile,
  blank: string,
  name: string,
  from: number,
  skipped = 0,
): Pick<EntrySignature, 'inputs' | 'outputs'> {
  const read = signature(file, blank, name, from);
  if (read === undefined || read.takesMore) return {};
  const fields = read.returns === undefined ? undefined : fieldsOf(blankPython(file.text), read.returns);
  return { inputs: read.parameters.slice(skipped), ...(fields === undefined ? {} : { outputs: fields }) };
}

type EntryParameter = Parameter & { readonly default?: ReturnType<typeof literalOf> };

interface Signature {
  readonly parameters: readonly EntryParameter[];
  readonly takesMore: boolean;
  readonly returns: string | undefined;
}

function signature(file: SourceFile, blank: string, name: string, from: number): Signature | undefined {
  const found = new RegExp(`^[ \\t]*(?:async[ \\t]+)?def[ \\t]+${name}[ \\t]*\\(`, 'm').exec(blank.slice(from));
  if (found === null) return undefined;
  const start = from + found.index + found[0].length;
  const end = closingBracket(blank, start);
  if (end === undefined) return undefined;
  const parts = splitAtCommas(blank, start, end)
    .map((part) => ({ ...part, text: blank.slice(part.start, part.end).trim() }))
    .filter(({ text }) => text !== '' && text !== '*' && text !== '/');
  const returns = /^\)[ \t]*->[ \t]*["']?([\w.]+)/.exec(file.text.slice(end))?.[1];
  return {
    parameters: parts.filter(({ text }) => !text.startsWith('*')).map((part) => parameterOf(file, part)),
    takesMore: parts.some(({ text }) => text.startsWith('*')),
    returns,
  };
}

function parameterOf(
  file: SourceFile,
  part: { readonly start: number; readonly end: number; readonly text: string },
): EntryParameter {
  const [, name = '', type] = /^(\w+)\s*(?::\s*([^=]+))?/.exec(part.text) ?? [];
  const at = file.text.indexOf(name, part.start);
  const equals = part.text.indexOf('=');
  const written = file.text.slice(part.start, part.end);
  const fallback = equals === -1 ? undefined : literalOf(written.slice(written.indexOf('=') + 1));
  return {
    name,
    required: equals === -1,
    type: flowType(type?.trim()),
    span: { file, start: at, end: at + name.length },
    ...(fallback === undefined ? {} : { default: fallback }),
  };
}

function literalOf(text: string) {
  return readPythonList(`[${text.trim()}]`)?.[0];
}

const flowTypes: Readonly<Record<string, string>> = {
  str: 'string',
  int: 'int',
  float: 'double',
  bool: 'bool',
  list: 'list',
  List: 'list',
  dict: 'object',
  Dict: 'object',
};

function flowType(annotation: string | undefined): string {
  const plain = /^(?:Optional\[)?(?:typing\.)?(\w+)/.exec(annotation ?? '')?.[1] ?? '';
  return flowTypes[plain] ?? (plain.endsWith('Connection') || plain.endsWith('ModelConfiguration') ? plain : 'object');
}

/** Fields of a dataclass or TypedDict of the same file. */
function fieldsOf(blank: string, name: string): readonly string[] | undefined {
  const head = new RegExp(`((?:^@[^\\n]*\\n)*)^class[ \\t]+${name}\\b([^\\n]*)`, 'm').exec(blank);
  const isRecord = /@(?:dataclasses\.)?dataclass\b/.test(head?.[1] ?? '') || /TypedDict/.test(head?.[2] ?? '');
  const body = isRecord ? classBody(blank, name) : undefined;
  if (body === undefined) return undefined;
  const fields = [...body.text.slice(body.start).matchAll(/^[ \t]+(\w+)[ \t]*:/gm)].map(([, field = '']) => field);
  return fields.length === 0 ? undefined : fields;
}
