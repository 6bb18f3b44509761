import type { Node, NodeOf } from './ast.ts';

/** A node of the syntax tree that stands in the source from `start` up to `end`. */
export function createNode<Kind extends Node['typename']>(
  typename: Kind,
  start: number,
  end: number,
  fields: Omit<NodeOf<Kind>, 'typename' | 'start' | 'end'>,
): NodeOf<Kind> {
  return { typename, start, end, ...fields } as unknown as NodeOf<Kind>;
}
