// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of eval.yaml look like templates

import { createMemoryRunLog, type NodeRun, type RunReader } from '@unroll/engine';
import { runInfo } from '@unroll/engine/testing';
import { describe, expect, test } from 'vitest';
import { parseEval } from '../eval-file/parse-eval.ts';
import type { EvalResult } from '../eval-result/eval-result.ts';
import { evaluators } from '../evaluators/evaluators.ts';
import type { JudgeService } from '../evaluators/judge.ts';
import { joinData } from './join-data.ts';
import { scoreRun } from './score-run.ts';

const loop = { loop: 'loop', family: 'step', iteration: 1 };
const info = runInfo({
  nodes: [{ name: 'step_1', kind: 'python', ...loop }],
  outputs: [{ name: 'answer', reads: 'step_1' }],
});

/** What each evaluator needs in an eval.yaml, and an expectation that an absent value could be taken to meet. */
const written: Readonly<Record<string, string>> = {
  equals: 'expected: null',
  not_equals: 'expected: x',
  contains: 'expected: ""',
  regex: 'pattern: ".*"',
  json_schema: 'schema: {}',
  json_path: 'path: "$", expected: null',
  number: 'expected: 0, tolerance: 9',
  word_f1: 'expected: ""',
  rouge_l: 'expected: ""',
  bleu: 'expected: ""',
  chrf: 'expected: ""',
  embedding_similarity: 'expected: ""',
  precision: 'expected: [x]',
  recall: 'expected: [x]',
  mrr: 'expected: [x]',
  map: 'expected: [x]',
  ndcg: 'expected: [x]',
  ndcg_returned_only: 'expected: [x]',
  tool_call: 'expected: null',
  tool_call_f1: 'expected: []',
  trajectory: 'expected: []',
  steps_used: '',
  finished_at: 'expected: null',
  quote_in_sources: 'expected: false',
  flow: 'flow: j',
  pairwise: 'flow: j, between: [a, b], expected: x',
  latency: '',
  tokens: '',
  cost: '',
};

/** Likes whatever it is asked of. */
const judges: JudgeService = {
  open: () => ({
    ask: async () => ({ outputs: { score: 1, winner: 'tie' } }),
    metrics: () => ({}),
    run: () => 'judge',
  }),
  settle: async () => {},
};

async function evaluated(store: RunReader, metric: string): Promise<EvalResult['metrics']> {
  const { spec, diagnostics } = parseEval({ path: 'eval.yaml', text: `run: r\nmetrics:\n${metric}` }, { evaluators });
  if (spec === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return (await scoreRun(spec, store, { name: 'e', judges })).metrics;
}

/** A row whose node failed, one that was stopped before it, one in which it is missing altogether. */
function brokenRows(): RunReader {
  const store = createMemoryRunLog(info);
  const node = { node: 'step_1', kind: 'python', repeat: 0 };
  const nodes: readonly (readonly NodeRun[])[] = [
    [{ ...node, line: 0, status: 'Failed' }],
    [{ ...node, line: 1, status: 'NotRun' }],
    [],
  ];
  for (const [line, runs] of nodes.entries()) {
    const row = { line, inputs: {}, outputs: {}, startedAt: 0, durationMs: 5 };
    void store.append(runs, { ...row, status: line === 0 ? 'Failed' : 'Canceled' });
  }
  return store;
}

test('the table has every evaluator but those of attempts', () => {
  const measuring = evaluators.filter(({ measures }) => measures !== 'metric').map(({ name }) => name);
  expect(Object.keys(written).toSorted()).toEqual(measuring.toSorted());
});

describe.for(Object.entries(written))('%s', ([name, keys]) => {
  const metric = (on: string): string =>
    `- {name: m, on: "${on}", evaluator: ${name}, ${keys}${keys === '' ? '' : ', '}gate: {min: 0}}`;

  // What a family cost before it broke was paid all the same.
  const isCost = ['latency', 'tokens', 'cost'].includes(name);
  test.for(isCost ? ['step_1'] : ['step_1', 'step[*]'])(
    'rows that broke at %s are counted and none passes',
    async (on) => {
      const found = await evaluated(brokenRows(), metric(on));
      expect(found[0]?.summary).toMatchObject({ mean: null, scored: 0, errors: 3 });
      expect(found[0]?.summary.unscored.reduce((sum, { count }) => sum + count, 0)).toBe(3);
      expect(found[0]?.gate).toMatchObject({ passed: false, reason: 'nothing was scored' });
    },
  );
});

test.for(evaluators.filter(({ expected }) => expected === 'needed').map(({ name }) => name))(
  '%s: a row of which nothing is expected is counted, and neither passes nor fails',
  async (name) => {
    const store = createMemoryRunLog(info);
    const node: NodeRun = { line: 0, node: 'step_1', kind: 'python', status: 'Completed', output: 'x' };
    const row = { line: 0, inputs: {}, outputs: { answer: 'x' }, startedAt: 0, durationMs: 5 };
    void store.append([node], { ...row, status: 'Completed' });
    const keys = (written[name] ?? '').replace(/,? ?expected: .*$/, '');
    const metric = `- {name: m, on: step_1, evaluator: ${name}, ${keys === '' ? '' : `${keys}, `}expected: "\${row.expected}"}`;
    const { spec } = parseEval({ path: 'eval.yaml', text: `run: r\nmetrics:\n${metric}` }, { evaluators });
    if (spec === undefined) throw new Error(`bug: ${metric}`);
    const rows = async function* () {
      yield [{ line: 0, values: { other: 1 } }];
    };
    const { metrics } = await scoreRun(spec, store, { name: 'e', judges, data: joinData(rows(), info, true) });
    expect(metrics[0]?.summary).toEqual({
      mean: null,
      scored: 0,
      errors: 0,
      unscored: [{ reason: 'no expectation', count: 1 }],
    });
  },
);
