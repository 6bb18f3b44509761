import type { RunNode } from '@unroll/engine';
import { expect, test } from 'vitest';
import { type FailedRow, failureOrigins } from './failure-origin.ts';

const nodes: readonly RunNode[] = [
  { name: 'start', kind: 'python' },
  { name: 'agent_1', kind: 'llm', loop: 'search', family: 'agent', iteration: 1 },
  { name: 'function_1', kind: 'python', loop: 'search', family: 'function', iteration: 1 },
  { name: 'agent_2', kind: 'llm', loop: 'search', family: 'agent', iteration: 2 },
  { name: 'function_2', kind: 'python', loop: 'search', family: 'function', iteration: 2 },
  { name: 'search', kind: 'python', loop: 'search', family: 'search', iteration: 0 },
];

/** `line`, `line/iteration` of each score of 0, with `+` of 1, by metric: `tool@agent: 0 2` or `tool@agent[*]: 0/1 0/2+`. */
function metricOf(text: string) {
  const [, name = '', on = '', rows = ''] = /^(\w+)@([\w.[\]*]+): ?(.*)$/.exec(text) ?? [];
  const bad = rows.split(' ').filter((row) => row !== '');
  const lines = bad.map((row) => Number(row.split('/')[0]));
  const isFamily = on.endsWith('[*]');
  const node = on.startsWith('outputs') ? {} : { node: on.replace('[*]', '') };
  const iterations =
    isFamily && bad[0]?.includes('/')
      ? { iterations: bad.map((row) => Number.parseInt(row.split('/')[1] ?? '', 10)) }
      : {};
  const scores = {
    lines,
    repeats: lines.map(() => 0),
    ...iterations,
    values: bad.map((row) => (row.endsWith('+') ? 1 : 0)),
  };
  const kind = name === 'recall' || name === 'tokens' ? ('number' as const) : ('pass' as const);
  const better = name === 'tokens' ? ('lower' as const) : ('higher' as const);
  return { name, on, ...node, kind, better, scores };
}

const failedAt = (line: number, node?: string): FailedRow => ({
  line,
  repeat: 0,
  reason: 'no way',
  ...(node === undefined ? {} : { node }),
});

test.for<[string, readonly string[], readonly FailedRow[], readonly string[]]>([
  ['nothing is wrong', ['tool@agent_1: ', 'right@outputs.answer: '], [], []],
  [
    'the first node of the flow, not the first metric',
    ['right@outputs.answer: 0', 'tool@agent_1: 0'],
    [],
    ['agent_1 tool 0'],
  ],
  ['only the outcome is wrong', ['right@outputs.answer: 3'], [], ['outputs.answer right 3']],
  ['a family is blamed at the instance', ['tool@agent[*]: 4/2', 'found@function[*]: 4/1'], [], ['function_1 found 4']],
  [
    'a family measured as a whole is blamed at its end',
    ['stopped@agent[*]: 1 2', 'tool@function_1: 1'],
    [],
    ['function_1 tool 1', 'agent[*] stopped 2'],
  ],
  ['a turn that is made good later', ['tool@agent[*]: 4/1 4/2+ 5/1+ 5/2'], [], ['agent_2 tool 5']],
  ['the first turn from which on it stays wrong', ['tool@agent[*]: 4/1 4/2'], [], ['agent_1 tool 4']],
  ['a node that failed', ['right@outputs.answer: '], [failedAt(7, 'agent_2')], ['agent_2 failed 7']],
  ['a node that failed after a bad one', ['tool@agent_1: 7'], [failedAt(7, 'function_2')], ['agent_1 tool 7']],
  ['a row that no node failed', [], [failedAt(2)], ['the flow failed 2']],
  [
    'a recall of nothing in a row that fails',
    ['right@outputs.answer: 0', 'recall@function_1: 0 1'],
    [],
    ['function_1 recall 0'],
  ],
  [
    'a number of which less is better',
    ['right@outputs.answer: 0', 'tokens@agent_1: 0'],
    [],
    ['outputs.answer right 0'],
  ],
  [
    'the largest group first, then the order of the flow',
    ['tool@agent_1: 0', 'found@function_1: 1 2', 'right@outputs.answer: 0 1 2 3'],
    [failedAt(9, 'start')],
    ['function_1 found 1 2', 'start failed 9', 'agent_1 tool 0', 'outputs.answer right 3'],
  ],
])('%s', ([, metrics, failed, groups]) => {
  const found = failureOrigins({ nodes, metrics: metrics.map(metricOf), failed });
  expect(
    found.map(({ node, kind, examples }) => `${node} ${kind} ${examples.map(({ line }) => line).join(' ')}`),
  ).toEqual(groups);
});

test('numbers are no failures; five rows are told of each group, repetitions apart', () => {
  const scores = { lines: [0, 0, 1, 2, 3, 4], repeats: [0, 1, 0, 0, 0, 0], values: [0, 0, 0, 0, 0, 0] };
  const [group, ...more] = failureOrigins({
    nodes,
    metrics: [
      { name: 'steps', on: 'start', node: 'start', kind: 'number', better: 'lower', scores },
      { name: 'tool', on: 'agent_1', node: 'agent_1', kind: 'pass', better: 'higher', scores },
    ],
    failed: [],
    detail: ({ line, repeat }) => ({ expected: 'a', actual: `${line}/${repeat}` }),
  });
  expect(more).toEqual([]);
  expect(group).toMatchObject({ node: 'agent_1', kind: 'tool', rows: 6 });
  expect(group?.examples.map(({ actual }) => actual)).toEqual(['0/0', '0/1', '1/0', '2/0', '3/0']);
});

test('a share whose gate is not met fails a row by itself', () => {
  const gate = { rule: 'min 0.9', passed: false, reason: 'below 0.9' };
  const metrics = [metricOf('recall@function_1: 2 3'), metricOf('right@outputs.answer: ')];
  const gated = metrics.map((metric) => (metric.name === 'recall' ? { ...metric, gate } : metric));
  expect(failureOrigins({ nodes, metrics, failed: [] })).toEqual([]);
  expect(failureOrigins({ nodes, metrics: gated, failed: [] })).toMatchObject([
    { node: 'function_1', kind: 'recall', rows: 2 },
  ]);
});
