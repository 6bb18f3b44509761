import { attributeOf, itemOf, sliceOf } from './attributes.ts';
import { filters } from './filters.ts';
import { type Frame, unset } from './frame.ts';
import { globals } from './globals.ts';
import { arithmetic, compare, isTrue, iterate, negate, plain } from './operators.ts';
import { Dict, dictPairs, isDict, isPlainObject, Tuple, textOf, Undefined } from './python-values.ts';
import { applyFilter, applyTest, callValue, findFilter } from './runtime.ts';
import { type Location, locationsOf, type Scope } from './scope.ts';
import type { Arguments, Expression } from './syntax-tree.ts';
import { fail, TemplateError, type TemplatePlace } from './template-error.ts';
import { tests } from './tests.ts';

export type Evaluate = (frame: Frame) => unknown;

/** What is collected while a template is compiled. */
export interface Compilation {
  /** Names that the template reads and does not set, with their first place. */
  readonly undeclared: Map<string, TemplatePlace>;
}

export function compileExpression(expression: Expression, scope: Scope, into: Compilation): Evaluate {
  const inner = (part: Expression): Evaluate => compileExpression(part, scope, into);
  switch (expression.kind) {
    case 'constant': {
      const { value } = expression;
      return () => value;
    }
    case 'name':
      return compileName(expression.name, expression, scope, into);
    case 'attribute':
      return compileAttribute(inner(expression.object), expression.name, expression);
    case 'item':
      return compileItem(expression, inner);
    case 'list':
    case 'tuple':
      return compileList(expression.items.map(inner), expression.kind === 'tuple');
    case 'dict':
      return compileDict(expression.pairs.map(([key, value]) => [inner(key), inner(value)]));
    case 'filter':
      return compileFilter(expression, inner);
    case 'test':
      return compileTest(expression, inner);
    case 'call':
      return compileCall(inner(expression.callee), compileArguments(expression.given, inner), expression);
    default:
      return compileOperator(expression, inner);
  }
}

type Inner = (part: Expression) => Evaluate;

function compileOperator(expression: Expression, inner: Inner): Evaluate {
  switch (expression.kind) {
    case 'not': {
      const value = inner(expression.value);
      return (frame) => !isTrue(value(frame));
    }
    case 'negative':
    case 'positive': {
      const value = inner(expression.value);
      const sign = expression.kind === 'negative' ? '-' : '+';
      return located((frame) => negate(value(frame), sign), expression);
    }
    case 'and':
    case 'or':
      return compileLogic(inner(expression.left), inner(expression.right), expression.kind === 'and');
    case 'binary': {
      const { operator } = expression;
      const left = inner(expression.left);
      const right = inner(expression.right);
      return located((frame) => arithmetic(operator, left(frame), right(frame)), expression);
    }
    case 'concat': {
      const parts = expression.parts.map(inner);
      return located((frame) => parts.map((part) => textOf(part(frame))).join(''), expression);
    }
    case 'compare':
      return compileCompare(expression, inner);
    case 'condition':
      return compileCondition(expression, inner);
    default:
      throw new Error(`bug: no operator ${expression.kind}`);
  }
}

/** Gives an error the place of the innermost expression that it came from. */
export function located(evaluate: Evaluate, place: TemplatePlace): Evaluate {
  return (frame) => {
    try {
      return evaluate(frame);
    } catch (error) {
      throw withPlace(error, place);
    }
  };
}

export function withPlace(error: unknown, { start, end }: TemplatePlace): unknown {
  if (error instanceof TemplateError) error.place ??= { start, end };
  if (error instanceof RangeError && /call stack/.test(error.message)) {
    return new TemplateError('RecursionError', 'maximum recursion depth exceeded', { start, end });
  }
  return error;
}

function compileName(name: string, place: TemplatePlace, scope: Scope, into: Compilation): Evaluate {
  const locations = locationsOf(name, scope);
  if (locations.length === 0 && !globals.has(name))
    into.undeclared.set(name, into.undeclared.get(name) ?? { start: place.start, end: place.end });
  const last = fromVariables(name);
  return locations.reduceRight<Evaluate>((further, location) => fromSlot(location, further), last);
}

function fromVariables(name: string): Evaluate {
  const fallback = globals.get(name);
  const message = `'${name}' is undefined`;
  return (frame) => {
    const { variables } = frame;
    if (Object.hasOwn(variables, name)) {
      const value = variables[name];
      return value === undefined ? null : value;
    }
    return fallback ?? frame.runtime.undefined(message);
  };
}

function fromSlot({ depth, slot }: Location, further: Evaluate): Evaluate {
  if (depth === 0) {
    return (frame) => {
      const value = frame.slots[slot];
      return value === unset ? further(frame) : value;
    };
  }
  return (frame) => {
    let at: Frame | undefined = frame;
    for (let step = 0; step < depth; step += 1) at = at?.outer;
    const value = at === undefined ? unset : at.slots[slot];
    return value === unset ? further(frame) : value;
  };
}

