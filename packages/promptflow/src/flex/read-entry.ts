import { type EntrySignature, Float, type FlowFiles, ownValue, type Parameter, type SourceFile } from '@unroll/engine';
import { blankPython, closingBracket, modulePaths, readPythonList, splitAtCommas } from '@unroll/nodes/building-blocks';
import { type Definition, findDefinition, isMadeElsewhere, isNoFunction, wordEnd } from './find-definition.ts';

/**
 * The signature of `module:function` or `module:Class`, seen by looking at the text of its file, and of the files of the flow
 * that it imports; nothing is run. Undefined where the file is not there; `found: false` where it holds no such name. What
 * leaves doubt is not claimed.
 */
export function readEntry(entry: string, files: FlowFiles): EntrySignature | undefined {
  const [module = '', name = ''] = entry.split(':', 2);
  const path = modulePaths(module, '').find((one) => files.read(one) !== undefined);
  const file = path === undefined ? undefined : files.read(path);
  if (path === undefined || file === undefined) return undefined;
  const blank = blankPython(file.text);
  const names = [...blank.matchAll(/^(?:async[ \t]+)?(?:def|class)[ \t]+([\p{L}\p{N}_]+)/gmu)].map(
    ([, one = '']) => one,
  );
  const unseen = { path, names, init: [], isClass: false, aggregates: false };
  const definition = findDefinition(path, name, files);
  if (definition === undefined)
    return { ...unseen, found: isMadeElsewhere(blank, name) && !isNoFunction(file, blank, name) };
  const body = classBody(definition.blank, definition.name);
  if (body === undefined) {
    const read = signature(definition.file, definition.blank, definition.name, 0);
    return { ...unseen, found: true, ...called(definition, read, files) };
  }
  return { ...unseen, found: true, isClass: true, ...classSignature(definition, files) };
}

type ClassSignature = Pick<
  EntrySignature,
  'init' | 'takesOnlyInit' | 'aggregates' | 'inputs' | 'takesMore' | 'outputs' | 'isCallable'
>;

function classSignature(definition: Definition, files: FlowFiles): ClassSignature {
  const method = (name: string): Method => findMethod(definition, name, files);
  const call = method('__call__');
  const { signature: made, isCertain } = method('__init__');
  return {
    init: made?.parameters.slice(1) ?? [],
    ...(isCertain && made?.takesMore !== true && isMadeOnce(definition) ? { takesOnlyInit: true } : {}),
    aggregates: method('__aggregate__').signature !== undefined,
    ...(call.signature === undefined && call.isCertain ? { isCallable: false } : {}),
    ...called(call.owner, call.signature, files, 1),
  };
}

/** Whether its constructor is the one that is seen: nothing above the class, around it or behind it makes another. */
function isMadeOnce({ name, blank }: Definition): boolean {
  const body = classBody(blank, name);
  const isPlain = body?.bases.every((base) => base === 'object') === true;
  const classes = blank.match(new RegExp(`\\bclass[ \\t]+${name}${wordEnd}`, 'gu')) ?? [];
  const constructors = body?.text.slice(body.start).match(/\bdef[ \t]+__init__/gu) ?? [];
  const isRemade =
    isMadeElsewhere(blank, name) ||
    new RegExp(`^[ \\t]+${name}[ \\t]*=[^=]|\\b${name}\\.__|\\b(?:setattr|__new__|globals)\\b`, 'mu').test(blank);
  const isDecorated = /@[^\n]*\n[ \t]*def[ \t]+__init__/u.test(blank);
  return isPlain && classes.length === 1 && constructors.length < 2 && !isRemade && !isDecorated;
}

/** A method of a class or of one it inherits from; `isCertain` where all of these can be seen. */
interface Method {
  readonly owner: Definition;
  readonly signature?: Signature;
  readonly isCertain: boolean;
}

function findMethod(definition: Definition, name: string, files: FlowFiles): Method {
  const { file, blank, path } = definition;
  const body = classBody(blank, definition.name);
  const own = body === undefined ? undefined : signature(file, body.text, name, body.start);
  if (own !== undefined) return { owner: definition, signature: own, isCertain: true };
  const bases = body?.bases ?? [];
  const isAssigned = body !== undefined && new RegExp(`\\b${name}\\b`).test(body.text.slice(body.start));
  let isCertain = body !== undefined && !isAssigned;
  for (const base of bases.filter((one) => one !== 'object')) {
    const found = base === definition.name ? undefined : findDefinition(path, base, files);
    if (found === undefined) {
      isCertain = false;
      continue;
    }
    const inherited = findMethod(found, name, files);
    if (inherited.signature !== undefined) return inherited;
    isCertain &&= inherited.isCertain;
  }
  return { owner: definition, isCertain };
}

