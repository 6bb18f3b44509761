import { createMemoryRunLog, type NodeRun, type RowRun, type RunInfo } from '@unroll/engine';
import { beforeAll, expect, test } from 'vitest';
import type { RowFilter } from '../studio-contract/contract.ts';
import { filterRows } from './filter-rows.ts';
import { readRowIndex } from './read-row-index.ts';
import type { RowIndex } from './row-index.ts';
import { noMarks, type RowMarks } from './row-scores.ts';
import { sortRows } from './sort-rows.ts';

const info: RunInfo = {
  id: 'r',
  flowPath: 'f',
  flowName: 'f',
  flowDigest: '',
  startedAt: 0,
  nodes: [
    { name: 'agent_1', kind: 'llm', loop: 'search', family: 'agent', iteration: 1 },
    { name: 'state_1', kind: 'python', loop: 'search', family: 'state', iteration: 1 },
    { name: 'agent_2', kind: 'llm', loop: 'search', family: 'agent', iteration: 2 },
    { name: 'state_2', kind: 'python', loop: 'search', family: 'state', iteration: 2 },
    { name: 'search', kind: 'python', loop: 'search', family: 'search', iteration: 0 },
  ],
};

interface Row {
  readonly said: string;
  /** Turns that ran. */
  readonly turns: number;
  readonly ms: number;
  readonly status?: RowRun['status'];
  readonly unfinished?: boolean;
}

/** In lines 0, 2, 4 …: rows of a choice of the data. */
const rows: readonly Row[] = [
  { said: 'ＡＢＣ one', turns: 1, ms: 30 },
  { said: '個人情報 two', turns: 2, ms: 10 },
  { said: 'abc three', turns: 2, ms: 20, unfinished: true },
  { said: 'four', turns: 1, ms: 40, status: 'Failed' },
];

const score = (...values: readonly number[]): Float64Array => Float64Array.from(values);
const marks: RowMarks = {
  ...noMarks,
  scores: new Map([
    ['right', { kind: 'pass', better: 'higher', values: score(1, 0, 1, Number.NaN), before: score(1, 1, 0, 1) }],
    ['turns', { kind: 'number', better: 'lower', values: score(1, 2, 2, 1), before: score(2, 2, 1, Number.NaN) }],
  ]),
  firstBad: new Map([
    [1, 'agent_2'],
    [3, 'search'],
  ]),
  labels: new Map([['right', new Map([[0, 'fail' as const]])]]),
};

let index: RowIndex;
beforeAll(async () => {
  await using log = createMemoryRunLog(info);
  for (const [at, row] of rows.entries()) await log.append(nodesOf(at * 2, row), rowOf(at * 2, row));
  await log.appendMetrics({ accuracy: 0.5 });
  index = await readRowIndex(log, () => ({ input: 1, output: 2 }));
});

function nodesOf(line: number, { turns, status = 'Completed' }: Row): readonly NodeRun[] {
  const usage = { promptTokens: 3, completionTokens: 4, totalTokens: 7 };
  const ofTurn = [1, 2].flatMap((turn): readonly NodeRun[] => [
    turn <= turns
      ? { line, node: `agent_${turn}`, kind: 'llm', status: 'Completed', usage, durationMs: turn }
      : { line, node: `agent_${turn}`, kind: 'llm', status: 'Bypassed' },
    // Hands the state on in turns that are passed over.
    { line, node: `state_${turn}`, kind: 'python', status: 'Completed' },
  ]);
  return [...ofTurn, { line, node: 'search', kind: 'python', status }];
}

function rowOf(line: number, { said, ms, status = 'Completed', unfinished = false }: Row): RowRun {
  const error = { code: 'TypeError', message: 'no good', retryable: false, node: 'search' };
  return {
    ...{ line, status, inputs: { said }, outputs: {}, startedAt: line, durationMs: ms },
    ...(status === 'Failed' ? { error } : {}),
    ...(unfinished ? { unfinished: ['search'] } : {}),
  };
}

test('what nodes over all rows logged is read with the rows', () => {
  expect(index.metrics).toEqual({ accuracy: 0.5 });
});

