import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonObject, type NodeRun, openFlow, type RunnableFlow } from '@unroll/engine';
import { connectionSource, nodeTypes } from '@unroll/nodes';
import { promptFlow } from '@unroll/promptflow';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { episodeFolder, runEpisode } from '../tests/toolgen-agent/run-episode.ts';

interface DatasetRow {
  readonly query: string;
  /** Tokens of the actions that the query needs. */
  readonly relevant: readonly string[];
  /** What the answer must hold. */
  readonly facts: readonly string[];
  readonly expected_status: string;
}

const rows = readFileSync(join(episodeFolder, 'data.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as DatasetRow);

let flow: RunnableFlow;
beforeAll(async () => {
  const connections = connectionSource({ folders: [], environment: {} });
  const file = join(episodeFolder, 'flow.dag.yaml');
  const opened = await openFlow(
    { file, folder: episodeFolder },
    { nodeTypes: nodeTypes({ extensions: [promptFlow()] }), connections },
  );
  if (opened.flow === undefined) throw new Error(JSON.stringify(opened.diagnostics.map(({ message }) => message)));
  flow = opened.flow;
});
afterAll(() => flow?.[Symbol.asyncDispose]());

test.for(rows)('$query', async ({ query, relevant, facts, expected_status: status }) => {
  const { row } = await flow.runRow({ query });
  const actions = (row.outputs['actions'] as unknown as readonly { readonly action: string }[]).map(
    ({ action }) => action,
  );
  const answer = String(row.outputs['answer']);
  expect({
    status: row.outputs['status'],
    missing: relevant.filter((token) => !actions.includes(token)),
    untold: facts.filter((fact) => !answer.includes(fact)),
    last: actions.at(-1),
    hallucinated: row.outputs['hallucinated_actions'],
  }).toEqual({ status, missing: [], untold: [], last: '<<Finish>>', hallucinated: 0 });
});

function messagesOf(request: JsonObject | undefined): readonly JsonObject[] {
  return (request?.['messages'] ?? []) as readonly JsonObject[];
}

const finish = '{"return_type": "give_answer", "final_answer": "done"}';
const forecast = '<<Weather&&Weather forecast for tomorrow>>';

function statusesOf(nodes: readonly NodeRun[], iteration: number): Readonly<Record<string, string>> {
  const own = nodes.filter(({ node }) => node.endsWith(`_${iteration}`));
  return Object.fromEntries(own.map(({ node, status }) => [node.replace(/_\d+$/, ''), status]));
}

test('what each round is sent: the tokens as the only choice, the documentation by the user, arguments by its schema', async () => {
  const turns = [
    'I need a forecast.',
    `{"action": "${forecast}"}`,
    '{"city": "Hamburg"}',
    'Done.',
    '<<Finish>>',
    finish,
  ];
  const { requests, row, nodes, simulated } = await runEpisode({
    turns,
    inputs: { query: 'Weather tomorrow in Hamburg?' },
  });
  expect(row.outputs).toMatchObject({ status: 'answered', answer: 'done', nodes: 6 });
  const [thought, action, written, next] = requests;
  expect(thought).not.toHaveProperty('response_format');
  const format = action?.['response_format'] as unknown as {
    json_schema: { strict: boolean; schema: { properties: { action: { enum: readonly string[] } } } };
  };
  expect(format.json_schema.strict).toBe(true);
  expect(format.json_schema.schema.properties.action.enum).toContain(forecast);
  expect(format.json_schema.schema.properties.action.enum.at(-1)).toBe('<<Finish>>');
  const messages = messagesOf(written);
  expect(messages.slice(-3).map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  expect(String(messages.at(-1)?.['content'])).toContain('Here is the documentation: {"name":');
  expect(written).toMatchObject({ response_format: { json_schema: { schema: { required: ['city'] } } } });
  expect(String(messagesOf(next).at(-1)?.['content'])).toContain('rain until noon');
  expect(simulated).toBe(0);
  expect(statusesOf(nodes, 1)).toMatchObject({ arguments: 'Completed', simulate: 'Bypassed', step: 'Completed' });
  expect(statusesOf(nodes, 3)).toMatchObject({ thought: 'Bypassed', arguments: 'Bypassed', simulate: 'Bypassed' });
});

test('an API whose answer was not recorded is simulated', async () => {
  const turns = ['x', forecast, '{"city": "Nowhere"}', 'y', '<<Finish>>', finish];
  const { simulated, row } = await runEpisode({ turns, inputs: { query: 'Weather tomorrow?' } });
  expect(simulated).toBe(1);
  const [first] = row.outputs['actions'] as unknown as readonly { readonly content: readonly [string] }[];
  expect(first?.content[0]).toBe('{"error": "", "response": "37 items"}');
});

test('with retries on, five attempts rise in temperature, the counters are kept, the last attempt counts', async () => {
  const give = '{"return_type": "give_up_and_restart"}';
  const sorry = '{"return_type": "give_answer", "final_answer": "I apologize."}';
  const turns = [give, sorry, give, give, give].flatMap((last) => ['x', '<<Finish>>', last]);
  const { requests, row } = await runEpisode({ turns, inputs: { query: 'Weather tomorrow?', retry: true } });
  const thoughts = requests.filter((_, at) => at % 3 === 0);
  expect(thoughts.map(({ temperature }) => temperature)).toEqual([0, 0.6, 1, 1, 1]);
  expect(row.outputs).toMatchObject({
    status: 'gave_up',
    answer: null,
    nodes: 3,
    retry_counts: { give_up: 4, sorry: 1 },
  });
});

test('without the constraint an action that does not exist is told so, costs a step, and is counted', async () => {
  const turns = ['x', '<<Weather&&weather NOW>>', 'y', '<<Finish>>', finish];
  const inputs = { query: 'Weather now?', constrained: false };
  const { requests, row, nodes } = await runEpisode({ turns, inputs });
  expect(requests[1]).not.toHaveProperty('response_format');
  expect(row.outputs).toMatchObject({ status: 'answered', hallucinated_actions: 1, nodes: 6 });
  expect(statusesOf(nodes, 1)).toMatchObject({ arguments: 'Bypassed', simulate: 'Bypassed', step: 'Completed' });
  const told = messagesOf(requests[2]).map(({ content }) => content);
  expect(told).toContain('Action does not exist. Please try again.');
});

test('an input of Finish that says nothing spends a step and the episode goes on', async () => {
  const turns = ['x', '<<Finish>>', '{}', 'y', '<<Finish>>', finish];
  const { row } = await runEpisode({ turns, inputs: { query: 'Weather now?' } });
  expect(row.outputs).toMatchObject({ status: 'answered', nodes: 6 });
});
