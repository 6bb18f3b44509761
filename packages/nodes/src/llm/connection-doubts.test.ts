import type { Connection, JsonValue, NodeDefinition } from '@unroll/engine';
import { expect, test } from 'vitest';
import { connectionDoubts } from './connection-doubts.ts';

const key = { api_key: 'k' };
const base = { api_base: 'https://x.example' };

test.for<readonly [Omit<Connection, 'name'>, string, readonly string[], string?]>([
  [{ type: 'open_ai', configs: {}, secrets: key }, 'gpt-4o', []],
  [{ type: 'open_ai', configs: {}, secrets: {} }, 'gpt-4o', ['connection "mine" has no api_key']],
  [{ type: 'open_ai', configs: {}, secrets: { api_key: '' } }, 'gpt-4o', ['connection "mine" has no api_key']],
  [{ type: 'open_ai', configs: { base_url: 'http://127.0.0.1/v1' }, secrets: {} }, 'llama', []],
  [
    { type: 'azure_open_ai', configs: { ...base, auth_mode: 'key' }, secrets: {} },
    'd',
    ['connection "mine" has no api_key'],
  ],
  [{ type: 'azure_open_ai', configs: { ...base, auth_mode: 'meid_token' }, secrets: {} }, 'd', []],
  [{ type: 'azure_open_ai', configs: {}, secrets: key }, 'd', ['connection "mine" has no api_base']],
  [{ type: 'serverless', configs: { api_base: '' }, secrets: key }, 'd', ['connection "mine" has no api_base']],
  [
    { type: 'azure_open_ai', configs: { api_base: 'ours' }, secrets: key },
    'd',
    ['api_base of connection "mine" is no address'],
  ],
  [
    { type: 'open_ai', configs: { base_url: 'localhost:8000/v1' }, secrets: {} },
    'm',
    ['base_url of connection "mine" is no address'],
  ],
  [{ type: 'ai_sdk', configs: {}, secrets: {} }, 'd', ['connection "mine" has no package']],
  [{ type: 'amazon_bedrock', configs: {}, secrets: {} }, 'nova', []],
  [{ type: 'offline', configs: {}, secrets: {} }, 'offline', []],
  [{ type: 'scripted', configs: {}, secrets: {} }, 'offline', []],
  [
    { type: 'open_ai', configs: {}, secrets: key },
    'offline',
    ['model "offline" is that of the offline stand-in, and connection "mine" is of type open_ai'],
  ],
  [
    { type: 'amazon_bedrock', configs: {}, secrets: {} },
    'nova',
    ['connection "mine" is of type amazon_bedrock, which has no Responses API: the model is asked as in a chat'],
    'responses',
  ],
  [{ type: 'azure_open_ai', configs: base, secrets: key }, 'd', [], 'responses'],
  [{ type: 'custom', configs: {}, secrets: {} }, 'd', ['connection "mine" is of type custom, which is no model\'s']],
])('%o asked for the model %s: %o', ([connection, model, doubts, api = 'chat']) => {
  const mine: Connection = { name: 'mine', ...connection };
  const node: NodeDefinition = {
    name: 'ask',
    type: 'llm',
    connection: 'mine',
    api,
    inputs: { model: { kind: 'literal', value: model } },
    settings: {},
    aggregation: false,
    locate: () => undefined,
  };
  const source = { find: (name: string) => (name === 'mine' ? mine : undefined), names: () => ['mine'] };
  expect(connectionDoubts(node, source, new Set(['model'])).map(({ message }) => message)).toEqual(doubts);
});

test.for<readonly [type: string, given: string, help: string | undefined]>([
  ['open_ai', 'deployment_name', 'write "model" in the place of "deployment_name"'],
  ['open_ai', 'temperature', 'add "model" to the inputs of the node'],
  ['open_ai', 'model', undefined],
  ['serverless', 'temperature', undefined],
])('a connection of type %s and a node that gives %s: %s', ([type, given, help]) => {
  const mine: Connection = { name: 'mine', type, configs: base, secrets: key };
  const node: NodeDefinition = {
    name: 'ask',
    type: 'llm',
    connection: 'mine',
    api: 'chat',
    inputs: { [given]: { kind: 'literal', value: 'x' } },
    settings: {},
    aggregation: false,
    locate: () => undefined,
  };
  const source = { find: () => mine, names: () => ['mine'] };
  expect(connectionDoubts(node, source, new Set(['model'])).map((one) => one.help)).toEqual(
    help === undefined ? [] : [help],
  );
});

