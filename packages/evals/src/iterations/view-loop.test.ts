import { loopShapes, type RunNode } from '@unroll/engine';
import { expect, test } from 'vitest';
import { type LoopRowRead, LoopRowsSoFar } from './loop-rows.ts';
import { viewLoop } from './view-loop.ts';

const times = 3;
const nodes: readonly RunNode[] = [
  { name: 'start', kind: 'python' },
  ...Array.from({ length: times }, (_, index): readonly RunNode[] => [
    { name: `agent_${index + 1}`, kind: 'llm', loop: 'search', family: 'agent', iteration: index + 1 },
    { name: `function_${index + 1}`, kind: 'python', loop: 'search', family: 'function', iteration: index + 1 },
  ]).flat(),
  { name: 'search', kind: 'python', loop: 'search', family: 'search', iteration: 0 },
];
const [shape] = loopShapes(nodes);
if (shape === undefined) throw new Error('bug: no loop');

interface RowText {
  /** A letter an iteration: `y` right, `n` wrong, `.` not judged. */
  readonly right: string;
  /** Iteration it finished at; 0: never. */
  readonly end: number;
  readonly due?: number | null;
}

function readRow(line: number, { end }: RowText): LoopRowRead {
  const usage = { promptTokens: 90, completionTokens: 10, totalTokens: 100 };
  const turns = Array.from({ length: times }, (_, index) => index + 1);
  return {
    line,
    repeat: 0,
    nodes: turns.flatMap((turn): LoopRowRead['nodes'] => [
      end > 0 && turn > end
        ? { node: `agent_${turn}`, status: 'Bypassed' }
        : { node: `agent_${turn}`, status: 'Completed', usage },
      { node: `function_${turn}`, status: 'Completed' },
    ]),
    records: new Map(turns.map((turn) => [`function_${turn}`, { output: { finished: end > 0 && turn >= end } }])),
  };
}

function view(rows: readonly RowText[], costOf: (node: string) => number | undefined = () => 0.01) {
  const read = new LoopRowsSoFar(shape as never, costOf);
  for (const [line, row] of rows.entries()) read.take(readRow(line, row), row.due);
  const scored = rows.flatMap(({ right }, line) =>
    [...right].flatMap((letter, index) =>
      letter === '.' ? [] : [{ line, iteration: index + 1, value: letter === 'y' ? 1 : 0 }],
    ),
  );
  const scores = {
    lines: scored.map(({ line }) => line),
    repeats: scored.map(() => 0),
    iterations: scored.map(({ iteration }) => iteration),
    values: scored.map(({ value }) => value),
  };
  return viewLoop(shape as never, read.rows(), scored.length === 0 ? undefined : scores);
}

test('each iteration tells who went round, who ended, who was right by then, and what it took', () => {
  expect(
    view([
      { right: 'nyy', end: 2 },
      { right: 'nny', end: 3 },
      { right: 'nnn', end: 0 },
    ]),
  ).toEqual({
    family: 'function',
    iterations: [
      { iteration: 1, ran: 3, finished: 0, rightByNow: 0, tokens: 300, cost: 0.03 },
      { iteration: 2, ran: 3, finished: 1, rightByNow: 1, tokens: 300, cost: 0.03 },
      { iteration: 3, ran: 2, finished: 1, rightByNow: 2, tokens: 200, cost: 0.02 },
    ],
    stopped: { right: 2, tooEarly: 0, tooLate: 0, never: 0 },
    lostLater: 0,
    recommendedTimes: 3,
  });
});

test('of a row that did not complete counts what it took, and not how it ended', () => {
  const read = new LoopRowsSoFar(shape as never, () => 0.01);
  read.take(readRow(0, { right: '', end: 1 }), undefined);
  read.takeBroken(readRow(1, { right: '', end: 2 }));
  expect(viewLoop(shape as never, read.rows())).toMatchObject({
    iterations: [
      { ran: 2, finished: 1, tokens: 200 },
      { ran: 1, finished: 0, tokens: 100 },
      { ran: 0, finished: 0 },
    ],
    recommendedTimes: 1,
  });
});

test('a state that was finished before the loop is of no iteration', () => {
  const read = new LoopRowsSoFar(shape as never, () => 0.01);
  const row = readRow(0, { right: '', end: 1 });
  const bypassed = row.nodes.map((node) =>
    node.node === 'agent_1' ? { node: 'agent_1', status: 'Bypassed' as const } : node,
  );
  read.take({ ...row, nodes: bypassed }, undefined);
  expect(viewLoop(shape as never, read.rows()).iterations[0]).toEqual({ iteration: 1, ran: 0, finished: 0 });
});

test('the cost of an iteration is partial where a call of it has no price', () => {
  const { iterations } = view([{ right: '', end: 3 }], (node) => (node === 'agent_2' ? undefined : 0.01));
  expect(iterations.map(({ cost, isCostPartial }) => [cost, isCostPartial])).toEqual([
    [0.01, undefined],
    [undefined, undefined],
    [0.01, undefined],
  ]);
  let calls = 0;
  const rows = [
    { right: '', end: 1 },
    { right: '', end: 1 },
  ];
  const [first] = view(rows, () => (calls++ === 0 ? undefined : 0.01)).iterations;
  expect(first).toMatchObject({ cost: 0.01, isCostPartial: true });
});

const none = { right: 0, tooEarly: 0, tooLate: 0, never: 0 };

test.for<[string, RowText, Partial<typeof none>]>([
  ['right when it first was', { right: 'nyy', end: 2 }, { right: 1 }],
  ['wrong at its end', { right: 'n..', end: 1 }, { tooEarly: 1 }],
  ['right before its end', { right: 'yyy', end: 3 }, { tooLate: 1 }],
  ['right and not ended', { right: 'nyy', end: 0 }, { never: 1 }],
  ['expected later', { right: '...', end: 1, due: 2 }, { tooEarly: 1 }],
  ['expected then', { right: '...', end: 2, due: 2 }, { right: 1 }],
  ['expected earlier', { right: '...', end: 3, due: 2 }, { tooLate: 1 }],
  ['expected, and it did not end', { right: '...', end: 0, due: 2 }, { never: 1 }],
  ['expected not to end', { right: '...', end: 0, due: null }, { right: 1 }],
  ['expected not to end, and it did', { right: '...', end: 2, due: null }, { tooEarly: 1 }],
])('the decision to stop: %s', ([, row, counts]) => {
  expect(view([row]).stopped).toEqual({ ...none, ...counts });
});

test('never right and never ended: nothing to decide', () => {
  expect(view([{ right: 'nnn', end: 0 }])).not.toHaveProperty('stopped');
});

test.for<[string, readonly RowText[], number, number | undefined]>([
  [
    'right at 1, lost at 3',
    [
      { right: 'yyn', end: 3 },
      { right: 'nyy', end: 2 },
    ],
    1,
    2,
  ],
  ['nothing gained after the first', [{ right: 'yyy', end: 0 }], 0, 1],
  ['never right', [{ right: 'nnn', end: 0 }], 0, undefined],
])('%s', ([, rows, lost, recommended]) => {
  expect(view(rows)).toMatchObject({ lostLater: lost });
  expect(view(rows).recommendedTimes).toBe(recommended);
});

test('without judgements the bound is what the rows that end need', () => {
  const found = view([
    { right: '...', end: 1 },
    { right: '...', end: 2 },
    { right: '...', end: 0 },
  ]);
  expect(found).toMatchObject({ recommendedTimes: 2 });
  expect(found).not.toHaveProperty('stopped');
  expect(found).not.toHaveProperty('lostLater');
});
