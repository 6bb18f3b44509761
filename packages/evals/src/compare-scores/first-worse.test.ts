import { describe, expect, test } from 'vitest';
import type { EvalResult, RunMade } from '../eval-result/eval-result.ts';
import { agentMade, type MadeMetric, madeResult } from '../testing/index.ts';
import { compareResults } from './compare-results.ts';

type Scores = MadeMetric['scores'];

const runOf = (made: RunMade): Partial<EvalResult> => ({ run: { id: 'r', flow: 'f', startedAt: 0, made } });
const digests = {
  none: {},
  prompt: { 'agent.jinja2': 'other' },
  index: { 'faq.jsonl': 'other' },
  both: { 'agent.jinja2': 'other', 'faq.jsonl': 'other' },
} as const;

interface Case {
  readonly metrics: readonly (readonly [Omit<MadeMetric, 'scores'>, before: Scores, after: Scores])[];
  readonly changed?: keyof typeof digests;
}

/** `node metric kind: rows lines < causes` of every group. */
function worse({ metrics, changed = 'none' }: Case): readonly string[] {
  const before = metrics.map(([one, scores]) => ({ ...one, scores }));
  const after = metrics.map(([one, , scores]) => ({ ...one, scores }));
  const { comparison } = compareResults(
    madeResult(before, runOf(agentMade())),
    madeResult(after, runOf(agentMade(digests[changed]))),
  );
  return (comparison?.firstWorse ?? []).map(
    ({ node, metric, kind, rows, lines, causes }) =>
      `${node} ${metric} ${kind}: ${rows} [${lines.join(' ')}] < ${causes?.join(' ') ?? 'unknown'}`,
  );
}

const falling = Array.from({ length: 12 }, (_, line) => 10 + line);
const fallen = falling.map((value) => value - 1 - (value % 3) / 10);

describe('which rows got worse, and where first', () => {
  test.for<Case & { readonly what: string; readonly told: readonly string[] }>([
    {
      what: 'no more than ten lines are named, and all are counted',
      metrics: [[{ name: 'm', node: 'search' }, '111111111111', '000000000000']],
      told: ['search m worse: 12 [0 1 2 3 4 5 6 7 8 9] < '],
    },
    {
      what: 'a row that got better is not worse',
      metrics: [[{ name: 'm', node: 'search' }, '0101', '1100']],
      told: ['search m worse: 1 [3] < '],
    },
    {
      what: 'numbers that are worse as a whole count in each row where they fell',
      metrics: [[{ name: 'm', node: 'search' }, [...falling, 5], [...fallen, 6]]],
      told: ['search m worse: 12 [0 1 2 3 4 5 6 7 8 9] < '],
    },
    {
      what: 'where less is better, more is worse',
      metrics: [[{ name: 'm', node: 'search', better: 'lower' }, fallen, falling]],
      told: ['search m worse: 12 [0 1 2 3 4 5 6 7 8 9] < '],
    },
    {
      what: 'numbers that are better as a whole name no row that fell',
      metrics: [[{ name: 'm', node: 'search' }, [...fallen, 6], [...falling, 5]]],
      told: [],
    },
    {
      what: 'a row that had no score before is not worse',
      metrics: [[{ name: 'm', node: 'search' }, '-1', '01']],
      told: [],
    },
    {
      what: 'a row that nothing is expected of any more is not worse',
      metrics: [[{ name: 'm', node: 'search' }, '11', '-1']],
      told: [],
    },
    {
      what: 'a number of a metric that only one of the runs has tells nothing',
      metrics: [[{ name: 'm', node: 'search' }, '', '01']],
      told: [],
    },
  ])('$what', ({ told, ...given }) => {
    expect(worse(given)).toEqual(told);
  });
});

