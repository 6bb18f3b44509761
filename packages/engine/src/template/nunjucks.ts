import nodeClasses from 'nunjucks/src/nodes.js';
import parserModule from 'nunjucks/src/parser.js';
import type { Node, NodeOf } from './ast.ts';

/** The only door to nunjucks: its parser, which ours extends, and its syntax tree, which ours is made of. */
export const Parser = parserModule.Parser;

const own = new Map<string, (typeof nodeClasses)['Node']>();

/** A node of nunjucks' syntax tree; kinds that only Jinja has are derived from its `Node`. */
export function createNode<Kind extends Node['typename']>(
  typename: Kind,
  start: number,
  end: number,
  fields: Omit<NodeOf<Kind>, 'typename' | 'start' | 'end'>,
): NodeOf<Kind> {
  const node = new (classOf(typename))(0, start);
  return Object.assign(node, { start, end }, fields) as unknown as NodeOf<Kind>;
}

function classOf(typename: string): (typeof nodeClasses)['Node'] {
  const known = nodeClasses[typename] ?? own.get(typename);
  if (known !== undefined) return known;
  const derived = nodeClasses.Node.extend(typename, { fields: [] });
  own.set(typename, derived);
  return derived;
}
