import type { Graph, GraphNode } from '@unroll/project/studio-contract';
import { expect, test } from 'vitest';
import { lanesOf } from './lanes.ts';

/** `>in a s:1.b s:2.b s <out` are an input, a node, two turns of the loop s, its end, an output; `a-b` are arrows. */
function graphOf(nodes: string, arrows: string, isFolded = false): Graph {
  const made = nodes.split(' ').map((word): GraphNode => {
    const [, loop, turn, name = word] = /^(\w+):(\d)\.(\w+)$/.exec(word) ?? [];
    const kind = word.startsWith('>') ? 'input' : word.startsWith('<') ? 'output' : 'node';
    const id = turn === undefined ? word : `${name}${turn}`;
    return { id, label: name, kind, ...(loop === undefined ? {} : { loop, iteration: Number(turn) }) } as GraphNode;
  });
  const loops = new Set(made.flatMap(({ loop, iteration }) => (loop === undefined ? [] : [`${loop} ${iteration}`])));
  return {
    nodes: made,
    arrows: arrows
      .split(' ')
      .filter(Boolean)
      .map((arrow) => ({ from: arrow.split('-')[0], to: arrow.split('-')[1], kind: 'data' })),
    groups: [...loops].map((one) => ({
      loop: one.split(' ')[0],
      ...(isFolded ? {} : { iteration: Number(one.split(' ')[1]) }),
    })),
  } as unknown as Graph;
}

function written(graph: Graph): string | undefined {
  const lanes = lanesOf(graph);
  return lanes?.items
    .map((item) =>
      item.kind === 'node'
        ? item.node.id
        : `${item.loop}(${item.turns.map(({ turn, nodes }) => `${turn}: ${nodes.map(({ id }) => id).join(' ')}`).join(', ')})`,
    )
    .join(' ');
}

test.for([
  { name: 'a chain', nodes: '>q a b <o', arrows: '>q-a a-b b-<o >q-b', expected: 'a b' },
  {
    name: 'a node behind the one that gives the output',
    nodes: '>q a over <o',
    arrows: '>q-a a-over a-<o',
    expected: undefined,
  },
  { name: 'a branch', nodes: 'a b c', arrows: 'a-b a-c b-c', expected: undefined },
  { name: 'two that are not joined', nodes: 'a b', arrows: '', expected: undefined },
  {
    name: 'a loop whose state goes past the agent',
    nodes: 'f s:1.a s:1.t s:2.a s:2.t s',
    arrows: 'f-a1 f-t1 a1-t1 t1-a2 t1-t2 a2-t2 t2-s',
    expected: 'f s(1: a1 t1, 2: a2 t2) s',
  },
  {
    name: 'a turn whose nodes run beside each other',
    nodes: 's:1.a s:1.b s:1.t',
    arrows: 'a1-t1 b1-t1',
    expected: undefined,
  },
  { name: 'no node at all', nodes: '>q <o', arrows: '>q-<o', expected: undefined },
])('$name', ({ nodes, arrows, expected }) => {
  expect(written(graphOf(nodes, arrows))).toBe(expected);
});

test('a folded loop is one turn without a number', () => {
  expect(written(graphOf('s:1.a s:1.t s', 'a1-t1 t1-a1 t1-s', true))).toBe('s(0: a1 t1) s');
});
