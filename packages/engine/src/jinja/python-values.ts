import { Float } from '../value/float.ts';
import { pythonRepr as plainRepr } from '../value/python-text.ts';
import { fail } from './template-error.ts';

/** What a name, attribute or item that is not there gives. Printing it is empty, or an error where undefined is strict. */
export class Undefined {
  readonly message: string;
  readonly isStrict: boolean;
  /** What using it raises. */
  readonly errorClass: string;
  constructor(message: string, isStrict: boolean, errorClass = 'UndefinedError') {
    this.errorClass = errorClass;
    this.message = message;
    this.isStrict = isStrict;
  }
}

export class Tuple extends Array<unknown> {
  static of2(...items: readonly unknown[]): Tuple {
    const tuple = new Tuple();
    for (const item of items) tuple.push(item);
    return tuple;
  }
}

/** A list that prints its items one a line, as Prompt flow's `ChatInputList`; inside other values it is a plain list. */
export class NewlineList extends Array<unknown> {}

/** A dict whose keys may be any value. Dicts that come from outside are plain objects. */
export class Dict {
  readonly entries: Map<unknown, readonly [unknown, unknown]> = new Map();
  get(key: unknown): unknown {
    return this.entries.get(hashOf(key))?.[1];
  }
  has(key: unknown): boolean {
    return this.entries.has(hashOf(key));
  }
  set(key: unknown, value: unknown): void {
    const hash = hashOf(key);
    this.entries.set(hash, [this.entries.get(hash)?.[0] ?? key, value]);
  }
}

/** `dict.items()` and the like: iterates and prints, is no list. */
export class DictView {
  readonly name: string;
  readonly items: readonly unknown[];
  constructor(name: string, items: readonly unknown[]) {
    this.name = name;
    this.items = items;
  }
}

export class Namespace {
  readonly members = new Map<string, unknown>();
}

/** An iterator: filters such as `map` and `select` give one, which prints as Python's would and cannot be indexed. */
export class Generator {
  readonly name: string;
  private readonly items: Iterator<unknown>;
  constructor(items: Iterable<unknown>, name = 'generator object') {
    this.items = items[Symbol.iterator]();
    this.name = name;
  }
  [Symbol.iterator](): Iterator<unknown> {
    return this.items;
  }
}

export class Range {
  readonly start: number;
  readonly stop: number;
  readonly step: number;
  constructor(start: number, stop: number, step: number) {
    this.start = start;
    this.stop = stop;
    this.step = step;
  }
  get length(): number {
    return Math.max(0, Math.ceil((this.stop - this.start) / this.step));
  }
  *[Symbol.iterator](): Iterator<number> {
    for (let value = this.start; this.step > 0 ? value < this.stop : value > this.stop; value += this.step) yield value;
  }
}

/** Text that was written in the template and captured: `set` blocks, macros, callers. Its marks are already in place. */
export class Captured {
  readonly marked: string;
  readonly plain: string;
  constructor(marked: string, guard: string) {
    this.marked = marked;
    this.plain = marked.replaceAll(guard, '');
  }
}

/** Something that can be called from a template. */
export class Callable {
  readonly name: string;
  readonly call: (positional: readonly unknown[], named: ReadonlyMap<string, unknown>) => unknown;
  readonly members: Readonly<Record<string, unknown>>;
  readonly shown: string;
  constructor(
    name: string,
    call: (positional: readonly unknown[], named: ReadonlyMap<string, unknown>) => unknown,
    shown = `<function ${name}>`,
    members: Readonly<Record<string, unknown>> = {},
  ) {
    this.name = name;
    this.call = call;
    this.shown = shown;
    this.members = members;
  }
}

