import type { Statement } from './ast.ts';
import { compileExpression, type Position } from './compile-expression.ts';
import type { Evaluate, Frame, Write } from './render-state.ts';
import { assignedNames, Scope } from './scope.ts';
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

/** A scope inside: the names it sets start with what they are outside and are forgotten after it. */
export function innerPlace(
  place: Place,
  own: Iterable<string>,
  inherited: Iterable<string>,
): [Place, (frame: Frame) => void] {
  const scope = new Scope(place.scope, place.layout);
  const inner = { ...place, scope, soft: false };
  const entries: [number, Evaluate][] = [];
  for (const name of inherited) {
    const node = { typename: 'Symbol', value: name, start: -1, end: -1 } as const;
    const outside = compileExpression(node, place);
    entries.push([scope.declare(name), outside]);
  }
  for (const name of own) scope.declare(name);
  return [
    inner,
    (frame) => {
      for (const [index, outside] of entries) frame[index] = outside(frame);
    },
  ];
}

export function compileScope(body: readonly Statement[], place: Place): Write {
  const [inner, enter] = innerPlace(place, [], assignedNames(body));
  const write = inner.compileBody(body, inner);
  return (frame) => {
    enter(frame);
    return write(frame);
  };
}