test.for<readonly [api: string, input: string, told: readonly string[]]>([
  ['chat', 'tools', ['connection "mine" (llama_cpp) takes no tools']],
  ['chat', 'functions', ['connection "mine" (llama_cpp) takes no functions']],
  ['chat', 'temperature', []],
  ['completion', 'temperature', ['connection "mine" (llama_cpp) answers chats, and no completions']],
])('llama_cpp, asked by api: %s with %s: what it refuses is certain before it runs', ([api, input, told]) => {
  const mine: Connection = { name: 'mine', type: 'llama_cpp', configs: { model: import.meta.filename }, secrets: {} };
  const node: NodeDefinition = {
    name: 'ask',
    type: 'llm',
    connection: 'mine',
    api,
    inputs: { [input]: { kind: 'literal', value: [{}] } },
    settings: {},
    aggregation: false,
    locate: () => undefined,
  };
  const source = { find: (name: string) => (name === 'mine' ? mine : undefined), names: () => ['mine'] };
  const doubts = connectionDoubts(node, source, new Set(['tools', 'functions', 'temperature']));
  expect(doubts.map(({ message }) => message)).toEqual(told);
  expect(doubts.every(({ isCertain }) => isCertain)).toBe(true);
  expect(connectionDoubts(node, source, new Set())).toEqual(api === 'chat' ? [] : doubts);
});

test('a connection that stands by and is no model keeps the flow from being made ready', () => {
  const mine: Connection = { name: 'mine', type: 'offline', configs: {}, secrets: {} };
  const search: Connection = { name: 'search', type: 'custom', configs: {}, secrets: {} };
  const node: NodeDefinition = {
    name: 'ask',
    type: 'llm',
    connection: 'mine',
    api: 'chat',
    inputs: {},
    settings: { retry: { fallback: ['search'] } },
    aggregation: false,
    locate: () => undefined,
  };
  const source = { find: (name: string) => [mine, search].find((one) => one.name === name), names: () => [] };
  expect(connectionDoubts(node, source, new Set())).toEqual([
    {
      isCertain: true,
      message: 'connection "search" is of type custom, which is no model\'s',
      help: 'name a connection to a model, for instance of type open_ai',
      path: ['retry', 'fallback', 0],
    },
  ]);
});

test('a connection that stands by and has no address keeps the flow from being made ready; one without a key does not', () => {
  const found: Connection = { name: 'x', type: 'azure_open_ai', configs: base, secrets: key };
  const kept: Record<string, Connection> = {
    mine: found,
    nowhere: { ...found, name: 'nowhere', configs: {} },
    keyless: { ...found, name: 'keyless', secrets: {} },
  };
  const node: NodeDefinition = {
    name: 'ask',
    type: 'llm',
    connection: 'mine',
    api: 'chat',
    inputs: { model: { kind: 'literal', value: 'd' } },
    settings: { retry: { fallback: ['nowhere', 'keyless'] } },
    aggregation: false,
    locate: () => undefined,
  };
  const source = { find: (name: string) => kept[name], names: () => [] };
  expect(connectionDoubts(node, source, new Set(['model']))).toMatchObject([
    { message: 'connection "nowhere" has no api_base', isCertain: true, path: ['retry', 'fallback', 0] },
    { message: 'connection "keyless" has no api_key', path: ['retry', 'fallback', 1] },
  ]);
});

const twice = (name: string): string => `connection "${name}" is asked before, for the same model`;

test.for<readonly [readonly JsonValue[], readonly string[]]>([
  [['b'], []],
  [['a'], [twice('a')]],
  [['b', 'b'], [twice('b')]],
  [['b', 'a'], [twice('a')]],
  [[{ connection: 'a', model: 'own' }], [twice('a')]],
  [[{ connection: 'a', model: 'other' }, 'b', { connection: 'b', deployment_name: 'other' }], []],
  [
    [
      { connection: 'a', model: 'other' },
      { connection: 'a', deployment_name: 'other' },
    ],
    [twice('a')],
  ],
])('fallbacks %j of a node that asks a', ([fallback, messages]) => {
  const node: NodeDefinition = {
    name: 'n',
    type: 'llm',
    connection: 'a',
    inputs: { model: { kind: 'literal', value: 'own' } },
    settings: { retry: { fallback } },
    aggregation: false,
    locate: () => undefined,
  };
  const found: Connection = { name: 'x', type: 'open_ai', configs: { base_url: 'http://x.example' }, secrets: key };
  const source = { find: (name: string) => ({ ...found, name }), names: () => [] };
  expect(connectionDoubts(node, source, new Set(['model'])).map(({ message }) => message)).toEqual(messages);
});
