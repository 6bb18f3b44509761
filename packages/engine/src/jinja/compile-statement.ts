import { type Compilation, compileExpression, type Evaluate, located, withPlace } from './compile-expression.ts';
import { Frame, guarded, unset } from './frame.ts';
import { LoopVariable } from './loop-variable.ts';
import { isTrue, iterate } from './operators.ts';
import { Callable, Captured, Namespace, Tuple, textOf, typeName, Undefined } from './python-values.ts';
import { CallLayout, Scope } from './scope.ts';
import type { Body, Expression, Parameter, Statement, Target } from './syntax-tree.ts';
import { fail } from './template-error.ts';

export type Execute = (frame: Frame) => void;

type Assign = (frame: Frame, value: unknown) => void;

/** Bodies of the template's blocks, for `self.name()`. */
export type Blocks = Map<string, (frame: Frame) => unknown>;

export interface StatementCompilation extends Compilation {
  readonly blocks: Blocks;
}

export function compileBody(body: Body, scope: Scope, into: StatementCompilation): Execute {
  for (const statement of body) declareNames(statement, scope);
  const steps = body.map((statement) => compileStatement(statement, scope, into));
  if (steps.length === 1) return steps[0] as Execute;
  return (frame) => {
    for (let index = 0; index < steps.length; index += 1) (steps[index] as Execute)(frame);
  };
}

/** Names a block assigns belong to it from its start; those set in an `if` belong to the block around it. */
function declareNames(statement: Statement, scope: Scope): void {
  switch (statement.kind) {
    case 'set':
    case 'set-block':
      declareTarget(statement.target, scope);
      return;
    case 'macro':
      scope.declare(statement.name);
      return;
    case 'if':
      for (const [, body] of statement.branches) for (const inner of body) declareNames(inner, scope);
      for (const inner of statement.otherwise) declareNames(inner, scope);
      return;
    default:
      return;
  }
}

function declareTarget(target: Target, scope: Scope): void {
  if (target.kind === 'name') scope.declare(target.name);
  else if (target.kind === 'tuple') for (const item of target.items) declareTarget(item, scope);
}

function compileStatement(statement: Statement, scope: Scope, into: StatementCompilation): Execute {
  const expression = (part: Expression): Evaluate => compileExpression(part, scope, into);
  switch (statement.kind) {
    case 'data': {
      const { text } = statement;
      return (frame) => {
        frame.text += text;
      };
    }
    case 'output':
      return compileOutput(expression(statement.value), statement);
    case 'if':
      return compileIf(statement, scope, into);
    case 'for':
      return compileFor(statement, scope, into);
    case 'set': {
      const value = located(expression(statement.value), statement);
      const assign = compileTarget(statement.target, scope, into);
      return (frame) => assign(frame, value(frame));
    }
    case 'set-block':
      return compileSetBlock(statement, scope, into);
    case 'macro': {
      const make = compileMacro(statement.name, statement.parameters, statement.body, scope, into, '');
      const slot = scope.declare(statement.name);
      return (frame) => {
        frame.slots[slot] = make(frame);
      };
    }
    case 'call-block':
      return compileCallBlock(statement, scope, into);
    default:
      return compileBlockStatement(statement, scope, into);
  }
}

function compileBlockStatement(statement: Statement, scope: Scope, into: StatementCompilation): Execute {
  switch (statement.kind) {
    case 'filter-block': {
      const body = compileInner(statement.body, scope, into);
      const filter = compileCaptured(statement.filter, body, scope, into);
      return compileOutput(filter, statement);
    }
    case 'with':
      return compileWith(statement, scope, into);
    case 'scope':
      return compileInner(statement.body, scope, into);
    case 'block': {
      const body = compileInner(statement.body, scope, into);
      into.blocks.set(statement.name, (frame) => frame.capture(() => body(frame)));
      return body;
    }
    case 'load': {
      const template = compileExpression(statement.template, scope, into);
      return (frame) => {
        template(frame);
        fail('TypeError', 'no loader for this environment specified', statement);
      };
    }
    default:
      throw new Error(`bug: no statement ${statement.kind}`);
  }
}

function compileOutput(value: Evaluate, place: { readonly start: number; readonly end: number }): Execute {
  return (frame) => {
    try {
      const printed = value(frame);
      if (typeof printed === 'string') frame.text += frame.guard === '' ? printed : guarded(printed, frame.guard);
      else frame.text += printValue(printed, frame);
    } catch (error) {
      throw withPlace(error, place);
    }
  };
}

