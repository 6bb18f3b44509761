import type { Statement } from './ast.ts';
import { compileExpression, type Position } from './compile-expression.ts';
import { Undefined } from './python-types.ts';
import type { Evaluate, Frame, Write } from './render-state.ts';
import { Scope } from './scope.ts';
import { type ScopeNames, scopeNames } from './scope-names.ts';
import type { Origins } from './value-origins.ts';

/** Where a statement stands; `assigned`: names the template's own scope has set so far. */
export interface Place extends Position {
  readonly assigned: Set<string>;
  /** Statements that ask for another template. */
  readonly loads: { readonly start: number; readonly end: number }[];
  readonly blocks: Map<string, (frame: Frame) => string>;
  readonly origins: Origins;
  /** What compiles the statements within this one: handed on, so that loops and macros need not know every statement. */
  readonly compileBody: (body: readonly Statement[], place: Place) => Write;
}

/** What a name is before the scope sets it: what it is `outside`, or undefined, also where it is an input of the template. */
export function valueBefore(name: string, { unset }: ScopeNames, outside: Position): Evaluate {
  if (!unset.has(name) || outside.scope.refers(name))
    return compileExpression({ typename: 'Symbol', value: name, start: -1, end: -1 }, outside);
  const { strict } = outside;
  return () => new Undefined(`'${name}' is undefined`, strict);
}

/** A scope inside: the names it sets, beside its own, start with what they are before it and are forgotten after it. */
export function innerPlace(
  place: Place,
  own: Iterable<string>,
  body: readonly Statement[],
): [Place, (frame: Frame) => void] {
  const names = scopeNames(body, own);
  const scope = new Scope(place.scope, place.layout, names);
  const inner = { ...place, scope, soft: false };
  for (const name of own) scope.declare(name);
  const entries = [...names.stored]
    .filter((name) => !scope.names.has(name))
    .map((name) => [scope.declare(name), valueBefore(name, names, place)] as const);
  return [
    inner,
    (frame) => {
      for (const [index, before] of entries) frame[index] = before(frame);
    },
  ];
}

export function compileScope(body: readonly Statement[], place: Place): Write {
  const [inner, enter] = innerPlace(place, [], body);
  const write = inner.compileBody(body, inner);
  return (frame) => {
    enter(frame);
    return write(frame);
  };
}
