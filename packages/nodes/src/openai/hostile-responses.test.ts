import type { JsonObject, ModelResult } from '@unroll/engine';
import { events, json, startRawServer } from '@unroll/nodes/testing';
import { afterAll, expect, test } from 'vitest';
import { openAiService } from './openai-service.ts';

const raw = await startRawServer();
afterAll(() => raw[Symbol.asyncDispose]());
const { signal } = new AbortController();

const said = (content: string, more: JsonObject = {}): JsonObject => {
  return { type: 'message', content: [{ type: 'output_text', text: content }], ...more };
};
const partial = 'the answer was cut off (finish_reason: incomplete)';

type Answer = Parameters<typeof raw.answerWith>[0];

async function ask(answer: Answer, pieces?: string[]): Promise<ModelResult> {
  raw.answerWith(answer);
  const configs = { base_url: `${raw.url}/v1` };
  const service = await openAiService({ name: 'c', type: 'open_ai', configs, secrets: { api_key: 'sk-any-key' } });
  const onText = pieces === undefined ? {} : { onText: (text: string) => void pieces.push(text) };
  const messages = [{ role: 'user', content: 'Is it?' }];
  return await service.call('responses', { model: 'm', messages }, { signal, ...onText });
}

/** Its text and what is doubtful about it, but for tokens that are not told. */
async function answerOf(answer: Answer, pieces?: string[]) {
  const result = await ask(answer, pieces);
  if (!result.ok) throw new Error(result.error.message);
  const { body, warnings = [] } = result.reply;
  return [(body as JsonObject)['content'], warnings.filter((one) => !one.includes('tokens'))];
}

async function failureOf(answer: Answer, pieces?: string[]): Promise<string> {
  const result = await ask(answer, pieces);
  if (result.ok) throw new Error(`was answered: ${JSON.stringify(result.reply)}`);
  return result.error.message;
}

test.for([
  [
    'a reason of its own',
    { status: 'incomplete', incomplete_details: { reason: 'max_tool_calls' }, output: [said('Ye')] },
  ],
  ['no reason', { status: 'incomplete', output: [said('Ye')] }],
  [
    'a reason that is called like a property of all objects',
    { status: 'incomplete', incomplete_details: { reason: 'constructor' }, output: [said('Ye')] },
  ],
  [
    'a call that is',
    {
      status: 'completed',
      output: [
        said('Ye'),
        { type: 'function_call', call_id: 'a', name: 'f', arguments: '{"a":', status: 'incomplete' },
      ],
    },
  ],
  ['a message that is', { status: 'completed', output: [said('Ye', { status: 'incomplete' })] }],
] as const)('a response that is incomplete for %s is told as cut off', async ([, body]) => {
  expect(await answerOf(() => json(body))).toEqual(['Ye', [partial]]);
});

test('what a model tells on its way to the answer is no part of it', async () => {
  const output = [said('Let me see.', { phase: 'commentary' }), said('42', { phase: 'final_answer' })];
  expect(await answerOf(() => json({ status: 'completed', output }))).toEqual(['42', []]);
  const only = output.slice(0, 1);
  expect(await answerOf(() => json({ status: 'completed', output: only }))).toEqual(['Let me see.', []]);
  const deltas = ['Let me see.', '42'].map((text) => ({ type: 'response.output_text.delta', delta: text }));
  const stream = [...deltas, { type: 'response.completed', response: { status: 'completed', output } }];
  expect(await answerOf(() => events(stream), [])).toEqual(['42', []]);
});

const deltas = (...texts: readonly string[]) =>
  texts.map((text) => ({ type: 'response.output_text.delta', delta: text }));
const otherText = 'the text that was streamed is not that of the response at its end';

test.for([
  ['the same text', deltas('fi', 'ne'), 'fine', []],
  ['no text', [], 'fine', []],
  ['the begin of the text', deltas('fi'), 'fine', []],
  ['a piece twice', deltas('fi', 'fi', 'ne'), 'fifine', [otherText]],
  ['pieces in another order', deltas('ne', 'fi'), 'nefi', [otherText]],
] as const)('a stream of %s', async ([, before, handedOn, warnings]) => {
  const ending = { type: 'response.completed', response: { status: 'completed', output: [said('fine')] } };
  const pieces: string[] = [];
  expect(await answerOf(() => events([...before, ending]), pieces)).toEqual(['fine', warnings]);
  expect(pieces.join('')).toBe(handedOn);
});

test('a stream that ends in failure is none, whatever the response in it says', async () => {
  const response = { status: 'completed', output: [said('fine')] };
  const failed = { type: 'response.failed', response };
  expect(await failureOf(() => events([failed]), [])).toContain('the service answered with a response that is failed');
  const cut = { type: 'response.incomplete', response };
  expect(await answerOf(() => events([cut]), [])).toEqual(['fine', [partial]]);
});

test.for([
  ['a status that is none', { status: {}, output: [said('x')] }, 'a response that is {}'],
  [
    'an error beside an answer',
    { status: 'completed', output: [said('x')], error: { code: 'server_error', message: 'No luck.' } },
    'No luck.',
  ],
] as const)('%s is no answer', async ([, body, words]) => {
  expect(await failureOf(() => json(body))).toContain(words);
});

test.for([
  ['beside its type', { message: 'mid failure', code: 'server_error' }, '(server_error): mid failure', true],
  ['that lasts', { message: 'not that', code: 'invalid_prompt', param: null }, '(invalid_prompt): not that', false],
  ['within it', { error: { message: 'slow', code: 'rate_limit_exceeded' } }, '(rate_limit_exceeded): slow', true],
  ['without a word', {}, 'an error', true],
] as const)('an event of an error %s, in the middle of a stream', async ([, told, words, retryable]) => {
  const result = await ask(() => events([...deltas('fi'), { type: 'error', sequence_number: 2, ...told }]), []);
  expect(result).toMatchObject({ ok: false, error: { message: expect.stringContaining(words), retryable } });
});

test('an event that is called like a property of all objects does not end a stream', async () => {
  const ending = { type: 'response.completed', response: { status: 'completed', output: [said('fine')] } };
  expect(await answerOf(() => events([{ type: 'constructor' }, { type: '__proto__' }, ending]), [])).toEqual([
    'fine',
    [],
  ]);
});

test('what a model asks for that is not read is told, beside its answer and in its place', async () => {
  const asked = { type: 'custom_tool_call', call_id: 'a', name: 'g', input: 'raw' };
  const told = 'the model asks for a custom_tool_call, which is not read here: only calls of functions are';
  expect(await answerOf(() => json({ status: 'completed', output: [said('Yes'), asked, asked] }))).toEqual([
    'Yes',
    [told],
  ]);
  expect(await answerOf(() => json({ status: 'completed', output: [asked] }))).toEqual([
    null,
    ['the model answered without text (finish_reason: stop)', told],
  ]);
  const searched = { type: 'web_search_call', id: 'w', status: 'completed' };
  expect(await answerOf(() => json({ status: 'completed', output: [searched, said('Yes')] }))).toEqual(['Yes', []]);
});