function printValue(value: unknown, frame: Frame): string {
  if (value instanceof Captured) return value.marked;
  const text = textOf(value);
  return frame.guard === '' ? text : guarded(text, frame.guard);
}

function compileInner(body: Body, scope: Scope, into: StatementCompilation): Execute {
  const inner = new Scope(scope.call, scope);
  const run = compileBody(body, inner, into);
  const slots = inner.slots();
  if (slots.length === 0) return run;
  return (frame) => {
    for (const slot of slots) frame.slots[slot] = unset;
    run(frame);
  };
}

function compileIf(statement: Extract<Statement, { kind: 'if' }>, scope: Scope, into: StatementCompilation): Execute {
  const branches = statement.branches.map(
    ([test, body]) => [located(compileExpression(test, scope, into), test), compileBody(body, scope, into)] as const,
  );
  const otherwise = compileBody(statement.otherwise, scope, into);
  return (frame) => {
    for (const [test, body] of branches) {
      if (isTrueAt(test(frame), statement)) {
        body(frame);
        return;
      }
    }
    otherwise(frame);
  };
}

function isTrueAt(value: unknown, place: Statement): boolean {
  try {
    return isTrue(value);
  } catch (error) {
    throw withPlace(error, place);
  }
}

function compileFor(statement: Extract<Statement, { kind: 'for' }>, scope: Scope, into: StatementCompilation): Execute {
  const over = located(compileExpression(statement.over, scope, into), statement.over);
  const inner = new Scope(scope.call, scope);
  const loopSlot = inner.declare('loop');
  declareTarget(statement.target, inner);
  const assign = compileTarget(statement.target, inner, into);
  const test =
    statement.test === undefined ? undefined : located(compileExpression(statement.test, inner, into), statement.test);
  const body = compileBody(statement.body, inner, into);
  const otherwise = compileInner(statement.otherwise, scope, into);
  const slots = inner.slots().filter((slot) => slot !== loopSlot);
  const usesLoop = mentionsLoop(statement.body) || statement.recursive;
  const reset = (frame: Frame): void => {
    for (const slot of slots) frame.slots[slot] = unset;
  };
  const run = (frame: Frame, given: unknown, depth: number): void => {
    const items = itemsAt(given, statement);
    const kept = test === undefined ? items : filterItems(frame, items, test, assign, reset, loopSlot);
    if (kept.length === 0) return otherwise(frame);
    const saved = depth > 1 ? [loopSlot, ...slots].map((slot) => frame.slots[slot]) : [];
    if (usesLoop) runWithLoop(frame, kept, depth);
    else {
      for (const item of kept) {
        reset(frame);
        assign(frame, item);
        body(frame);
      }
    }
    for (const [index, slot] of [loopSlot, ...slots].entries()) frame.slots[slot] = depth > 1 ? saved[index] : unset;
  };
  const runWithLoop = (frame: Frame, items: readonly unknown[], depth: number): void => {
    const recurse = statement.recursive
      ? (nested: unknown) => frame.capture(() => run(frame, nested, depth + 1))
      : undefined;
    const loop = new LoopVariable(items, depth, frame.runtime, recurse);
    for (let next = loop.advance(); next !== undefined; next = loop.advance()) {
      reset(frame);
      frame.slots[loopSlot] = loop;
      assign(frame, next.item);
      body(frame);
    }
  };
  return (frame) => run(frame, over(frame), 1);
}

function itemsAt(given: unknown, statement: Statement): readonly unknown[] {
  try {
    const items = iterate(given);
    return Array.isArray(items) ? items : [...items];
  } catch (error) {
    throw withPlace(error, statement);
  }
}

function filterItems(
  frame: Frame,
  items: readonly unknown[],
  test: Evaluate,
  assign: Assign,
  reset: (frame: Frame) => void,
  loopSlot: number,
): readonly unknown[] {
  frame.slots[loopSlot] = unset;
  return items.filter((item) => {
    reset(frame);
    assign(frame, item);
    return isTrue(test(frame));
  });
}

/** Whether a body may read `loop`; when in doubt, yes. */
function mentionsLoop(body: unknown): boolean {
  if (Array.isArray(body)) return body.some(mentionsLoop);
  if (typeof body !== 'object' || body === null) return false;
  const { kind, name } = body as { readonly kind?: unknown; readonly name?: unknown };
  return (kind === 'name' && name === 'loop') || Object.values(body).some(mentionsLoop);
}

