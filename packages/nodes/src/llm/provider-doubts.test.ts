import type { Connection, JsonObject } from '@unroll/engine';
import { expect, test } from 'vitest';
import { json, startRawServer } from '../testing/raw-server.ts';
import { writtenDoubts } from '../testing/written-doubts.ts';
import { openModelService } from './open-model-service.ts';

const parameters = new Set(['n', 'seed', 'user', 'top_k', 'response_format', 'presence_penalty', 'frequency_penalty']);

function doubtsOf(connection: Connection, written: JsonObject) {
  return writtenDoubts(connection, written, parameters);
}

const claude: Connection = { name: 'claude', type: 'anthropic', configs: {}, secrets: { api_key: 'k' } };

test('what a model cannot be asked for is certain, what is left out is a doubt, and nothing else is told', () => {
  expect(doubtsOf(claude, { n: 3, user: 'u', temperature: 0.5, verbosity: 'a variable' })).toEqual([
    {
      isCertain: true,
      message: 'connection "claude" (anthropic) has no place for n',
      help: 'one answer a call is given; let the node run several times, or use a connection of type open_ai',
      path: ['inputs', 'n'],
    },
    {
      message: 'connection "claude" (anthropic) has no place for user',
      help: 'provider_options may hold it, for Anthropic {anthropic: {metadata: {userId: …}}}',
      path: ['inputs', 'user'],
    },
  ]);
  expect(doubtsOf(claude, { n: '1' })).toEqual([]);
  expect(doubtsOf({ ...claude, type: 'open_ai' }, { n: 3, user: 'u' })).toEqual([]);
});

test.for<[type: string, written: JsonObject, certain: boolean]>([
  ['amazon_bedrock', { response_format: { type: 'json_object' } }, true],
  ['amazon_bedrock', { seed: 1 }, false],
  ['llama_cpp', { response_format: { type: 'json_object' } }, true],
  ['llama_cpp', { presence_penalty: 1 }, false],
])('so is what other services have no place for: %s, %j', ([type, written, isCertain]) => {
  const connection = { name: 'mine', type, configs: {}, secrets: {} };
  const [name = ''] = Object.keys(written);
  expect(doubtsOf(connection, written)).toMatchObject([
    { message: `connection "mine" (${type}) has no place for ${name}`, ...(isCertain ? { isCertain } : {}) },
  ]);
});

const answers: Readonly<Record<string, object>> = {
  anthropic: {
    id: 'm',
    type: 'message',
    model: 'm',
    content: [{ type: 'text', text: 'Hi' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 1, output_tokens: 1 },
  },
  mistral: {
    id: 'm',
    object: 'chat.completion',
    model: 'm',
    created: 0,
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  },
};

test.for<readonly [string, JsonObject]>([
  ['anthropic', { seed: 1 }],
  ['anthropic', { presence_penalty: 0.5 }],
  ['anthropic', { frequency_penalty: 0.5 }],
  ['anthropic', { response_format: { type: 'json_object' } }],
  ['mistral', { top_k: 5 }],
])('%s itself says that it leaves %j out', async ([type, written]) => {
  await using server = await startRawServer();
  server.answerWith(() => json(answers[type]));
  const connection = { name: 'mine', type, configs: { base_url: server.url }, secrets: { api_key: 'k' } };
  const service = await openModelService(connection);
  const request = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 50, ...written };
  const result = await service?.call('chat', request, { signal: new AbortController().signal });
  const [name] = Object.keys(written);
  const told = `the provider does not take ${name}`;
  expect(result).toMatchObject({ ok: true, reply: { warnings: [expect.stringContaining(told)] } });
  expect(doubtsOf(connection, written)).toMatchObject([{ path: ['inputs', name] }]);
});
