import type { NodeView } from '@unroll/project/studio-contract';
import { expect, test } from 'vitest';
import { chosenNode, nodeBeside, turnBeside } from './chosen-node.ts';

/** `agent_1!` failed, `agent_1*` went wrong first, `agent_1"` asked a model, `agent_1-` was bypassed, `mean+` ran over all rows. */
function nodes(notation: string): readonly NodeView[] {
  return notation.split(' ').map((word) => {
    const [, name = '', mark = ''] = /^(\w+)(.?)$/.exec(word) ?? [];
    const [, family, iteration] = /^(.*)_(\d)$/.exec(name) ?? [];
    return {
      name,
      status: mark === '!' ? 'Failed' : mark === '-' ? 'Bypassed' : 'Completed',
      isFirstBad: mark === '*',
      isOverRows: mark === '+',
      conversation: mark === '"' ? [{}] : [],
      ...(family === undefined ? {} : { family, iteration: Number(iteration) }),
    } as unknown as NodeView;
  });
}

test.for([
  { flow: 'a b" c', asked: 'a', chosen: 'a' },
  { flow: 'a b" c', asked: null, chosen: 'b' },
  { flow: 'a b" c*', asked: null, chosen: 'c' },
  { flow: 'a! b" c', asked: null, chosen: 'a' },
  { flow: 'a b c-', asked: null, chosen: 'b' },
  { flow: 'a b mean+', asked: null, chosen: 'b' },
  { flow: 'a- mean+', asked: null, chosen: 'mean' },
  { flow: 'a- b-', asked: 'gone', chosen: 'a' },
  { flow: '', asked: null, chosen: '' },
])('of "$flow", asked for $asked: $chosen', ({ flow, asked, chosen }) => {
  expect(chosenNode({ nodes: nodes(flow) }, asked)?.name).toBe(chosen);
});

test.for([
  { from: 'a_1', step: 1, beside: 'f_1', turn: 'a_2' },
  { from: 'f_2', step: -1, beside: 'a_2', turn: 'f_1' },
  { from: 'last', step: 1, beside: 'last', turn: 'a_1' },
  { from: 'first', step: -1, beside: 'first', turn: 'f_2' },
  { from: 'a_2', step: 1, beside: 'f_2', turn: undefined },
])('$step of $from', ({ from, step, beside, turn }) => {
  const page = { nodes: nodes('first a_1 f_1 a_2 f_2 last') };
  const node = page.nodes.find(({ name }) => name === from) as NodeView;
  expect([nodeBeside(page, from, step), turnBeside(page, node, step)]).toEqual([beside, turn]);
});