test.for<[readonly RowFilter[], readonly number[]]>([
  [[], [0, 1, 2, 3]],
  [[{ by: 'status', is: 'Failed' }], [3]],
  [
    [
      { by: 'status', is: 'Failed' },
      { by: 'status', is: 'Completed' },
    ],
    [0, 1, 2, 3],
  ],
  [[{ by: 'node', node: 'agent_2', is: 'Bypassed' }], [0, 3]],
  [[{ by: 'node', node: 'agent', is: 'Bypassed' }], [0, 3]],
  [[{ by: 'node', node: 'nobody', is: 'Completed' }], []],
  [[{ by: 'node', node: 'agent', is: 'cached' }], []],
  [[{ by: 'turns', loop: 'search', is: 2 }], [1, 2]],
  [[{ by: 'turns', loop: 'search', is: 0 }], [2, 3]],
  [[{ by: 'score', metric: 'right', is: 'pass' }], [0, 2]],
  [[{ by: 'score', metric: 'right', is: 'fail' }], [1]],
  [[{ by: 'score', metric: 'right', is: 'none' }], [3]],
  [[{ by: 'score', metric: 'right', is: 'broken' }], [1]],
  [[{ by: 'score', metric: 'right', is: 'fixed' }], [2]],
  [[{ by: 'score', metric: 'turns', is: 'better' }], [0]],
  [[{ by: 'score', metric: 'turns', is: 'worse' }], [2]],
  [[{ by: 'score', metric: 'turns', is: 'broken' }], []],
  [[{ by: 'score-range', metric: 'turns', above: 1 }], [1, 2]],
  [[{ by: 'score-range', metric: 'turns', below: 1 }], []],
  [[{ by: 'first-bad', node: 'agent_2' }], [1]],
  [[{ by: 'label', name: 'right', is: 'fail' }], [0]],
  [[{ by: 'label', name: 'right', is: 'none' }], [1, 2, 3]],
  [[{ by: 'label', name: 'right', is: 'any' }], [0]],
  [[{ by: 'label', name: 'right', is: 'disagrees' }], [0]],
  [[{ by: 'text', is: 'abc' }], [0, 2]],
  [[{ by: 'text', is: 'no good' }], [3]],
  [
    [
      { by: 'text', is: 'abc' },
      { by: 'text', is: 'three' },
    ],
    [2],
  ],
  [
    [
      { by: 'text', is: 'abc' },
      { by: 'turns', loop: 'search', is: 1 },
    ],
    [0],
  ],
])('%j leaves rows %j', ([filters, places]) => {
  expect([...filterRows(index, marks, filters)]).toEqual(places);
});

test.for<[string, boolean, readonly number[] | undefined]>([
  ['line', true, [3, 2, 1, 0]],
  ['ms', false, [1, 2, 0, 3]],
  ['ms', true, [3, 0, 2, 1]],
  ['tokens', true, [1, 2, 0, 3]],
  ['turns.search', false, [0, 3, 1, 2]],
  ['score.right', false, [1, 0, 2, 3]],
  ['score.right', true, [0, 2, 1, 3]],
  ['first-bad', false, [1, 3, 0, 2]],
  ['score.other', false, undefined],
  ['constructor', false, undefined],
])('sorted by %s, most first: %s', ([column, isDescending, places]) => {
  const sorted = sortRows([0, 1, 2, 3], column, isDescending, { index, marks });
  expect(sorted === undefined ? undefined : [...sorted]).toEqual(places);
});

test('figures of nodes and rows, and where a row stands', () => {
  expect(index.nodes.get('agent_2')).toMatchObject({ counts: { Completed: 2, Bypassed: 2 }, spent: { tokens: 14 } });
  // 3 tokens at 1 and 4 at 2 US dollars a million.
  expect(index.nodes.get('agent_1')?.spent.cost).toBeCloseTo(44e-6, 12);
  expect([...index.tokens]).toEqual([7, 14, 14, 7]);
  expect([index.find(4, 0), index.find(5, 0), index.find(4, 1)]).toEqual([2, undefined, undefined]);
  expect(index.failures).toMatchObject([{ node: 'search', code: 'TypeError', count: 1, firstRow: { line: 6 } }]);
  expect([index.endedAt, index.unfinished]).toEqual([46, 1]);
});
