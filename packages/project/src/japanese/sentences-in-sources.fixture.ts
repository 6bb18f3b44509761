import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';

/** A node of a syntax tree. */
interface Syntax {
  readonly type: string;
  readonly [part: string]: unknown;
}

const isSyntax = (value: unknown): value is Syntax => typeof value === 'object' && value !== null && 'type' in value;

/** What failures in the sources say: each sentence with `{}` where a value stands, and the files that say it. */
export function sentencesInSources(root: string, patterns: readonly string[]): ReadonlyMap<string, readonly string[]> {
  return saidInSources(root, patterns, sentencesOf);
}

function saidInSources(
  root: string,
  patterns: readonly string[],
  saidIn: (source: string, file: string) => readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const files = patterns
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .filter((file) => !/\.(test|fixture)\.ts$|\/testing\//.test(file))
    .sort();
  const found = new Map<string, readonly string[]>();
  for (const file of files) {
    for (const sentence of new Set(saidIn(readFileSync(join(root, file), 'utf8'), file)))
      found.set(sentence, [...(found.get(sentence) ?? []), file]);
  }
  return found;
}

/** What `flow check` says: of the files, each message of a mistake and what to do about it. */
export function mistakesInSources(root: string, patterns: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const makers = saidInSources(root, patterns, mistakeMakers);
  return saidInSources(root, patterns, (source, file) => mistakesOf(source, file, makers));
}

/** Functions that make a mistake of what they are given; those of one file are called in others. */
function mistakeMakers(source: string, file: string): readonly string[] {
  return read(source, file)
    .all.filter(({ type, body }) => type === 'FunctionDeclaration' && below(body).some(isMistake))
    .flatMap(({ id }) => nameOf(id) ?? []);
}

function mistakesOf(source: string, file: string, makers: ReadonlyMap<string, unknown>): readonly string[] {
  const { all, valuesOf } = read(source, file);
  const said = all.flatMap((one): readonly unknown[] => {
    const { message, help } = fieldsOf(one);
    const isMade = one.type === 'CallExpression' && makers.has(nameOf(one['callee']) ?? '');
    return isMade ? (one['arguments'] as readonly unknown[]) : [message, help];
  });
  const texts = all.filter(isMistakeText).flatMap(returnedBy);
  return sentences([...said, ...texts], valuesOf);
}

/** A function that gives the message of a mistake: `unknownEvaluatorMessage`. */
function isMistakeText({ type, id }: Syntax): boolean {
  return type === 'FunctionDeclaration' && /(Message|Help)$/.test(nameOf(id) ?? '');
}

function isMistake(one: Syntax): boolean {
  return 'severity' in fieldsOf(one);
}

/** @param file its name */
function sentencesOf(source: string, file: string): readonly string[] {
  const { all, valuesOf } = read(source, file);
  const makers = makersOf(all);
  const said = [
    ...all.flatMap((one) => saidBy(one, makers)),
    ...all.filter(isReason).flatMap(returnedBy),
    ...all.flatMap(warningsOf),
  ];
  return sentences(said, valuesOf);
}

type ValuesOf = (name: string) => readonly unknown[];

/** All parts of a file, and what its constants are. */
function read(source: string, file: string): { readonly all: readonly Syntax[]; readonly valuesOf: ValuesOf } {
  const { program } = parseSync(file, source, { lang: 'ts' });
  const all = below(program as unknown as Syntax);
  const constants = Map.groupBy(
    all.filter(({ type, id }) => type === 'VariableDeclarator' && nameOf(id) !== undefined),
    ({ id }) => nameOf(id),
  );
  return { all, valuesOf: (name) => (constants.get(name) ?? []).map(({ init }) => init) };
}

function sentences(said: readonly unknown[], valuesOf: ValuesOf): readonly string[] {
  return said
    .flatMap((one) => textsOf(one, valuesOf))
    .filter((text) => /[a-z]{2}.*\s|\s.*[a-z]{2}/is.test(text.replaceAll('{}', '')));
}

/** Functions of a file that make a failure of what they are given. */
function makersOf(all: readonly Syntax[]): ReadonlySet<string> {
  const made = all.filter(({ type, body }) => type === 'FunctionDeclaration' && below(body).some(isFailure));
  return new Set([...made.flatMap(({ id }) => nameOf(id) ?? []), ...always]);
}

/** Those that come from another file. */
const always = ['badQuery', 'errorBody', 'userError', 'inputError'];

const failures = new Set(['ProjectFailure', 'RunFileError', 'RunFileLostError', 'RunDamageError']);

function isFailure(one: Syntax): boolean {
  const isNew = one.type === 'NewExpression' && failures.has(nameOf(one['callee']) ?? '');
  return isNew || 'retryable' in fieldsOf(one);
}

/** What of a part of the program is said to people. */
function saidBy(one: Syntax, makers: ReadonlySet<string>): readonly unknown[] {
  const fields = fieldsOf(one);
  // Mistakes in files are told by `flow check`, notices in the terminal.
  if ('severity' in fields || 'kind' in fields) return [];
  if (one.type === 'VariableDeclarator' && nameOf(one['id']) === 'words' && isSyntax(one['init']))
    return Object.values(fieldsOf(one['init']));
  const texts = ['help', 'problem'].flatMap((name) => fields[name] ?? []);
  if (isFailure(one) && one.type === 'ObjectExpression') return [fields['message'], ...texts];
  if (isFailure(one)) return one['arguments'] as readonly unknown[];
  if (one.type === 'CallExpression' && makers.has(nameOf(one['callee']) ?? ''))
    return one['arguments'] as readonly unknown[];
  return texts;
}

/** What is told of a node that came to its end: in its `warnings`, or by a function that makes some. */
function warningsOf(one: Syntax): readonly unknown[] {
  const name = nameOf(one['id']) ?? '';
  const init = one['init'];
  if (one.type === 'VariableDeclarator' && /^warnings?$/.test(name)) return [init];
  if (one.type === 'VariableDeclarator' && /^(refused|unsent)Settings$/.test(name) && isSyntax(init))
    return Object.values(fieldsOf(init));
  if (one.type === 'FunctionDeclaration' && /^(warning|withEmpty|also)|(Warnings|emptyMessage)$/.test(name))
    return returnedBy(one);
  const { warnings } = fieldsOf(one);
  return warnings === undefined ? [] : [warnings];
}

/** A function that tells a reason: `problemOf`, `refusalOf`. */
function isReason({ type, id }: Syntax): boolean {
  return (
    type === 'FunctionDeclaration' && /^(problem|refusal|unreadable)|(Problem|Reason|Refusal)$/.test(nameOf(id) ?? '')
  );
}

function returnedBy({ body }: Syntax): readonly unknown[] {
  return below(body).flatMap(({ type, argument }) => (type === 'ReturnStatement' ? [argument] : []));
}

function fieldsOf({ type, properties }: Syntax): Readonly<Record<string, unknown>> {
  if (type !== 'ObjectExpression') return {};
  const own = (properties as readonly Syntax[]).flatMap(({ key, value }) => {
    const name = nameOf(key);
    return name === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(own);
}

/** The texts that an expression may come to. */
function textsOf(value: unknown, valuesOf: (name: string) => readonly unknown[], depth = 0): readonly string[] {
  if (!isSyntax(value) || depth > 5) return [];
  const within = (part: unknown): readonly string[] => textsOf(part, valuesOf, depth + 1);
  switch (value.type) {
    case 'Literal':
      return typeof value['value'] === 'string' ? [value['value']] : [];
    case 'TemplateLiteral':
      return [(value['quasis'] as readonly { value: { cooked: string } }[]).map((one) => one.value.cooked).join('{}')];
    case 'ArrayExpression':
      return (value['elements'] as readonly unknown[]).flatMap(within);
    case 'ConditionalExpression':
      return [...within(value['consequent']), ...within(value['alternate'])];
    case 'LogicalExpression':
      return [...within(value['left']), ...within(value['right'])];
    case 'BinaryExpression':
      return [(within(value['left'])[0] ?? '{}') + (within(value['right'])[0] ?? '{}')];
    case 'Identifier':
      return valuesOf(value['name'] as string).flatMap(within);
    default:
      return [];
  }
}

function nameOf(value: unknown): string | undefined {
  return isSyntax(value) && value.type === 'Identifier' ? (value['name'] as string) : undefined;
}

/** A part of the program with all its parts. */
function below(value: unknown, into: Syntax[] = []): readonly Syntax[] {
  if (isSyntax(value)) into.push(value);
  if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) below(part, into);
  return into;
}
