import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { connectionSource } from './connection-source.ts';

const root = mkdtempSync(join(tmpdir(), 'unroll-connections-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function folderWith(name: string, text: string, file = 'connections.yaml'): string {
  const folder = join(root, name);
  mkdirSync(join(folder, '.flow'), { recursive: true });
  writeFileSync(join(folder, file), text);
  return folder;
}

test('a file names connections; secrets stand apart, and come from the environment', () => {
  const folder = folderWith(
    'named',
    'mine:\n  type: azure_open_ai\n  api_base: https://x.example\n  api_key: ${env:MY_KEY}\n',
  );
  const source = connectionSource({ folders: [folder], environment: { MY_KEY: 'k1' } });
  expect(source.names()).toEqual(['offline', 'mine']);
  expect(source.find('mine')).toEqual({
    name: 'mine',
    type: 'azure_open_ai',
    configs: { api_base: 'https://x.example', api_type: 'azure', api_version: '2024-02-01', auth_mode: 'key' },
    secrets: { api_key: 'k1' },
  });
});

test('a missing variable is named', () => {
  const folder = folderWith('missing', 'mine:\n  type: open_ai\n  api_key: ${env:NO_SUCH}\n');
  const source = connectionSource({ folders: [folder], environment: {} });
  expect(() => source.find('mine')).toThrow('connection "mine": Environment variable NO_SUCH is not found.');
});

test("Prompt flow's file of one connection is read, by class name too", () => {
  const folder = folderWith(
    'single',
    'name: my open ai\ntype: OpenAIConnection\napi_key: k2\n',
    '.flow/connections.yaml',
  );
  const source = connectionSource({ folders: [folder], environment: {} });
  expect(source.find('my open ai')).toEqual({
    name: 'my open ai',
    type: 'open_ai',
    configs: {},
    secrets: { api_key: 'k2' },
  });
});

test('the nearest folder wins, and the environment over what is written', () => {
  const near = folderWith('near', 'c:\n  type: open_ai\n  api_key: near\n');
  const far = folderWith('far', 'c:\n  type: open_ai\n  api_key: far\nd:\n  type: custom\n  secrets:\n    token: t\n');
  const read = (environment: Record<string, string>) => connectionSource({ folders: [near, far], environment });
  expect(read({}).find('c')?.secrets).toEqual({ api_key: 'near' });
  expect(read({ C_API_KEY: 'over' }).find('c')?.secrets).toEqual({ api_key: 'over' });
  expect(read({ C_BASE_URL: 'http://here' }).find('c')?.configs).toEqual({ base_url: 'http://here' });
  expect(read({}).find('d')).toEqual({ name: 'd', type: 'custom', configs: {}, secrets: { token: 't' } });
});

test('the environment alone makes connections', () => {
  const environment = { OPENAI_API_KEY: 'a', AZURE_OPENAI_ENDPOINT: 'https://y.example', OPENAI_API_VERSION: 'v' };
  const source = connectionSource({ folders: [], environment });
  expect(source.names()).toEqual(['offline', 'open_ai_connection', 'azure_open_ai_connection']);
  expect(source.find('open_ai_connection')?.secrets).toEqual({ api_key: 'a' });
  expect(source.find('azure_open_ai_connection')?.configs).toMatchObject({ api_version: 'v', auth_mode: 'meid_token' });
});

test('settings of a provider are kept by their paths, keys and headers among the secrets', () => {
  const folder = folderWith(
    'settings',
    `any:
  type: ai_sdk
  package: "@ai-sdk/openai-compatible"
  settings:
    name: mine
    baseURL: https://models.example/v1
    apiKey: \${env:MY_KEY}
    includeUsage: true
    project: "12"
    headers: { x-team: search }
short: { type: anthropic }
own: { type: anthropic, settings: { authToken: t-1 } }
`,
  );
  const source = connectionSource({ folders: [folder], environment: { MY_KEY: 'k1', ANTHROPIC_API_KEY: 'k2' } });
  expect(source.find('any')).toEqual({
    name: 'any',
    type: 'ai_sdk',
    configs: {
      package: '@ai-sdk/openai-compatible',
      'settings.name': 'mine',
      'settings.baseURL': 'https://models.example/v1',
      'settings.includeUsage': 'true',
      'settings.project': '"12"',
    },
    secrets: { 'settings.apiKey': 'k1', 'settings.headers.x-team': 'search' },
  });
  expect(source.find('short')).toMatchObject({ configs: {}, secrets: { api_key: 'k2' } });
  expect(source.find('own')?.secrets).toEqual({ 'settings.authToken': 't-1' });
});

test.for([
  ['anthropic', 'ANTHROPIC_API_KEY'],
  ['google', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  ['xai', 'XAI_API_KEY'],
] as const)('the key of %s in %s makes a connection', ([type, variable]) => {
  const name = `${type}_connection`;
  const without = connectionSource({ folders: [], environment: {} });
  expect(without.find(name)).toBeUndefined();
  expect(without.hint?.(name)).toBe(
    `it is there as soon as the environment variable ${variable} is set, or flow connection create keeps it`,
  );
  const source = connectionSource({ folders: [], environment: { [variable]: 'k1' } });
  expect(source.find(name)).toEqual({ name, type, configs: {}, secrets: { api_key: 'k1' } });
});

test.for([
  [
    'open_ai_conection',
    {},
    'did you mean "open_ai_connection"? it is there as soon as the environment variable OPENAI_API_KEY is set, or flow connection create keeps it',
  ],
  [
    'openai_connection',
    {},
    'did you mean "open_ai_connection"? it is there as soon as the environment variable OPENAI_API_KEY is set, or flow connection create keeps it',
  ],
  ['open_ai_conection', { OPENAI_API_KEY: 'k1' }, undefined],
  ['aoai-connection', {}, undefined],
  ['my_search', {}, undefined],
  ['constructor', {}, undefined],
  ['__proto__', {}, undefined],
] as const)('%s with %j', ([name, environment, hint]) => {
  expect(connectionSource({ folders: [], environment }).hint?.(name)).toBe(hint);
});

test('a script is found in the nearest folder', () => {
  const folder = folderWith('script', '- reply: one\n', 'replies.yaml');
  const source = connectionSource({ folders: [root, folder], environment: {} });
  expect(source.find('scripted:replies.yaml')).toEqual({
    name: 'scripted:replies.yaml',
    type: 'scripted',
    configs: { file: join(folder, 'replies.yaml') },
    secrets: {},
    content: createHash('sha256').update('- reply: one\n').digest('hex').slice(0, 32),
  });
  expect(() => source.find('scripted:none.yaml')).toThrow('there is no file none.yaml');
});

const types =
  'the types are azure_open_ai, open_ai, serverless, serp, qdrant, weaviate, cognitive_search, azure_content_safety, form_recognizer, azure_ai_services, amazon_bedrock, llama_cpp, ai_sdk, anthropic, google, mistral, cohere, groq, xai, deepseek, ollama, custom';

test('what is no file of connections is refused without its values', () => {
  const folder = folderWith('wrong', '- api_key: top-secret\n');
  expect(() => connectionSource({ folders: [folder], environment: {} })).toThrow('is no mapping of names');
  expect(() => connectionSource({ folders: [folder], environment: {} })).not.toThrow('top-secret');
});

test.for([
  ['c: {api_key: top-secret}', 'connection "c" needs a "type": type: open_ai, for instance'],
  ['c: 5', 'connection "c" needs a "type": type: open_ai, for instance'],
  [
    'c: {type: opn_ai, api_key: top-secret}',
    `connection "c" has the unknown type "opn_ai": did you mean "open_ai"? ${types}`,
  ],
  [
    'c: {type: OpenAiConnection}',
    `connection "c" has the unknown type "OpenAiConnection": did you mean "open_ai"? ${types}`,
  ],
  ['c: {type: zzz}', `connection "c" has the unknown type "zzz": ${types}`],
  ['c: {type: constructor}', `connection "c" has the unknown type "constructor": ${types}`],
  [
    'c: {type: open_ai, api_key: "${env:NOPE}"}',
    'connection "c": Environment variable NOPE is not found. Set NOPE, or write another value in place of ${env:NOPE}.',
  ],
] as const)('%s is marked, and no bar to another', ([entry, problem], { task }) => {
  const folder = folderWith(`broken-${task.id}`, `${entry}\ngood: {type: open_ai, api_key: k}\n`);
  const source = connectionSource({ folders: [folder], environment: {} });
  expect(source.list().map((one) => [one.name, one.problem])).toEqual([
    ['c', problem],
    ['good', undefined],
  ]);
  expect(source.find('good')?.secrets).toEqual({ api_key: 'k' });
  expect(() => source.find('c')).toThrow(join(folder, 'connections.yaml'));
});

test.for([
  ['c: {type: open_ai}', 'connection "c" has no api_key'],
  ['c: {type: azure_open_ai, api_key: k}', 'connection "c" has no api_base'],
  ['c: {type: azure_open_ai, api_key: k, api_base: ours}', 'api_base of connection "c" is no address'],
] as const)('%s is marked where all are listed, and found all the same', ([entry, problem], { task }) => {
  const source = connectionSource({ folders: [folderWith(`lacking-${task.id}`, `${entry}\n`)], environment: {} });
  expect(source.list()).toMatchObject([{ name: 'c', problem: expect.stringContaining(problem) }]);
  expect(source.find('c')).toMatchObject({ name: 'c' });
  expect(source.problem?.('c')).toBeUndefined();
});

test('a connection that a variable alone makes is told with the variable', () => {
  const { hint } = connectionSource({ folders: [], environment: {} });
  expect(hint?.('open_ai_connection')).toContain('OPENAI_API_KEY');
  expect(hint?.('azure_open_ai_connection')).toContain('AZURE_OPENAI_ENDPOINT');
  expect(hint?.('other')).toBeUndefined();
});
