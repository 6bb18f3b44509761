import { Float } from '../value/float.ts';
import { isPlainObject } from '../value/plain-object.ts';
import { spendCharacters, spendMembers } from './render-budget.ts';
import { raise } from './template-error.ts';

/** Python's tuple; a list is a plain array. */
export class Tuple extends Array<unknown> {}

export function tuple(items: Iterable<unknown>): Tuple {
  const made = new Tuple();
  for (const item of items) made.push(item);
  return made;
}

/** A list that prints its items joined by newlines (its repr is that of a list). */
export class NewlineList extends Array<unknown> {}

/** A dict written or made in a template: any hashable key, in the order of insertion. */
export class PyDict {
  readonly entries = new Map<unknown, [unknown, unknown]>();

  static from(pairs: Iterable<readonly [unknown, unknown]>): PyDict {
    const dict = new PyDict();
    for (const [key, value] of pairs) dict.set(key, value);
    return dict;
  }

  get(key: unknown): unknown {
    return this.entries.get(hashKey(key))?.[1];
  }

  has(key: unknown): boolean {
    return this.entries.has(hashKey(key));
  }

  set(key: unknown, value: unknown): void {
    const hashed = hashKey(key);
    const known = this.entries.get(hashed);
    if (known === undefined) this.entries.set(hashed, [key, value]);
    else known[1] = value;
  }

  delete(key: unknown): void {
    this.entries.delete(hashKey(key));
  }
}

/** `items()`, `keys()`, `values()` of a dict: a live view. */
export class DictView {
  readonly kind: 'items' | 'keys' | 'values';
  readonly dict: object;
  constructor(kind: 'items' | 'keys' | 'values', dict: object) {
    this.kind = kind;
    this.dict = dict;
  }
  list(): unknown[] {
    if (this.kind === 'keys') return dictPairs(this.dict).map(([key]) => key);
    if (this.kind === 'values') return dictPairs(this.dict).map(([, value]) => value);
    return dictPairs(this.dict).map((pair) => tuple(pair));
  }
}

/** A generator or an iterator: read once. `typeName` is Python's name of its class. */
export class PyIterator implements Iterable<unknown> {
  readonly typeName: string;
  private readonly source: Iterator<unknown>;
  constructor(source: Iterable<unknown>, typeName = 'generator') {
    this.source = source[Symbol.iterator]();
    this.typeName = typeName;
  }
  next(): IteratorResult<unknown> {
    spendMembers(1);
    return this.source.next();
  }
  [Symbol.iterator](): Iterator<unknown> {
    return { next: () => this.next() };
  }
}

export class Namespace {
  readonly attributes: PyDict;
  constructor(attributes: PyDict) {
    this.attributes = attributes;
  }
}

/** Text that counts as escaped HTML (`safe`, `escape`, `tojson`): what is added to it is escaped. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export class SliceBounds {
  readonly start: unknown;
  readonly stop: unknown;
  readonly step: unknown;
  constructor(start: unknown, stop: unknown, step: unknown) {
    this.start = start;
    this.stop = stop;
    this.step = step;
  }
}

export type Keywords = Readonly<Record<string, unknown>>;

/** Something a template can call: a macro, a method, a global function. `repr` null: prints an address, so cannot be printed. */
export class PyFunction {
  readonly name: string;
  readonly call: (args: readonly unknown[], keywords: Keywords) => unknown;
  readonly typeName: string;
  readonly repr: string | null;
  readonly attributes: Keywords;
  constructor(
    name: string,
    call: (args: readonly unknown[], keywords: Keywords) => unknown,
    typeName = 'builtin_function_or_method',
    repr: string | null = null,
    attributes: Keywords = {},
  ) {
    this.name = name;
    this.call = call;
    this.typeName = typeName;
    this.repr = repr;
    this.attributes = attributes;
  }
}

