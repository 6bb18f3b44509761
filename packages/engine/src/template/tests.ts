import { Float } from '../value/float.ts';
import { RemoteValue } from '../value/remote-value.ts';
import { bindArguments } from './bind-arguments.ts';
import { cannotBeTold, DescribedObject, DescribedScalar } from './described.ts';
import { isLower, isUpper } from './letter-case.ts';
import { compareOrder, contains, equals } from './python-comparison.ts';
import { binary } from './python-number.ts';
import { PyRange } from './python-range.ts';
import { pythonStr } from './python-text.ts';
import { isDict, type Keywords, Markup, PyFunction, PyObject, plainOf, Undefined } from './python-types.ts';
import { isFloat, isInt, isIterable, isNumber, isText } from './python-values.ts';
import { typeName } from './type-name.ts';

/** A test of Jinja: the value and its arguments; its result is a bool. */
export type Test = (value: unknown, args: readonly unknown[], keywords: Keywords) => boolean;

const alone =
  (name: string, test: (value: unknown) => boolean): Test =>
  (value, args, keywords) => {
    if (args.length > 0 || Object.keys(keywords).length > 0)
      bindArguments(`test_${name}`, ['value'], 1, [value, ...args], keywords);
    return test(value);
  };

const withOne =
  (name: string, parameter: string, test: (value: unknown, other: unknown) => boolean): Test =>
  (value, args, keywords) => {
    const [, other] = bindArguments(name, ['value', parameter], 2, [value, ...args], keywords);
    return test(value, other);
  };

const ordered = (name: string, operator: string, test: (order: number) => boolean): Test =>
  withOne(name, 'other', (value, other) => test(compareOrder(value, other, operator)));

const equal = withOne('eq', 'other', equals);
const different = withOne('ne', 'other', (value, other) => !equals(value, other));
const less = ordered('lt', '<', (order) => order < 0);
const atMost = ordered('le', '<=', (order) => order <= 0);
const more = ordered('gt', '>', (order) => order > 0);
const atLeast = ordered('ge', '>=', (order) => order >= 0);

function isCallable(value: unknown): boolean {
  return (
    value instanceof PyFunction || (value instanceof PyObject && value.call !== null) || value instanceof Undefined
  );
}

/** A test of an object of a program, by what was told of it. */
const ofObject =
  (name: string, test: (value: unknown) => boolean): ((value: unknown) => boolean) =>
  (value) => {
    if (value instanceof DescribedObject) return value.told.tests.includes(name);
    return value instanceof RemoteValue ? cannotBeTold({ type: typeName(value) }, `is ${name}`) : test(plainOf(value));
  };

const byClass = (name: string, test: (value: unknown) => boolean): Test => alone(name, ofObject(name, test));

/** A number of numpy is none of Python's own. */
function isOwnInteger(value: unknown): boolean {
  const plain = plainOf(value);
  return isInt(plain) && typeof plain !== 'boolean' && !(value instanceof DescribedScalar && !value.isJson);
}

function isSequence(value: unknown): boolean {
  // Jinja catches what `len` raises, also of what is strictly undefined.
  if (value instanceof Undefined) return !value.strict;
  return isText(value) || Array.isArray(value) || isDict(value) || value instanceof PyRange;
}

function isSame(value: unknown, other: unknown): boolean {
  if (value instanceof Float && other instanceof Float) return false;
  return value === other;
}

/** The tests of Jinja by name; `filter` and `test` are added where the names are known. */
export const tests: Readonly<Record<string, Test>> = {
  odd: alone('odd', (value) => equals(binary('%', value, 2), 1)),
  even: alone('even', (value) => equals(binary('%', value, 2), 0)),
  divisibleby: withOne('test_divisibleby', 'num', (value, num) => equals(binary('%', value, num), 0)),
  defined: alone('defined', (value) => !(value instanceof Undefined)),
  undefined: alone('undefined', (value) => value instanceof Undefined),
  none: alone('none', (value) => value === null),
  boolean: alone('boolean', (value) => typeof value === 'boolean'),
  false: alone('false', (value) => value === false),
  true: alone('true', (value) => value === true),
  integer: alone('integer', isOwnInteger),
  float: alone('float', (value) => isFloat(plainOf(value))),
  lower: alone('lower', (value) => isLower(pythonStr(value))),
  upper: alone('upper', (value) => isUpper(pythonStr(value))),
  string: alone('string', (value) => isText(plainOf(value))),
  mapping: byClass('mapping', isDict),
  number: byClass('number', isNumber),
  sequence: byClass('sequence', isSequence),
  iterable: byClass('iterable', isIterable),
  callable: byClass('callable', isCallable),
  sameas: withOne('test_sameas', 'other', isSame),
  escaped: alone('escaped', (value) => value instanceof Markup),
  in: withOne('test_in', 'seq', (value, container) => contains(container, value)),
  eq: equal,
  equalto: equal,
  '==': equal,
  ne: different,
  '!=': different,
  gt: more,
  greaterthan: more,
  '>': more,
  ge: atLeast,
  '>=': atLeast,
  lt: less,
  lessthan: less,
  '<': less,
  le: atMost,
  '<=': atMost,
};