function compileAttribute(object: Evaluate, name: string, place: TemplatePlace): Evaluate {
  const isMethodName = dictMethodNames.has(name) || name.startsWith('_');
  return (frame) => {
    const value = object(frame);
    if (!isMethodName && isPlainObject(value) && Object.hasOwn(value, name)) {
      const member = value[name];
      return member === undefined ? null : member;
    }
    try {
      return attributeOf(value, name, frame.runtime);
    } catch (error) {
      throw withPlace(error, place);
    }
  };
}

const dictMethodNames: ReadonlySet<string> = new Set([
  'items',
  'keys',
  'values',
  'get',
  'copy',
  'pop',
  'setdefault',
  'update',
  'clear',
]);

function compileItem(expression: Extract<Expression, { kind: 'item' }>, inner: Inner): Evaluate {
  const object = inner(expression.object);
  if (expression.key.kind === 'slice') {
    const { from, stop, step } = expression.key;
    const [first, last, by] = [from, stop, step].map((part) => (part === undefined ? undefined : inner(part)));
    return located(
      (frame) => sliceOf(plain(object(frame)), first?.(frame), last?.(frame), by?.(frame), frame.runtime),
      expression,
    );
  }
  const key = inner(expression.key);
  return located((frame) => itemOf(object(frame), key(frame), frame.runtime), expression);
}

function compileList(items: readonly Evaluate[], isTuple: boolean): Evaluate {
  if (isTuple) return (frame) => Tuple.of2(...items.map((item) => plain(item(frame))));
  return (frame) => items.map((item) => plain(item(frame)));
}

function compileDict(pairs: readonly (readonly [Evaluate, Evaluate])[]): Evaluate {
  return (frame) => {
    const dict = new Dict();
    for (const [key, value] of pairs) dict.set(plain(key(frame)), plain(value(frame)));
    return dict;
  };
}

interface Bound {
  readonly positional: unknown[];
  readonly named: Map<string, unknown>;
}

function compileArguments(given: Arguments, inner: Inner): (frame: Frame) => Bound {
  const positional = given.positional.map(inner);
  const named = given.named.map(([name, value]) => [name, inner(value)] as const);
  const spread = given.spread === undefined ? undefined : inner(given.spread);
  const spreadNamed = given.spreadNamed === undefined ? undefined : inner(given.spreadNamed);
  return (frame) => {
    const bound: Bound = { positional: positional.map((value) => value(frame)), named: new Map() };
    for (const [name, value] of named) bound.named.set(name, value(frame));
    if (spread !== undefined) bound.positional.push(...iterate(spread(frame)));
    if (spreadNamed !== undefined) spreadInto(bound, spreadNamed(frame));
    return bound;
  };
}

function spreadInto({ named }: Bound, value: unknown): void {
  if (!isDict(value)) fail('TypeError', 'argument after ** must be a mapping');
  else for (const [key, member] of dictPairs(value)) named.set(String(key), member);
}

function compileFilter(expression: Extract<Expression, { kind: 'filter' | 'test' }>, inner: Inner): Evaluate {
  const { name } = expression;
  if (expression.value === undefined) throw new Error('bug: a filter without a value');
  const value = inner(expression.value);
  const given = compileArguments(expression.given, inner);
  const known = filters.get(name);
  if (known === undefined) return fail('TemplateAssertionError', `No filter named '${name}'.`, expression);
  return located((frame) => applyFilter(known, name, value(frame), given(frame), frame.runtime), expression);
}

function compileTest(expression: Extract<Expression, { kind: 'filter' | 'test' }>, inner: Inner): Evaluate {
  const { name } = expression;
  if (expression.value === undefined) throw new Error('bug: a test without a value');
  const value = inner(expression.value);
  if (!tests.has(name)) return fail('TemplateAssertionError', `No test named '${name}'.`, expression);
  const given = compileArguments(expression.given, inner);
  return located((frame) => applyTest(name, value(frame), given(frame)), expression);
}

function compileCall(callee: Evaluate, given: (frame: Frame) => Bound, place: TemplatePlace): Evaluate {
  return located((frame) => {
    const called = callee(frame);
    const { positional, named } = given(frame);
    return callValue(called, positional.map(plain), named);
  }, place);
}

function compileLogic(left: Evaluate, right: Evaluate, isAnd: boolean): Evaluate {
  return (frame) => {
    const value = left(frame);
    return isTrue(value) === isAnd ? right(frame) : value;
  };
}

function compileCompare(expression: Extract<Expression, { kind: 'compare' }>, inner: Inner): Evaluate {
  const first = inner(expression.first);
  const rest = expression.rest.map(([operator, value]) => [operator, inner(value)] as const);
  return located((frame) => {
    let left = first(frame);
    for (const [operator, value] of rest) {
      const right = value(frame);
      if (!compare(operator, left, right)) return false;
      left = right;
    }
    return true;
  }, expression);
}

function compileCondition(expression: Extract<Expression, { kind: 'condition' }>, inner: Inner): Evaluate {
  const test = inner(expression.test);
  const then = inner(expression.then);
  const otherwise = expression.otherwise === undefined ? undefined : inner(expression.otherwise);
  const message = 'the inline if-expression evaluated to false and no else section was defined.';
  return (frame) => {
    if (isTrue(test(frame))) return then(frame);
    return otherwise === undefined ? new Undefined(message, false) : otherwise(frame);
  };
}

export { findFilter };
