import { attributeOf } from './attributes.ts';
import { type Filter, filters, type Rest } from './filters.ts';
import { arithmetic, plain } from './operators.ts';
import { Callable, Undefined } from './python-values.ts';
import { fail } from './template-error.ts';
import { testArity, tests } from './tests.ts';

/** What filters and lookups need of the template they run in. */
export interface Runtime {
  undefined(message: string): Undefined;
  unsafe(attribute: string, type: string): unknown;
  attribute(object: unknown, name: string, onlyAttribute?: boolean): unknown;
  filter(name: string, value: unknown, rest: Rest): unknown;
  test(name: string, value: unknown, rest: Rest): unknown;
  add(left: unknown, right: unknown): unknown;
}

export function createRuntime(isStrict: boolean): Runtime {
  const runtime: Runtime = {
    undefined: (message) => new Undefined(message, isStrict),
    unsafe: (attribute, type) =>
      new Undefined(`access to attribute '${attribute}' of '${type}' object is unsafe.`, isStrict, 'SecurityError'),
    attribute: (object, name, onlyAttribute) => attributeOf(object, name, runtime, onlyAttribute),
    filter: (name, value, rest) => applyFilter(findFilter(name), name, value, rest, runtime),
    test: (name, value, rest) => applyTest(name, value, rest),
    add: (left, right) => arithmetic('+', left, right),
  };
  return runtime;
}

export function findFilter(name: string): Filter {
  return filters.get(name) ?? fail('TemplateRuntimeError', `No filter named '${name}'.`);
}

export function applyFilter(filter: Filter, name: string, value: unknown, rest: Rest, runtime: Runtime): unknown {
  const bare = { positional: rest.positional.map(plain), named: rest.named };
  const given = filter.parameters.length === 0 ? [] : bind(filter.parameters, name, bare);
  return filter.run(plain(value), given, runtime, bare);
}

function bind(parameters: readonly string[], name: string, { positional, named }: Rest): unknown[] {
  if (positional.length > parameters.length) {
    fail(
      'TypeError',
      `do_${name}() takes from 1 to ${parameters.length + 1} positional arguments but ${positional.length + 1} were given`,
    );
  }
  const given: unknown[] = [...positional];
  const missing = required[name]?.slice(positional.length).filter((one) => !named.has(one)) ?? [];
  if (missing.length > 0) fail('TypeError', missingText(name, missing));
  for (const [key, value] of named) {
    const at = parameters.indexOf(key);
    if (at < 0) fail('TypeError', `do_${name}() got an unexpected keyword argument '${key}'`);
    given[at] = plain(value);
  }
  return given;
}

/** Parameters without a default. */
const required: Readonly<Record<string, readonly string[]>> = {
  attr: ['name'],
  batch: ['linecount'],
  groupby: ['attribute'],
  replace: ['old', 'new'],
  slice: ['slices'],
};

function missingText(name: string, missing: readonly string[]): string {
  const names = missing.map((one) => `'${one}'`).join(' and ');
  return `do_${name}() missing ${missing.length} required positional argument${missing.length === 1 ? '' : 's'}: ${names}`;
}

export function applyTest(name: string, value: unknown, rest: Rest): boolean {
  const test = tests.get(name) ?? fail('TemplateRuntimeError', `No test named '${name}'.`);
  const given = [...rest.positional, ...rest.named.values()].map(plain);
  const wanted = testArity.get(name) ?? 0;
  if (given.length !== wanted)
    fail(
      'TypeError',
      `test_${name}() takes ${wanted + 1} positional argument${wanted === 0 ? '' : 's'} but ${given.length + 1} were given`,
    );
  return test(plain(value), given);
}

/** Calls what a template calls. */
export function callValue(
  callee: unknown,
  positional: readonly unknown[],
  named: ReadonlyMap<string, unknown>,
): unknown {
  if (callee instanceof Undefined) return fail(callee.errorClass, callee.message);
  if (callee instanceof Callable) return callee.call(positional, named);
  return fail('TypeError', `'${nameOfType(callee)}' object is not callable`);
}

function nameOfType(value: unknown): string {
  if (value === null) return 'NoneType';
  if (typeof value === 'string') return 'str';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  return Array.isArray(value) ? 'list' : typeof value === 'boolean' ? 'bool' : 'dict';
}