describe('in the order of the flow', () => {
  const both = '1';
  const first = (names: readonly (readonly [name: string, node: string | undefined])[]): string | undefined =>
    worse({
      metrics: names.map(([name, node]) => [node === undefined ? { name } : { name, node }, both, '0'] as const),
    })[0];

  test.for([
    {
      what: 'the earlier node',
      names: [
        ['b', 'function_1'],
        ['a', 'agent_1'],
      ],
      told: 'agent_1 a worse: 1 [0] < ',
    },
    {
      what: 'of one node the metric written first',
      names: [
        ['b', 'agent_1'],
        ['a', 'agent_1'],
      ],
      told: 'agent_1 b worse: 1 [0] < ',
    },
    {
      what: 'a family where its last instance stands',
      names: [
        ['all', 'agent'],
        ['one', 'function_1'],
      ],
      told: 'function_1 one worse: 1 [0] < ',
    },
    {
      what: 'a family before what stands behind it',
      names: [
        ['late', 'function_2'],
        ['all', 'agent'],
      ],
      told: 'agent[*] all worse: 1 [0] < ',
    },
    {
      what: 'a node before the outputs',
      names: [
        ['out', undefined],
        ['late', 'search'],
      ],
      told: 'search late worse: 1 [0] < ',
    },
    {
      what: 'a node that is not there before the outputs',
      names: [
        ['out', undefined],
        ['x', 'gone'],
      ],
      told: 'gone x worse: 1 [0] < ',
    },
    {
      what: 'a node that is not there behind those that are',
      names: [
        ['x', 'gone'],
        ['late', 'search'],
      ],
      told: 'search late worse: 1 [0] < ',
    },
  ] as const)('$what', ({ names, told }) => {
    expect(first(names)).toBe(told);
  });

  test.for([
    { on: 'outputs.answer', told: 'search' },
    { on: 'outputs.answer.text', told: 'search' },
    { on: 'outputs.answer[0]', told: 'search' },
    { on: 'outputs.other', told: 'outputs.other' },
    { on: 'my outputs.answer', told: 'my outputs.answer' },
  ])('the output $on is read from $told', ({ on, told }) => {
    expect(worse({ metrics: [[{ name: 'm', on }, '1', '0']] })).toEqual([`${told} m worse: 1 [0] < `]);
  });
});

describe('what may have caused it', () => {
  test.for<Case & { readonly what: string; readonly told: readonly string[] }>([
    {
      what: 'a changed node before it that no metric looks at',
      metrics: [[{ name: 'm', node: 'search' }, '1', '0']],
      changed: 'prompt',
      told: ['search m worse: 1 [0] < agent'],
    },
    {
      what: 'its own definition, though a metric looks at it',
      metrics: [[{ name: 'm', node: 'function' }, '1', '0']],
      changed: 'index',
      told: ['function[*] m worse: 1 [0] < function'],
    },
    {
      what: 'a changed node that its own metric vouches for, where there is no other',
      metrics: [
        [{ name: 'words', node: 'agent' }, '1', '1'],
        [{ name: 'm', node: 'search' }, '1', '0'],
      ],
      changed: 'prompt',
      told: ['search m worse: 1 [0] < agent'],
    },
    {
      what: 'nothing that stands behind it',
      metrics: [[{ name: 'm', node: 'format_input' }, '1', '0']],
      changed: 'index',
      told: ['format_input m worse: 1 [0] < '],
    },
    {
      what: 'of the row as a whole (a judge, its cost), whatever changed in the flow',
      metrics: [[{ name: 'm', on: 'row' }, '1', '0']],
      changed: 'prompt',
      told: ['row m worse: 1 [0] < agent'],
    },
    {
      what: 'of the row as a whole, also a node whose own metric is as good as it was',
      metrics: [
        [{ name: 'words', node: 'agent' }, '1', '1'],
        [{ name: 'cost', on: 'row' }, '1', '0'],
      ],
      changed: 'both',
      told: ['row cost worse: 1 [0] < agent function'],
    },
    {
      what: 'of all outputs together, whatever changed in the flow',
      metrics: [[{ name: 'm', on: 'outputs' }, '1', '0']],
      changed: 'index',
      told: ['outputs m worse: 1 [0] < function'],
    },
    {
      what: 'nothing of the flow where an input is measured',
      metrics: [[{ name: 'm', on: 'inputs.query' }, '1', '0']],
      changed: 'prompt',
      told: ['inputs.query m worse: 1 [0] < '],
    },
  ])('$what', ({ told, ...given }) => {
    expect(worse(given)).toEqual(told);
  });

  test('of two that changed, the one that no metric vouches for', () => {
    const metrics = [
      { name: 'words', node: 'agent', scores: '1' },
      { name: 'm', node: 'search', scores: '1' },
    ];
    const before = madeResult(metrics, runOf(agentMade()));
    const changed = agentMade({ ...digests.prompt, ...digests.index });
    const after = madeResult(
      metrics.map((one) => ({ ...one, scores: one.name === 'm' ? '0' : '1' })),
      runOf(changed),
    );
    expect(compareResults(before, after).comparison?.firstWorse[0]?.causes).toEqual(['function']);
  });

  test('a run that tells its nodes and no definitions leaves causes unknown, whichever of the two it is', () => {
    const { nodeDefinitions: _, ...untold } = agentMade();
    const one = (made: RunMade, scores: string) => madeResult([{ name: 'm', node: 'search', scores }], runOf(made));
    for (const [left, right] of [
      [untold, agentMade()],
      [agentMade(), untold],
    ] as const) {
      const { comparison } = compareResults(one(left, '1'), one(right, '0'));
      expect([comparison?.changes, comparison?.firstWorse[0]?.causes]).toEqual([undefined, undefined]);
    }
  });
});