function compileTarget(target: Target, scope: Scope, into: StatementCompilation): Assign {
  if (target.kind === 'name') {
    const slot = scope.declare(target.name);
    return (frame, value) => {
      frame.slots[slot] = value;
    };
  }
  if (target.kind === 'namespace') return compileNamespaceTarget(target, scope, into);
  const parts = target.items.map((item) => compileTarget(item, scope, into));
  return (frame, value) => {
    const items = unpack(value, parts.length, target);
    for (const [index, assign] of parts.entries()) assign(frame, items[index]);
  };
}

function compileNamespaceTarget(
  target: Extract<Target, { kind: 'namespace' }>,
  scope: Scope,
  into: StatementCompilation,
): Assign {
  const { name, attribute, start, end } = target;
  const read = compileExpression({ kind: 'name', name, start, end }, scope, into);
  return (frame, value) => {
    const namespace = read(frame);
    if (!(namespace instanceof Namespace))
      fail('TemplateRuntimeError', 'cannot assign attribute on non-namespace object', target);
    else namespace.members.set(attribute, value);
  };
}

function unpack(value: unknown, count: number, place: Target): readonly unknown[] {
  if (value instanceof Undefined && !value.isStrict)
    fail('ValueError', `not enough values to unpack (expected ${count}, got 0)`, place);
  let items: readonly unknown[];
  try {
    items = [...iterate(value)];
  } catch (error) {
    if (!(value instanceof Undefined))
      return fail('TypeError', `cannot unpack non-iterable ${typeName(value)} object`, place);
    throw withPlace(error, place);
  }
  if (items.length < count)
    fail('ValueError', `not enough values to unpack (expected ${count}, got ${items.length})`, place);
  if (items.length > count) fail('ValueError', `too many values to unpack (expected ${count})`, place);
  return items;
}

function compileSetBlock(
  statement: Extract<Statement, { kind: 'set-block' }>,
  scope: Scope,
  into: StatementCompilation,
): Execute {
  const body = compileInner(statement.body, scope, into);
  const assign = compileTarget(statement.target, scope, into);
  const value =
    statement.filter === undefined
      ? (frame: Frame) => frame.capture(() => body(frame))
      : compileCaptured(statement.filter, body, scope, into);
  return (frame) => assign(frame, value(frame));
}

/** A chain of filters whose innermost value is what a body prints. */
function compileCaptured(filter: Expression, body: Execute, scope: Scope, into: StatementCompilation): Evaluate {
  const slotName = `\u0000captured ${filter.start}`;
  const slot = scope.declare(slotName);
  const value = compileExpression(withInnermost(filter, slotName), scope, into);
  return (frame) => {
    frame.slots[slot] = frame.capture(() => body(frame));
    return value(frame);
  };
}

function withInnermost(filter: Expression, name: string): Expression {
  if (filter.kind !== 'filter') return filter;
  const { start, end } = filter;
  const value: Expression =
    filter.value === undefined ? { kind: 'name', name, start, end } : withInnermost(filter.value, name);
  return { ...filter, value };
}

function compileWith(
  statement: Extract<Statement, { kind: 'with' }>,
  scope: Scope,
  into: StatementCompilation,
): Execute {
  const inner = new Scope(scope.call, scope);
  const values = statement.bindings.map(([, value]) => compileExpression(value, scope, into));
  for (const [target] of statement.bindings) declareTarget(target, inner);
  const targets = statement.bindings.map(([target]) => compileTarget(target, inner, into));
  const body = compileBody(statement.body, inner, into);
  const slots = inner.slots();
  return (frame) => {
    const given = values.map((value) => value(frame));
    for (const slot of slots) frame.slots[slot] = unset;
    for (const [index, assign] of targets.entries()) assign(frame, given[index]);
    body(frame);
    for (const slot of slots) frame.slots[slot] = unset;
  };
}

function compileCallBlock(
  statement: Extract<Statement, { kind: 'call-block' }>,
  scope: Scope,
  into: StatementCompilation,
): Execute {
  if (statement.call.kind !== 'call') throw new Error('bug: a call block without a call');
  const slotName = `\u0000caller ${statement.start}`;
  const slot = scope.declare(slotName);
  const make = compileMacro('caller', statement.parameters, statement.body, scope, into, '');
  const { call } = statement;
  const caller: Expression = { kind: 'name', name: slotName, start: call.start, end: call.end };
  const withCaller: Expression = {
    ...call,
    given: { ...call.given, named: [...call.given.named, ['caller', caller]] },
  };
  const output = compileOutput(compileExpression(withCaller, scope, into), statement);
  return (frame) => {
    frame.slots[slot] = make(frame);
    output(frame);
  };
}

