import { join } from 'node:path';
import { type JsonObject, openFlow } from '@unroll/engine';
import { nodeTypes } from '@unroll/nodes';
import { startOpenAiServer } from '@unroll/nodes/testing';
import { promptFlow } from '@unroll/promptflow';
import { expect, test } from 'vitest';
import metrics from './toolgen-judge/metrics.ts';

const folder = join(import.meta.dirname, 'toolgen-judge');

/** Judges one row; `says` are the judges' answers in the order they are asked. */
async function judge(
  inputs: JsonObject,
  says: readonly string[],
): Promise<{ outputs: JsonObject; bypassed: readonly string[] }> {
  await using server = await startOpenAiServer(says.map((content) => ({ message: { content } })));
  const configs = { base_url: `${server.url}/v1` };
  const connection = { name: 'offline', type: 'open_ai', configs, secrets: { api_key: 'sk-never-recorded' } };
  const connections = { find: () => connection, names: () => ['offline'] };
  const opened = await openFlow(
    { file: join(folder, 'flow.dag.yaml'), folder },
    { nodeTypes: nodeTypes({ extensions: [promptFlow()] }), connections },
  );
  if (opened.flow === undefined) throw new Error(JSON.stringify(opened.diagnostics.map(({ message }) => message)));
  await using flow = opened.flow;
  const { row, nodes } = await flow.runRow({ query: 'Is it late?', ...inputs });
  expect(row.error).toBeUndefined();
  expect(server.requests).toHaveLength(says.length);
  return {
    outputs: row.outputs,
    bypassed: nodes.filter(({ status }) => status === 'Bypassed').map(({ node }) => node),
  };
}

const answered = {
  status: 'answered',
  answer: '12 minutes late',
  actions: [{ name: 'f', arguments: '{}', content: ['x'] }],
};

test.for<{ what: string; inputs: JsonObject; says: readonly string[]; outputs: JsonObject }>([
  {
    what: 'facts decide, and the reference is preferred in both orders',
    inputs: { ...answered, facts: ['12 minutes'], reference: 'The train is 12 minutes late.' },
    says: ['{"better": "first"}', '{"better": "second"}'],
    outputs: { label: 'Solved', winner: 'ref' },
  },
  {
    what: 'a judge that always says first is a tie',
    inputs: { ...answered, facts: ['12 minutes'], reference: 'The train is 12 minutes late.' },
    says: ['first', 'first'],
    outputs: { label: 'Solved', winner: 'tie' },
  },
  {
    what: 'a fact that is missing leaves it unsolved, and the reference wins without a judge',
    inputs: { ...answered, facts: ['at 09:12'], reference: 'At 09:12.' },
    says: [],
    outputs: { label: 'Unsolved', winner: 'ref' },
  },
  {
    what: 'no answer is unsolved without a judge',
    inputs: { status: 'gave_up', answer: '' },
    says: [],
    outputs: { label: 'Unsolved', winner: 'tie' },
  },
  {
    what: 'one call where the judge is sure',
    inputs: answered,
    says: ['{"label": "Solved"}'],
    outputs: { label: 'Solved', winner: 'out' },
  },
  {
    what: 'only if unsure a second, with the whole execution',
    inputs: answered,
    says: ['{"label": "Unsure"}', '{"label": "Unsolved"}'],
    outputs: { label: 'Unsolved', winner: 'tie' },
  },
])('$what', async ({ inputs, says, outputs }) => {
  const judged = await judge(inputs, says);
  expect(judged.outputs).toEqual(outputs);
  expect(judged.bypassed.includes('judge_again')).toBe(says[0]?.includes('Unsure') !== true);
});

test('over all rows: pass rate, win and tie rate, made-up actions', () => {
  const logged: Record<string, number> = {};
  const action = (name: string, code: number) => ({ action: name, code });
  metrics(
    {
      labels: ['Solved', 'Unsure', 'Unsolved', 'Solved'],
      winners: ['out', 'tie', 'ref', 'ref'],
      actions: [[action('<<a&&b>>', 0), action('<<Finish>>', 3)], [action('<<no&&no>>', 1)], [action('<<a&&b>>', 6)]],
    },
    { logMetric: (name, value) => Object.assign(logged, { [name]: value }) },
  );
  expect(logged).toEqual({ pass_rate: 62.5, win_rate: 25, tie_rate: 25, hallucination_rate: 25 });
});
