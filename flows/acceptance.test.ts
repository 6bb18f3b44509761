import type { JsonObject, JsonValue, NodeRun } from '@unroll/engine';
import { describe, expect, test } from 'vitest';
import { type AgentRun, callId, callReply, runAgent, textReply, variants } from '../tests/privacy-agent/run-agent.ts';

const faq = callReply('faq_search', '{"query": "委託先 個人データ 提供 同意"}');
const guideline = callReply('guideline_search', '{"query": "委託先の監督"}');
const answer = textReply('委託に伴う提供に同意は要りません。[faq]');

const statuses = ({ nodes }: AgentRun): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(nodes).map(([name, { status }]) => [name, status]));

const outputOf = (run: AgentRun, node: string): JsonObject => run.nodes[node]?.output as JsonObject;

const messagesOf = (request: JsonObject | undefined): readonly JsonObject[] =>
  request?.['messages'] as readonly JsonObject[];

const errorClass = (run: NodeRun | undefined): string | undefined => run?.error?.cause?.code ?? run?.error?.code;

describe.for(variants)('%s', (variant) => {
  test('answer in the FAQ: one search, the last agent bypassed, the guideline never asked', async () => {
    const run = await runAgent(variant, { replies: [faq, answer] });
    expect(run.row.outputs).toEqual({ answer: answer['content'], status: 'answered' });
    expect(statuses(run)).toEqual({
      format_input: 'Completed',
      agent_1: 'Completed',
      function_1: 'Completed',
      agent_2: 'Completed',
      function_2: 'Completed',
      agent_3: 'Bypassed',
      function_3: 'Completed',
      search: 'Completed',
    });
    expect(run.nodes['agent_3']?.output).toBeNull();
    expect(outputOf(run, 'function_1')).toEqual({
      finished: false,
      query: '委託先への提供に同意は要りますか',
      function_results: [
        {
          id: callId,
          name: 'faq_search',
          arguments: { query: '委託先 個人データ 提供 同意' },
          content: [expect.stringMatching(/^\[[\w-]+\] /u)],
        },
      ],
    });
    expect(outputOf(run, 'function_3')).toEqual({ finished: true, content: answer['content'] });
  });

  test('what the model is sent: prompt, results as messages, tools, temperature', async () => {
    const run = await runAgent(variant, { replies: [faq, answer] });
    expect(run.requests).toHaveLength(2);
    const [first, second] = run.requests;
    expect(messagesOf(first).map(({ role }) => role)).toEqual(['system', 'user']);
    expect(messagesOf(second).map(({ role }) => role)).toEqual(['system', 'assistant', 'tool', 'user']);
    const [call] = (messagesOf(second)[1]?.['tool_calls'] ?? []) as readonly { readonly function: JsonObject }[];
    expect(call).toMatchObject({ id: callId, type: 'function', function: { name: 'faq_search' } });
    expect(JSON.parse(String(call?.function['arguments']))).toEqual({ query: '委託先 個人データ 提供 同意' });
    expect(messagesOf(second)[2]).toEqual({
      role: 'tool',
      tool_call_id: callId,
      content: (outputOf(run, 'function_1')['function_results'] as readonly { content: readonly [string] }[])[0]
        ?.content[0],
    });
    expect(messagesOf(second).at(-1)).toEqual({ role: 'user', content: '委託先への提供に同意は要りますか' });
    expect(first).toMatchObject({ temperature: 0, tool_choice: 'auto' });
    const offered = first?.['tools'] as readonly { readonly function: JsonObject }[];
    expect(offered.map(({ function: { name } }) => name)).toEqual(['faq_search', 'guideline_search']);
    expect(JSON.stringify(run.nodes)).not.toContain('sk-never-recorded');
  });

  test('only in the guideline: the whole bound is used', async () => {
    const run = await runAgent(variant, { replies: [faq, guideline, answer] });
    expect(run.row.outputs).toEqual({ answer: answer['content'], status: 'answered' });
    expect(statuses(run)).not.toHaveProperty('agent_3', 'Bypassed');
    const results = outputOf(run, 'function_2')['function_results'] as readonly JsonObject[];
    expect(results.map(({ name }) => name)).toEqual(['faq_search', 'guideline_search']);
  });

  test('nothing found: both searches say so, and so does the answer', async () => {
    const miss = '{"query": "xyzzy"}';
    const replies = [callReply('faq_search', miss), callReply('guideline_search', miss), textReply('見つかりません。')];
    const run = await runAgent(variant, { replies });
    expect(run.row.outputs).toEqual({ answer: '見つかりません。', status: 'answered' });
    const results = outputOf(run, 'function_2')['function_results'] as readonly JsonObject[];
    const none = ['該当する項目はありません。 (No entry matches.)'];
    expect(results.map(({ content }) => content)).toEqual([none, none]);
  });

  test('no search needed: two agents bypassed, one call made', async () => {
    const run = await runAgent(variant, { replies: [textReply('こんにちは。')], query: 'こんにちは' });
    expect(run.row.outputs).toEqual({ answer: 'こんにちは。', status: 'answered' });
    expect(statuses(run)).toMatchObject({ agent_1: 'Completed', agent_2: 'Bypassed', agent_3: 'Bypassed' });
    expect(run.requests).toHaveLength(1);
  });

  test('an answer without content stays null, and is told not to be one', async () => {
    const run = await runAgent(variant, { replies: [textReply(null)] });
    expect(run.row.outputs).toEqual({ answer: null, status: 'unfinished' });
    expect(outputOf(run, 'function_1')).toEqual({ finished: true, content: null });
  });

  test('text beside a call stays in the record of the agent and does not enter the state', async () => {
    const run = await runAgent(variant, { replies: [{ ...faq, content: '検索します' }, answer] });
    expect(outputOf(run, 'agent_1')).toMatchObject({ content: '検索します' });
    expect(JSON.stringify(outputOf(run, 'function_1'))).not.toContain('検索します');
  });

  test('bound reached: unfinished with what was found, and no answer', async () => {
    const run = await runAgent(variant, { replies: [faq, guideline, guideline] });
    expect(run.row).toMatchObject({
      status: 'Completed',
      outputs: { answer: null, status: 'unfinished' },
      unfinished: ['search'],
    });
    const results = outputOf(run, 'search')['function_results'] as readonly JsonObject[];
    expect(results.map(({ name }) => name)).toEqual(['faq_search', 'guideline_search', 'guideline_search']);
    expect(run.requests).toHaveLength(3);
  });

  test('a larger bound: the pairs left over hand the answer on unchanged', async () => {
    const run = await runAgent(variant, { replies: [faq, answer], times: 5 });
    expect(run.row.outputs).toEqual({ answer: answer['content'], status: 'answered' });
    for (const agent of ['agent_3', 'agent_4', 'agent_5']) expect(run.nodes[agent]?.status).toBe('Bypassed');
    const last = { finished: true, content: answer['content'] };
    for (const node of ['function_2', 'function_3', 'function_4', 'function_5'])
      expect(outputOf(run, node)).toEqual(last);
    expect(run.requests).toHaveLength(2);
  });

  describe.for([
    { what: 'a function that does not exist', call: callReply('web_search', '{"query": "x"}'), error: 'KeyError' },
    { what: 'arguments that are no JSON', call: callReply('faq_search', '{"query": "x'), error: 'JSONDecodeError' },
    { what: 'a function that raises', call: callReply('faq_search', '{"query": 7}'), error: 'TypeError' },
    { what: 'an argument too many', call: callReply('faq_search', '{"query": "x", "top": 3}'), error: 'TypeError' },
    { what: 'an argument too few', call: callReply('faq_search', '{}'), error: 'TypeError' },
  ])('$what', ({ call, error }) => {
    test('fails the row; what came before stays recorded', async () => {
      const run = await runAgent(variant, { replies: [call] });
      expect(run.row).toMatchObject({ status: 'Failed', outputs: {}, error: { node: 'function_1' } });
      expect(errorClass(run.nodes['function_1'])).toBe(error);
      expect(statuses(run)).toMatchObject({
        agent_1: 'Completed',
        function_1: 'Failed',
        agent_2: 'NotRun',
        search: 'NotRun',
      });
    });

    test('fed back: the model reads it, and one unit of the bound is spent', async () => {
      const run = await runAgent(variant, { replies: [call, faq, answer], onError: 'feed_back' });
      expect(run.row.outputs).toEqual({ answer: answer['content'], status: 'answered' });
      const results = outputOf(run, 'function_1')['function_results'] as readonly JsonObject[];
      const [
        {
          function: { name = null },
        } = { function: {} },
      ] = call['tool_calls'] as readonly {
        readonly function: JsonObject;
      }[];
      const content = [expect.stringContaining(error)];
      expect(results).toEqual([{ id: callId, name, arguments: expect.anything(), content, error: true }]);
      const told = messagesOf(run.requests[1]).find(({ role }) => role === 'tool');
      const [{ content: [text] = [] } = {}] = results as readonly { readonly content?: readonly JsonValue[] }[];
      expect(told).toEqual({ role: 'tool', tool_call_id: callId, content: text });
    });

    test('fed back until the bound is reached: unfinished', async () => {
      const run = await runAgent(variant, { replies: [call, call, call], onError: 'feed_back' });
      expect(run.row.outputs).toEqual({ answer: null, status: 'unfinished' });
    });
  });
});
