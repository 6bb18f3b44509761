import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonObject, openFlow, type RunnableFlow } from '@unroll/engine';
import { connectionSource, nodeTypes } from '@unroll/nodes';
import { promptFlow } from '@unroll/promptflow';
import { afterAll, beforeAll, expect, test } from 'vitest';

const folder = join(import.meta.dirname, 'tool-agent');

let flow: RunnableFlow;

beforeAll(async () => {
  const connections = connectionSource({ folders: [folder], environment: {} });
  const opened = await openFlow(
    { file: join(folder, 'flow.dag.yaml'), folder },
    { nodeTypes: nodeTypes({ extensions: [promptFlow()] }), connections },
  );
  if (opened.flow === undefined) throw new Error(JSON.stringify(opened.loadError ?? opened.diagnostics));
  flow = opened.flow;
});
afterAll(async () => await flow[Symbol.asyncDispose]());

interface DataRow {
  readonly query: string;
  readonly expected: { readonly status: string; readonly tools: readonly string[]; readonly contains: string };
}

const rows = readFileSync(join(folder, 'data.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as DataRow);

test.for(rows)('$query: $expected.status', async ({ query, expected }) => {
  const { row, nodes } = await flow.runRow({ query });
  expect(row.outputs['status']).toBe(expected.status);
  expect(row.outputs['answer']).toContain(expected.contains);
  const result = nodes.find(({ node }) => node === 'assistant')?.output as JsonObject;
  const called = (result['function_results'] as readonly JsonObject[]).map(({ name }) => name);
  expect(called).toEqual(expected.tools);
});

test('what does not depend on each other is asked at once, and what does one after another', async () => {
  const { nodes } = await flow.runRow({ query: 'A-110を3本買うと合計はいくらですか' });
  const namesOf = (node: string): readonly unknown[] => {
    const output = nodes.find((run) => run.node === node)?.output as JsonObject;
    return ((output['tool_calls'] ?? []) as readonly JsonObject[]).map(
      (call) => (call['function'] as JsonObject)['name'],
    );
  };
  expect(namesOf('assistant_plan_1')).toEqual(['get_product']);
  expect(namesOf('assistant_plan_2')).toEqual(['multiply']);
  const statuses = Object.fromEntries(nodes.map(({ node, status }) => [node, status]));
  expect(statuses).toMatchObject({
    assistant_plan_3: 'Completed',
    assistant_plan_4: 'Bypassed',
    assistant: 'Completed',
  });
});
