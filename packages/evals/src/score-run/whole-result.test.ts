// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of eval.yaml look like templates
import { join } from 'node:path';
import {
  createMemoryRunLog,
  type NodeRun,
  type RowRun,
  type RunInfo,
  type RunReader,
  type Usage,
} from '@unroll/engine';
import { undefinedFields } from '@unroll/engine/testing';
import { expect, test } from 'vitest';
import { parseEval } from '../eval-file/parse-eval.ts';
import { evaluators } from '../evaluators/evaluators.ts';
import { joinData } from './join-data.ts';
import { scoreRun } from './score-run.ts';

const info: RunInfo = {
  ...{
    id: 'r',
    flowPath: 'flow',
    flowName: 'f',
    flowDigest: 'd',
    startedAt: 100,
    data: { path: 'd.jsonl', total: 7, digest: 'x' },
  },
  nodes: [
    { name: 'find', kind: 'lookup' },
    ...[1, 2].map((iteration) => ({ name: `ask_${iteration}`, kind: 'llm', loop: 'loop', family: 'ask', iteration })),
    { name: 'loop', kind: 'python', loop: 'loop', family: 'loop', iteration: 0 },
  ],
  outputs: [{ name: 'answer', reads: 'loop' }],
} as RunInfo;

const usage = (total: number): Usage => ({ promptTokens: total - 1, completionTokens: 1, totalTokens: total });
const error = { code: 'E', message: 'no', retryable: true };

interface Row {
  readonly line: number;
  readonly repeat?: number;
  /** What was found, what was answered in each turn, and what the loop gave. */
  readonly found: string;
  readonly turns: readonly (string | undefined)[];
  readonly answer: string;
  readonly status?: RowRun['status'];
}

const rows: readonly Row[] = [
  { line: 0, found: 'a', turns: ['x'], answer: 'right' },
  { line: 0, repeat: 1, found: 'a', turns: ['x', 'y'], answer: 'wrong' },
  { line: 1, found: 'b', turns: ['x'], answer: 'right' },
  { line: 1, repeat: 1, found: 'b', turns: ['z'], answer: 'right' },
  { line: 2, found: 'c', turns: ['z'], answer: '', status: 'Failed' },
  { line: 3, found: 'd', turns: ['z'], answer: '', status: 'Canceled' },
  { line: 4, found: 'e', turns: ['x', 'x'], answer: 'wrong' },
];

function endOf(answer: string, status: RowRun['status']): Pick<NodeRun, 'status' | 'output' | 'error' | 'durationMs'> {
  if (status === 'Completed') return { status, output: { status: 'answered', answer }, durationMs: 1 };
  return status === 'Failed' ? { status, error, durationMs: 1 } : { status: 'NotRun' };
}

function storeOf(): RunReader {
  const store = createMemoryRunLog(info);
  for (const { line, repeat = 0, found, turns, answer, status = 'Completed' } of rows) {
    const place = { line, repeat };
    const startedAt = 1000 * line + 10 * repeat;
    const nodes: NodeRun[] = [
      {
        ...place,
        node: 'find',
        kind: 'lookup',
        status: 'Completed',
        output: { at: found, score: line },
        startedAt,
        durationMs: 4 + line,
      },
    ];
    for (const [at, said] of [turns[0], turns[1]].entries()) {
      const node = { ...place, node: `ask_${at + 1}`, kind: 'llm' };
      nodes.push(
        said === undefined
          ? { ...node, status: 'Bypassed', output: null }
          : {
              ...node,
              status: 'Completed',
              output: { said },
              usage: usage(10 + at),
              startedAt: startedAt + 5,
              durationMs: 20,
            },
      );
    }
    nodes.push({ ...place, node: 'loop', kind: 'python', ...endOf(answer, status), startedAt: startedAt + 50 });
    const row: RowRun = {
      line,
      repeat,
      status,
      inputs: { q: `q${line}`, id: `id${line}` },
      startedAt,
      durationMs: 60 + line,
      ...(status === 'Completed' ? { outputs: { answer } } : { outputs: {}, error: { ...error, node: 'loop' } }),
    };
    void store.append(nodes, row);
  }
  return store;
}

const metrics = `
- {name: right, on: outputs.answer, evaluator: equals, expected: "\${row.expected}", gate: {min: 0.9}}
- {name: turn, on: "ask[*].said", evaluator: equals, expected: x, gate: {min: 0.1}}
- {name: second, on: ask_2.said, evaluator: equals, expected: x, gate: {max: 0.2}}
- {name: nearest, on: find.score, evaluator: number, expected: 1, tolerance: 1}
- {name: nowhere, on: find.deep.thing, evaluator: equals, expected: 1}
- {name: find_time, on: find, evaluator: latency, gate: {max: 7}}
- {name: time, evaluator: latency}
- {name: turn_time, on: "ask[*]", evaluator: latency}
- {name: tokens, on: "ask[*]", evaluator: tokens}
- {name: all_tokens, evaluator: tokens}
- {name: cost, evaluator: cost}
- {name: turns, on: "ask[*]", evaluator: steps_used}
- {name: once, evaluator: "pass@2", of: right, gate: {min: 0.5}}
- {name: always, evaluator: "pass_all@2", of: right}
`;

async function resultOf(text: string, priceOf?: (node: string, usage: Usage) => number | undefined) {
  const { spec, diagnostics } = parseEval({ path: 'eval.yaml', text }, { evaluators });
  if (spec === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  const data = async function* () {
    for (let line = 0; line < 7; line += 1)
      yield [{ line, values: { q: `q${line}`, expected: line === 6 ? null : 'right' } }];
  };
  return await scoreRun(spec, storeOf(), {
    name: 'e',
    path: '.flow/runs/r.run',
    data: joinData(data(), info, true),
    ...(priceOf === undefined ? {} : { priceOf }),
  });
}

test('all that an evaluation tells of a run: rows of every kind, every kind of metric', async () => {
  const result = await resultOf(`run: r\nkey: id\nmetrics:${metrics}`, (node, { totalTokens }) =>
    node === 'ask_1' ? totalTokens / 1000 : 0.5,
  );
  expect(undefinedFields(result)).toEqual([]);
  const golden = `${JSON.stringify(result, null, 1)}\n`;
  await expect(golden).toMatchFileSnapshot(join(import.meta.dirname, 'whole-result.golden.json'));
});

test('where a price is not known there is no cost, and nothing is keyed without a key', async () => {
  const text = 'run: r\nmetrics:\n- {name: cost, evaluator: cost}\n';
  const known = await resultOf(text, (node) => (node === 'ask_1' ? 1 : undefined));
  expect(known.metrics[0]?.summary).toMatchObject({ mean: 1 });
  expect('keys' in known).toBe(false);
  const unknown = await resultOf(text);
  expect(unknown.metrics[0]?.summary.mean).toBeNull();
});
