import type { NodePair, RowPattern } from '@unroll/engine';
import { expect, test } from 'vitest';
import type { GraphNode, RunGraph } from '../attribute-changes/run-graph.ts';
import { diffRuns, groupParts } from './diff-runs.ts';
import type { NodeDiff } from './run-diff.ts';

const node = (name: string, reads: readonly string[], rest: Partial<GraphNode> = {}): [string, GraphNode] => {
  return [
    name,
    { name, kind: 'python', aggregation: false, reads, readsInputs: [], changedParts: [], program: undefined, ...rest },
  ];
};

const instance = (family: string, iteration: number): Partial<GraphNode> => {
  return { loop: 'answer', family, iteration, changedParts: family === 'agent' ? [{ part: 'template' }] : [] };
};

/** start -> agent_1 -> function_1 -> agent_2 -> function_2 -> answer, and a score over all rows; the agents' template changed. */
const graph: RunGraph = new Map([
  node('start', []),
  node('agent_1', ['start'], instance('agent', 1)),
  node('function_1', ['agent_1', 'start'], instance('function', 1)),
  node('agent_2', ['function_1'], instance('agent', 2)),
  node('function_2', ['agent_2', 'function_1'], instance('function', 2)),
  node('answer', ['function_2'], { loop: 'answer', family: 'answer', iteration: 0 }),
  node('score', ['answer'], { aggregation: true }),
]);

/** `o` output, `i` inputs, `f` fingerprint differ, `F` it is the same, `x` failed on the right. */
const pattern = (id: number, rows: number, marks: readonly string[], outputsDiffer = false): RowPattern => {
  const names = [...graph.keys()].slice(0, -1);
  const nodes = names.map((name, index): NodePair => {
    const has = (mark: string): boolean => (marks[index] ?? '').includes(mark);
    return {
      node: name,
      left: 'Completed',
      right: has('x') ? 'Failed' : 'Completed',
      outputDiffers: has('o'),
      inputsDiffer: has('i'),
      ...(has('f') || has('F') ? { fingerprintDiffers: has('f') } : {}),
    };
  });
  return { id, rows, left: 'Completed', right: 'Completed', outputsDiffer, inputs: [], nodes };
};

const patterns = [
  pattern(0, 40, ['', 'f', '', 'f', '', '']),
  pattern(1, 10, ['', 'of', 'oif', 'oif', 'oif', 'oif'], true),
  pattern(2, 5, ['', 'of', 'oif', 'if', '', '']),
  pattern(3, 3, ['', 'f', '', 'of', 'oif', 'oif'], true),
  pattern(4, 2, ['', 'f', 'oF', 'oif', 'oi', 'oix'], true),
];

const score: NodePair = {
  node: 'score',
  left: 'Completed',
  right: 'Completed',
  outputDiffers: true,
  inputsDiffer: true,
};
const compared = { left: 61, right: 60, onlyLeft: 1, onlyRight: 0, patterns, aggregation: [score] };

const told = ({ name, changed, same, statusDiffers, failedRight, kinds, origins }: NodeDiff): string => {
  const why = Object.entries(kinds).map(([kind, rows]) => `${kind} ${rows}`);
  const from = origins.map((origin) => `${origin.from} ${origin.steps.join('>')} ${origin.rows}`);
  const status = statusDiffers === 0 ? '' : ` (${statusDiffers} otherwise ended, ${failedRight} failed)`;
  return `${name}: ${changed} of ${changed + same}${status}; ${[...why, ...from].join(', ')}`;
};

test('instances of a loop are told of together', () => {
  const { nodes, rows } = diffRuns(compared, graph, { byIteration: false });
  expect(nodes.map(told)).toEqual([
    'start: 0 of 60; ',
    'agent: 20 of 60; cause 18, both 2, noise function>agent 2',
    'function: 20 of 60; effect 18, noise 2, cause agent>function 20',
    'answer: 15 of 60 (2 otherwise ended, 2 failed); effect 15, cause agent>function>answer 15, noise function>answer 2',
    'score: 1 of 1; effect 1, cause agent>function>answer>score 1',
  ]);
  expect(nodes.find(({ name }) => name === 'agent')).toMatchObject({
    instances: ['agent_1', 'agent_2'],
    changedParts: [{ part: 'template' }],
  });
  expect(rows).toEqual({
    left: 61,
    right: 60,
    paired: 60,
    same: 40,
    outputsDiffer: 15,
    failedLeft: 0,
    failedRight: 0,
    onlyLeft: 1,
    onlyRight: 0,
  });
});

test('or one by one', () => {
  const { nodes } = diffRuns(compared, graph, { byIteration: true });
  expect(nodes.slice(1, 5).map(told)).toEqual([
    'agent_1: 15 of 60; cause 15',
    'function_1: 17 of 60; effect 15, noise 2, cause agent_1>function_1 15',
    'agent_2: 15 of 60; both 12, cause 3, cause agent_1>function_1>agent_2 10, noise function_1>agent_2 2',
    'function_2: 15 of 60; effect 15, cause agent_2>function_2 15, cause agent_1>function_1>function_2 10, noise function_1>function_2 2',
  ]);
});

test('rows in which a node failed are counted by the run they failed in, those that failed in both in neither', () => {
  const plain: RunGraph = new Map([node('a', [])]);
  const statuses = ['Completed', 'Failed', 'Canceled'] as const;
  const patternsOf = statuses.flatMap((left, one) =>
    statuses.map((right, other): RowPattern => {
      const pair = { node: 'a', left, right, outputDiffers: true, inputsDiffer: false };
      return {
        id: one * 3 + other,
        rows: 10 ** other * (one + 1),
        left,
        right,
        outputsDiffer: false,
        inputs: [],
        nodes: [pair],
      };
    }),
  );
  const both = { left: 666, right: 666, onlyLeft: 0, onlyRight: 0, patterns: patternsOf, aggregation: [] };
  const { rows, nodes } = diffRuns(both, plain, { byIteration: false });
  const failed = { failedLeft: 202, failedRight: 40 };
  expect(rows).toMatchObject({ ...failed, outputsDiffer: 110 + 202 + 33, same: 0, paired: 666 });
  expect(nodes).toMatchObject([{ name: 'a', changed: 666, statusDiffers: 110 + 202 + 33, ...failed }]);
});

test('a loop that goes round more often is told as such; a loop that is new is only new', () => {
  const turn = (iteration: number, onlyIn?: 'left' | 'right', parts: GraphNode['changedParts'] = []): GraphNode =>
    node(`agent_${iteration}`, [], {
      ...instance('agent', iteration),
      changedParts: parts,
      ...(onlyIn === undefined ? {} : { onlyIn }),
    })[1];
  expect(groupParts([turn(1), turn(2, 'right')])).toEqual([{ part: 'times' }]);
  expect(groupParts([turn(1, undefined, [{ part: 'template' }]), turn(2, 'left')])).toEqual([
    { part: 'template' },
    { part: 'times' },
  ]);
  expect(groupParts([turn(1, 'right'), turn(2, 'right')])).toEqual([]);
  expect(groupParts([turn(1, undefined, [{ part: 'x' }]), turn(2, undefined, [{ part: 'x' }])])).toEqual([
    { part: 'x' },
  ]);
  expect(
    groupParts(
      [turn(1), turn(2, undefined, undefined)].map((one, at) => (at === 1 ? { ...one, changedParts: undefined } : one)),
    ),
  ).toBeUndefined();
});