/** An object of Jinja with attributes and maybe a text: `loop`, a cycler, `self`. */
export class PyObject {
  readonly typeName: string;
  readonly attribute: (name: string) => unknown;
  readonly repr: (() => string) | null;
  readonly call: ((args: readonly unknown[], keywords: Keywords) => unknown) | null;
  readonly truth: boolean;
  /** The text or number that it is as well. */
  readonly plain: PlainScalar | undefined = undefined;
  /** What it shares as a key of a dict with all that is equal to it. */
  get key(): unknown {
    return this.plain ?? this;
  }

  constructor(
    typeName: string,
    attribute: (name: string) => unknown,
    repr: (() => string) | null = null,
    call: ((args: readonly unknown[], keywords: Keywords) => unknown) | null = null,
  ) {
    this.typeName = typeName;
    this.attribute = attribute;
    this.repr = repr;
    this.call = call;
    this.truth = true;
  }
}

export type PlainScalar = string | number | bigint | Float;

/** The text or number that an object is, where it is one of a class of its own; else the value itself. */
export function plainOf(value: unknown): unknown {
  return value instanceof PyObject ? (value.plain ?? value) : value;
}

/** Jinja's Undefined; `strict` fails at every use but `is defined`. */
export class Undefined {
  readonly message: string;
  readonly strict: boolean;
  readonly errorClass: string;
  constructor(message: string, strict: boolean, errorClass = 'UndefinedError') {
    this.message = message;
    this.strict = strict;
    this.errorClass = errorClass;
  }
  fail(): never {
    return raise(this.errorClass, this.message);
  }
}

/** Whether a value is a mapping that came in as data: an object of no class of ours. */
export function isPlainDict(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && isPlainObject(value);
}

export function isDict(value: unknown): value is PyDict | Record<string, unknown> {
  return value instanceof PyDict || isPlainDict(value);
}

/** The machine takes that much longer to list a mapping than to go over a list of as many members. */
const stepsOfAPair = 4;

export function dictPairs(dict: object): [unknown, unknown][] {
  const pairs = dict instanceof PyDict ? [...dict.entries.values()] : Object.entries(dict);
  spendMembers(pairs.length * stepsOfAPair);
  return pairs;
}

export function dictGet(dict: object, key: unknown): unknown {
  if (dict instanceof PyDict) return dict.get(key);
  const plain = plainKey(key);
  return plain !== undefined && Object.hasOwn(dict, plain)
    ? ((dict as Record<string, unknown>)[plain] ?? null)
    : undefined;
}

export function dictSet(dict: object, key: unknown, value: unknown): void {
  if (dict instanceof PyDict) dict.set(key, value);
  else if (typeof key === 'string')
    Object.defineProperty(dict, key, { value, enumerable: true, configurable: true, writable: true });
  else raise('TypeError', 'cannot put a key that is not text into a mapping that came in as data');
}

export function dictDelete(dict: object, key: unknown): void {
  if (dict instanceof PyDict) dict.delete(key);
  else delete (dict as Record<string, unknown>)[String(key)];
}

function plainKey(key: unknown): string | undefined {
  if (typeof key === 'string') return key;
  if (key instanceof Markup) return key.text;
  if (key instanceof PyObject && typeof key.plain === 'string') return key.plain;
  hashKey(key);
  return undefined;
}

/** What two keys that are equal in Python share. */
export function hashKey(key: unknown): unknown {
  if (typeof key === 'string' || typeof key === 'number' || key === null) return key;
  if (typeof key === 'boolean') return Number(key);
  if (key instanceof Float) return key.valueOf();
  if (key instanceof Markup) return key.text;
  if (key instanceof Tuple) return tupleHash(key);
  if (Array.isArray(key)) return raise('TypeError', "unhashable type: 'list'");
  if (isDict(key)) return raise('TypeError', "unhashable type: 'dict'");
  if (key instanceof Undefined) return key.strict ? key.fail() : Undefined;
  return key instanceof PyObject && key.key !== key ? hashKey(key.key) : key;
}

function tupleHash(key: Tuple): string {
  const hash = `\u0000tuple:${key.map(hashText).join('\u0000')}\u0000`;
  spendCharacters(hash.length);
  return hash;
}

function hashText(key: unknown): string {
  spendMembers(1);
  const hashed = hashKey(key);
  return `${typeof hashed}:${String(hashed)}`;
}