interface Body {
  readonly start: number;
  /** The class alone, everything else of the file blanked, so that places stay. */
  readonly text: string;
  /** What it inherits from, as it is written, keywords left out. */
  readonly bases: readonly string[];
}

function classBody(blank: string, name: string): Body | undefined {
  const head = new RegExp(`^(@[^\\n]*\\n)*class[ \\t]+${name}${wordEnd}[ \\t]*(?:\\(([^)]*)\\))?[^\\n]*`, 'mu').exec(
    blank,
  );
  if (head === null) return undefined;
  const start = head.index + head[0].length;
  const rest = blank.slice(start);
  const next = /^\S/m.exec(rest.slice(1));
  const end = next === null ? blank.length : start + 1 + next.index;
  const written = (head[2] ?? '').split(',').map((base) => base.trim());
  // What decorates the class may make it anything.
  const decorated = head[1] === undefined ? [] : ['@'];
  return { start, text: blank.slice(0, end), bases: [...written.filter((base) => base !== ''), ...decorated] };
}

/** Inputs and outputs of what is called for a row. As in Prompt flow, `**more` is given only what the flow declares. */
function called(
  { path }: Definition,
  read: Signature | undefined,
  files: FlowFiles,
  skipped = 0,
): Pick<EntrySignature, 'inputs' | 'takesMore' | 'outputs'> {
  if (read === undefined) return {};
  const record = read.returns === undefined ? undefined : findDefinition(path, read.returns, files);
  const fields = record === undefined ? undefined : fieldsOf(record.blank, record.name);
  return {
    inputs: read.parameters.slice(skipped),
    ...(read.takesMore ? { takesMore: true } : {}),
    ...(fields === undefined ? {} : { outputs: fields }),
  };
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
  const returns = /^\)[ \t]*->[ \t]*["']?([\p{L}\p{N}_.]+)/u.exec(file.text.slice(end))?.[1];
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
  const [, name = ''] = /^([\p{L}\p{N}_]+)/u.exec(part.text) ?? [];
  const at = file.text.indexOf(name, part.start);
  const equals = part.text.indexOf('=');
  const written = file.text.slice(part.start, part.end);
  // Quotes go as in a reference forward; what stands in them is blank in the other text.
  const [, type] = /^\s*[\p{L}\p{N}_]+\s*:\s*([^=]+)/u.exec(written.replaceAll(/["']/g, '')) ?? [];
  const fallback = equals === -1 ? undefined : literalOf(written.slice(written.indexOf('=') + 1));
  return {
    name,
    required: equals === -1,
    type: type === undefined ? typeOfDefault(fallback) : flowType(type.trim()),
    span: { file, start: at, end: at + name.length },
    ...(fallback === undefined ? {} : { default: fallback }),
  };
}

/** Without an annotation a parameter has the type of its default, as in Prompt flow. */
function typeOfDefault(fallback: ReturnType<typeof literalOf>): string {
  if (typeof fallback === 'string') return 'string';
  if (typeof fallback === 'boolean') return 'bool';
  if (Array.isArray(fallback)) return 'list';
  if (fallback instanceof Float) return 'double';
  if (typeof fallback === 'number') return Number.isInteger(fallback) ? 'int' : 'double';
  return 'object';
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
  return (
    ownValue(flowTypes, plain) ??
    (plain.endsWith('Connection') || plain.endsWith('ModelConfiguration') ? plain : 'object')
  );
}

/** Fields of a dataclass or TypedDict of the same file. */
function fieldsOf(blank: string, name: string): readonly string[] | undefined {
  const head = new RegExp(`((?:^@[^\\n]*\\n)*)^class[ \\t]+${name}${wordEnd}([^\\n]*)`, 'mu').exec(blank);
  const isRecord = /@(?:dataclasses\.)?dataclass\b/.test(head?.[1] ?? '') || /TypedDict/.test(head?.[2] ?? '');
  const body = isRecord ? classBody(blank, name) : undefined;
  if (body === undefined) return undefined;
  const fields = [...body.text.slice(body.start).matchAll(/^[ \t]+([\p{L}\p{N}_]+)[ \t]*:/gmu)].map(
    ([, field = '']) => field,
  );
  return fields.length === 0 ? undefined : fields;
}
