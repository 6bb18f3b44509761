import type { RunInfo, RunNode } from '@unroll/engine';
import { runInfo } from '@unroll/engine/testing';
import { expect, test } from 'vitest';
import { alignNodes } from './align-nodes.ts';

const runOf = (names: string): RunInfo => {
  const nodes = names.split(' ').map((name): RunNode => {
    const [, family, iteration] = /^(\w+)_(\d)$/.exec(name) ?? [];
    const instance = family === undefined ? {} : { loop: 'l', family, iteration: Number(iteration) };
    return { name, kind: 'python', ...instance };
  });
  return runInfo({ id: names, nodes });
};

test.for([
  { left: 'a b', right: 'a b', aligned: 'a=a b=b' },
  { left: 'a x b', right: 'a b y', aligned: 'a=a x= b=b =y' },
  { left: 'x a', right: 'a', aligned: 'x= a=a' },
  { left: 'a b', right: 'b a', aligned: 'b=b a=a' },
  { left: 'old b', right: 'new b', renames: { old: 'new' }, aligned: 'old=new b=b' },
  {
    left: 'agent_1 agent_2 agent',
    right: 'bot_1 bot_2 bot_3',
    renames: { agent: 'bot' },
    aligned: 'agent_1=bot_1 agent_2=bot_2 agent= =bot_3',
  },
])('$left beside $right is $aligned', ({ left, right, renames = {}, aligned }) => {
  const pairs = alignNodes(runOf(left), runOf(right), new Map(Object.entries(renames)));
  expect(pairs.map((pair) => `${pair.left ?? ''}=${pair.right ?? ''}`).join(' ')).toBe(aligned);
});