function hashOf(key: unknown): unknown {
  if (key instanceof Float) return key.valueOf();
  if (typeof key === 'boolean') return Number(key);
  if (typeof key === 'bigint' && Number.isSafeInteger(Number(key))) return Number(key);
  if (key instanceof Tuple) return `\u0000tuple:${reprOf(key)}`;
  if (Array.isArray(key)) return fail('TypeError', "unhashable type: 'list'");
  if (key instanceof Dict || isPlainObject(key)) return fail('TypeError', "unhashable type: 'dict'");
  return key;
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

export function isDict(value: unknown): value is Dict | Record<string, unknown> {
  return value instanceof Dict || isPlainObject(value);
}

export function dictPairs(value: Dict | Record<string, unknown>): (readonly [unknown, unknown])[] {
  return value instanceof Dict ? [...value.entries.values()] : Object.entries(value);
}

export function isInteger(value: unknown): value is number | bigint | boolean {
  return (
    typeof value === 'bigint' || typeof value === 'boolean' || (typeof value === 'number' && Number.isInteger(value))
  );
}

export function isFloat(value: unknown): value is number | Float {
  return value instanceof Float || (typeof value === 'number' && !Number.isInteger(value));
}

export function isNumber(value: unknown): value is number | bigint | boolean | Float {
  return isInteger(value) || isFloat(value);
}

export function toFloat(value: number): number | Float {
  return Number.isInteger(value) ? new Float(value) : value;
}

export function toInteger(value: bigint): number | bigint {
  return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value;
}

/** Python's name of a value's type, as its error texts show it. */
export function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'NoneType';
  if (typeof value === 'string' || value instanceof Captured) return 'str';
  if (typeof value === 'boolean') return 'bool';
  if (isInteger(value)) return 'int';
  if (isFloat(value)) return 'float';
  if (value instanceof Tuple) return 'tuple';
  if (value instanceof NewlineList) return 'ChatInputList';
  if (Array.isArray(value)) return 'list';
  if (isDict(value)) return 'dict';
  if (value instanceof Undefined) return 'Undefined';
  if (value instanceof Generator) return 'generator';
  if (value instanceof Range) return 'range';
  if (value instanceof DictView) return value.name;
  if (value instanceof Namespace) return 'Namespace';
  if (value instanceof Callable) return 'function';
  return 'object';
}

/** Python's `str`. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : plainRepr(value);
  if (value instanceof Captured) return value.plain;
  if (value instanceof Undefined) return printUndefined(value);
  if (value instanceof NewlineList) return value.map(textOf).join('\n');
  return reprOf(value);
}

function printUndefined(value: Undefined): string {
  return value.isStrict ? fail(value.errorClass, value.message) : '';
}

/** Python's `repr`. */
export function reprOf(value: unknown): string {
  if (value instanceof Captured) return plainRepr(value.plain);
  if (value instanceof Undefined) return value.isStrict ? fail(value.errorClass, value.message) : 'Undefined';
  if (value instanceof Tuple)
    return value.length === 1 ? `(${reprOf(value[0])},)` : `(${Array.from(value, reprOf).join(', ')})`;
  if (Array.isArray(value)) return `[${Array.from(value, reprOf).join(', ')}]`;
  if (isDict(value))
    return `{${dictPairs(value)
      .map(([key, member]) => `${reprOf(key)}: ${reprOf(member)}`)
      .join(', ')}}`;
  return specialRepr(value) ?? plainRepr(value);
}

function specialRepr(value: unknown): string | undefined {
  if (value instanceof Range)
    return value.step === 1
      ? `range(${value.start}, ${value.stop})`
      : `range(${value.start}, ${value.stop}, ${value.step})`;
  if (value instanceof DictView) return `${value.name}([${value.items.map(reprOf).join(', ')}])`;
  if (value instanceof Generator) return `<${value.name} at 0x7f0000000000>`;
  if (value instanceof Namespace)
    return `<Namespace {${[...value.members].map(([key, member]) => `${reprOf(key)}: ${reprOf(member)}`).join(', ')}}>`;
  if (value instanceof Callable) return value.shown;
  if (
    typeof value === 'object' &&
    value !== null &&
    !(value instanceof Float) &&
    Object.hasOwn(Object.getPrototypeOf(value), 'toString')
  )
    return String(value);
  return undefined;
}
