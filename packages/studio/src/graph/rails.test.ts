import { expect, test } from 'vitest';
import { railsOf } from './rails.ts';

/** `a>b` each; nodes stand in the order of the letters. */
function drawn(nodes: string, ...arrows: readonly string[]): readonly string[] {
  const graph = {
    nodes: [...nodes].map((id) => ({ id })),
    arrows: arrows.map((arrow) => ({ from: arrow[0], to: arrow[2], kind: arrow[3] ?? 'data', carries: false })),
  } as unknown as Parameters<typeof railsOf>[0];
  const { lanes, nodes: rows } = railsOf(graph);
  return rows.map(({ followsLast, parts }) => {
    const cells = Array.from({ length: lanes }, () => ' ');
    for (const { lane, isFromAbove, goesOn, end } of parts) {
      const through = isFromAbove && goesOn ? '│' : isFromAbove ? '└' : '┌';
      cells[lane] = end === undefined ? through : `${through}${end === 'in' ? '>' : '<'}`;
    }
    return `${cells.join('').trimEnd()}${followsLast ? ' v' : ''}`;
  });
}

test.for([
  { name: 'a chain needs none', nodes: 'abc', arrows: ['a>b', 'b>c'], shown: ['', ' v', ' v'] },
  { name: 'past a node', nodes: 'abc', arrows: ['a>b', 'b>c', 'a>c'], shown: ['┌<', '│ v', '└> v'] },
  {
    name: 'one to many and many to one: a rail each',
    nodes: 'abcde',
    arrows: ['a>b', 'a>c', 'a>d', 'b>e', 'c>e', 'd>e'],
    shown: ['┌<', '│┌< v', '│>│<', '└>│', ' └> v'],
  },
  {
    name: 'what ends and begins at one node is not drawn as one',
    nodes: 'abcde',
    arrows: ['a>c', 'c>e'],
    shown: ['┌<', '│', '└>┌<', ' │', ' └>'],
  },
  { name: 'what goes back is no way down', nodes: 'ab', arrows: ['a>b', 'b>a'], shown: ['', ' v'] },
  { name: 'nothing leads on', nodes: 'abc', arrows: ['a>b'], shown: ['', ' v', ''] },
])('$name', ({ nodes, arrows, shown }) => {
  expect(drawn(nodes, ...arrows)).toEqual(shown);
});
