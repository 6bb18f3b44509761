import type { JsonObject } from '@unroll/engine';
import type { ServerReply } from '@unroll/nodes/testing';
import { expect, test } from 'vitest';
import { runAgentFlow } from './open-agent.ts';

const called = (id: string) => ({ id, type: 'function', function: { name: 'search', arguments: '{"q":"x"}' } });
const script: readonly ServerReply[] = [
  { message: { content: 'First.', tool_calls: [called('c1'), called('c2')] }, reasoning: 'one' },
  { message: { tool_calls: [called('c3')] }, reasoning: 'two' },
  { message: { content: 'the end' }, reasoning: 'three' },
];

async function run(agent: JsonObject) {
  const flow = {
    connections: [{ name: 'offline', type: 'offline', configs: {}, secrets: {} }],
    agent,
    template: 'system:\nYou help.\n\nuser:\n{{ input }}\n',
    tools: [
      {
        name: 'search',
        description: 'd',
        code: 'tools.ts',
        parameters: { type: 'object', properties: { q: { type: 'string' } } },
      },
    ],
    code: 'export const search = ({ q }) => `found ${q}`;',
    // Models that think take no temperature.
    agentInputs: { model: 'gpt-5', temperature: null },
  };
  return await runAgentFlow(flow, script, { input: 'hi' });
}

const itemsOf = (request: JsonObject | undefined) => (request?.['input'] ?? []) as readonly JsonObject[];
const output = (id: string) => ({ type: 'function_call_output', call_id: id, output: 'found x' });
const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'search', arguments: '{"q":"x"}' });
const thought = (encrypted: string) => ({ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: encrypted });

test('an agent goes from chat to responses by its `api` alone, and gives back what the model thought', async () => {
  const chat = await run({});
  const responses = await run({ api: 'responses' });
  expect(responses.row).toMatchObject({
    status: 'Completed',
    outputs: { result: { status: 'answered', answer: 'the end' } },
  });
  expect(responses.row.outputs).toEqual(chat.row.outputs);
  expect(responses.requests.map((one) => itemsOf(one).length)).toEqual([2, 8, 11]);
  expect(itemsOf(responses.requests[2]).slice(2)).toEqual([
    thought('one'),
    { role: 'assistant', content: 'First.' },
    call('c1'),
    call('c2'),
    output('c1'),
    output('c2'),
    thought('two'),
    call('c3'),
    output('c3'),
  ]);
});

test('the older functions become calls with ids, in the same order', async () => {
  const { row, requests } = await run({ api: 'responses', format: 'functions' });
  expect(row.outputs['result']).toMatchObject({ status: 'answered', answer: 'the end' });
  expect(itemsOf(requests[2]).slice(2)).toEqual([
    thought('one'),
    { role: 'assistant', content: 'First.' },
    call('call_1'),
    output('call_1'),
    thought('two'),
    call('call_2'),
    output('call_2'),
  ]);
});

test('a model that stands in takes an agent that wants the Responses API', async () => {
  const { row } = await run({ api: 'responses', connection: 'offline' });
  expect(row).toMatchObject({ status: 'Completed' });
});