function compileMacro(
  name: string,
  parameters: readonly Parameter[],
  body: Body,
  scope: Scope,
  into: StatementCompilation,
  _unused: string,
): (frame: Frame) => Callable {
  const layout = new CallLayout(scope);
  const inner = new Scope(layout, undefined);
  const slots = parameters.map((parameter) => inner.declare(parameter.name));
  const uses = (special: string): boolean =>
    mentionsName(body, special) && !parameters.some((parameter) => parameter.name === special);
  const special = { varargs: uses('varargs'), kwargs: uses('kwargs'), caller: uses('caller') };
  const specialSlots = {
    varargs: inner.declare('varargs'),
    kwargs: inner.declare('kwargs'),
    caller: inner.declare('caller'),
  };
  const defaults = parameters.map(({ fallback }) =>
    fallback === undefined ? undefined : compileExpression(fallback, inner, into),
  );
  const run = compileBody(body, inner, into);
  return (outer) => {
    const call = (positional: readonly unknown[], namedGiven: ReadonlyMap<string, unknown>): unknown => {
      const frame = new Frame(layout.size, outer, outer.variables, outer.runtime, outer.guard);
      const named = new Map(namedGiven);
      for (const [index, parameter] of parameters.entries()) {
        frame.slots[slots[index] as number] = argument(parameter, index, positional, named, frame);
      }
      for (const [index, fallback] of defaults.entries()) {
        const slot = slots[index] as number;
        if (frame.slots[slot] === unset && fallback !== undefined) frame.slots[slot] = fallback(frame);
      }
      bindSpecial(name, frame, special, specialSlots, positional.slice(parameters.length), named, parameters.length);
      return frame.capture(() => run(frame));
    };
    const names = Tuple.of2(...parameters.map((parameter) => parameter.name));
    const members = {
      name,
      arguments: names,
      catch_kwargs: special.kwargs,
      catch_varargs: special.varargs,
      caller: special.caller,
    };
    return new Callable(name, call, `<Macro '${name}'>`, members);
  };
}

function argument(
  parameter: Parameter,
  index: number,
  positional: readonly unknown[],
  named: Map<string, unknown>,
  frame: Frame,
): unknown {
  if (index < positional.length) return positional[index];
  if (named.has(parameter.name)) {
    const value = named.get(parameter.name);
    named.delete(parameter.name);
    return value;
  }
  return parameter.fallback === undefined
    ? frame.runtime.undefined(`parameter '${parameter.name}' was not provided`)
    : unset;
}

type Special<T> = { readonly varargs: T; readonly kwargs: T; readonly caller: T };

function bindSpecial(
  name: string,
  frame: Frame,
  uses: Special<boolean>,
  slots: Special<number>,
  more: readonly unknown[],
  named: Map<string, unknown>,
  count: number,
): void {
  const caller = named.get('caller');
  if (uses.caller) frame.slots[slots.caller] = caller ?? frame.runtime.undefined('No caller defined');
  if (uses.caller) named.delete('caller');
  if (uses.kwargs) frame.slots[slots.kwargs] = Object.fromEntries(named);
  else if (named.has('caller'))
    fail(
      'TypeError',
      `macro '${name}' was invoked with two values for the special caller argument. This is most likely a bug.`,
    );
  else if (named.size > 0) fail('TypeError', `macro '${name}' takes no keyword argument '${[...named.keys()][0]}'`);
  if (uses.varargs) frame.slots[slots.varargs] = Tuple.of2(...more);
  else if (more.length > 0) fail('TypeError', `macro '${name}' takes not more than ${count} argument(s)`);
}

function mentionsName(body: unknown, wanted: string): boolean {
  if (Array.isArray(body)) return body.some((part) => mentionsName(part, wanted));
  if (typeof body !== 'object' || body === null) return false;
  const { kind, name } = body as { readonly kind?: unknown; readonly name?: unknown };
  return (kind === 'name' && name === wanted) || Object.values(body).some((part) => mentionsName(part, wanted));
}
