import { filters, type Given } from './filters.ts';
import { compare, isTrue } from './operators.ts';
import {
  Callable,
  Captured,
  DictView,
  Generator,
  isDict,
  isFloat,
  isInteger,
  isNumber,
  Range,
  textOf,
  typeName,
  Undefined,
} from './python-values.ts';
import { fail } from './template-error.ts';

type Test = (value: unknown, given: Given) => boolean;

const isText = (value: unknown): boolean => typeof value === 'string' || value instanceof Captured;
const comparing =
  (operator: string): Test =>
  (value, [other]) =>
    compare(operator, value, other);

function remainder(value: unknown, by: unknown): number {
  if (!isNumber(value))
    return value instanceof Undefined
      ? fail(value.errorClass, value.message)
      : fail('TypeError', 'not all arguments converted during string formatting');
  const divisor = Number(by);
  if (divisor === 0) fail('ZeroDivisionError', 'integer modulo by zero');
  return ((Number(value) % divisor) + divisor) % divisor;
}

function isIterable(value: unknown): boolean {
  return (
    isText(value) ||
    Array.isArray(value) ||
    isDict(value) ||
    value instanceof Generator ||
    value instanceof Range ||
    value instanceof DictView ||
    value instanceof Undefined
  );
}

export const tests: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['boolean', (value) => typeof value === 'boolean'],
  ['callable', (value) => value instanceof Callable || value instanceof Undefined],
  ['defined', (value) => !(value instanceof Undefined)],
  ['divisibleby', (value, [by]) => remainder(value, by) === 0],
  ['escaped', () => false],
  ['even', (value) => remainder(value, 2) === 0],
  ['odd', (value) => remainder(value, 2) === 1],
  ['false', (value) => value === false],
  ['true', (value) => value === true],
  ['filter', (value) => filters.has(textOf(value))],
  ['test', (value) => tests.has(textOf(value))],
  ['float', (value) => isFloat(value)],
  ['integer', (value) => isInteger(value) && typeof value !== 'boolean'],
  ['number', (value) => isNumber(value)],
  ['in', (value, [container]) => compare('in', value, container)],
  ['iterable', isIterable],
  ['lower', (value) => isCased(textOf(value), /[\p{Lu}\p{Lt}]/u, /\p{Ll}/u)],
  ['upper', (value) => isCased(textOf(value), /[\p{Ll}\p{Lt}]/u, /\p{Lu}/u)],
  ['mapping', (value) => isDict(value)],
  ['none', (value) => value === null],
  ['sameas', (value, [other]) => value === other],
  [
    'sequence',
    (value) =>
      isText(value) || Array.isArray(value) || isDict(value) || value instanceof Range || value instanceof Undefined,
  ],
  ['string', isText],
  ['undefined', (value) => value instanceof Undefined],
  ...(['eq', '==', 'equalto'].map((name) => [name, comparing('==')]) as [string, Test][]),
  ...(['ne', '!='].map((name) => [name, comparing('!=')]) as [string, Test][]),
  ...(['gt', '>', 'greaterthan'].map((name) => [name, comparing('>')]) as [string, Test][]),
  ...(['ge', '>='].map((name) => [name, comparing('>=')]) as [string, Test][]),
  ...(['lt', '<', 'lessthan'].map((name) => [name, comparing('<')]) as [string, Test][]),
  ...(['le', '<='].map((name) => [name, comparing('<=')]) as [string, Test][]),
]);

function isCased(text: string, other: RegExp, own: RegExp): boolean {
  return own.test(text) && !other.test(text);
}

/** How many arguments a test takes beside its value. */
export const testArity: ReadonlyMap<string, number> = new Map(
  [...tests.keys()].map((name) => [
    name,
    /^(divisibleby|in|sameas|eq|ne|gt|ge|lt|le|equalto|greaterthan|lessthan|[=!<>]=?)$/.test(name) ? 1 : 0,
  ]),
);

export { isTrue, typeName };
