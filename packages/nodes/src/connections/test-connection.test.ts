import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Connection } from '@unroll/engine';
import { expect, test } from 'vitest';
import { testConnection } from './test-connection.ts';

const key = 'key-12345';

interface Answer {
  readonly status?: number;
  readonly body: unknown;
}

/** A service that takes one request as its contract publishes it: any other path or key is refused. */
async function withService<T>(
  expected: { readonly method?: string; readonly path: string; readonly header: readonly [string, string] },
  answer: Answer,
  use: (url: string) => Promise<T>,
): Promise<T> {
  const server = createServer((request, response) => {
    const { method = 'GET', path, header } = expected;
    const isKnown = request.method === method && request.url === path;
    const isAllowed = request.headers[header[0]] === header[1];
    const status = !isKnown ? 404 : isAllowed ? (answer.status ?? 200) : 401;
    const refusal = { error: { message: `no ${request.method} ${request.url} with ${request.headers[header[0]]}` } };
    response.writeHead(status).end(JSON.stringify(isKnown && isAllowed ? answer.body : refusal));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

function connection(type: string, configs: Readonly<Record<string, string>>, secret = key): Connection {
  return { name: 'mine', type, configs, secrets: { api_key: secret } };
}

const signal = new AbortController().signal;

test.for([
  {
    type: 'open_ai',
    configs: (url: string) => ({ base_url: `${url}/v1/` }),
    expected: { path: '/v1/models', header: ['authorization', `Bearer ${key}`] as const },
    body: { data: [{ id: 'gpt-4o' }, { id: 'gpt-4o-mini' }] },
    says: 'gave the list of models: 2',
  },
  {
    type: 'azure_open_ai',
    configs: (url: string) => ({ api_base: `${url}/`, api_version: '2024-02-01', auth_mode: 'key' }),
    expected: { path: '/openai/models?api-version=2024-02-01', header: ['api-key', key] as const },
    body: { data: [] },
    says: 'gave the list of models: 0',
  },
  {
    type: 'serverless',
    configs: (url: string) => ({ api_base: url }),
    expected: { path: '/v1/models', header: ['authorization', `Bearer ${key}`] as const },
    body: { data: [{}] },
    says: 'gave the list of models: 1',
  },
  {
    type: 'qdrant',
    configs: (url: string) => ({ api_base: url }),
    expected: { path: '/collections', header: ['api-key', key] as const },
    body: { result: { collections: [{ name: 'a' }] }, status: 'ok' },
    says: 'gave the list of collections: 1',
  },
  {
    type: 'weaviate',
    configs: (url: string) => ({ api_base: url }),
    expected: { path: '/v1/meta', header: ['authorization', `Bearer ${key}`] as const },
    body: { version: '1.25.0' },
    says: 'gave what the server is (',
  },
  {
    type: 'cognitive_search',
    configs: (url: string) => ({ api_base: url, api_version: '2023-11-01', auth_mode: 'key' }),
    expected: { path: '/indexes?api-version=2023-11-01&$select=name', header: ['api-key', key] as const },
    body: { value: [{ name: 'i' }] },
    says: 'gave the list of indexes: 1',
  },
  {
    type: 'azure_content_safety',
    configs: (url: string) => ({ endpoint: url, api_version: '2023-10-01' }),
    expected: {
      method: 'POST',
      path: '/contentsafety/text:analyze?api-version=2023-10-01',
      header: ['ocp-apim-subscription-key', key] as const,
    },
    body: { categoriesAnalysis: [] },
    says: 'gave a judgement of the text "test" (',
  },
  {
    type: 'form_recognizer',
    configs: (url: string) => ({ endpoint: url, api_version: '2023-07-31' }),
    expected: {
      path: '/formrecognizer/info?api-version=2023-07-31',
      header: ['ocp-apim-subscription-key', key] as const,
    },
    body: { customDocumentModels: {} },
    says: 'gave what the resource may do (',
  },
  {
    type: 'anthropic',
    configs: (url: string) => ({ base_url: `${url}/v1` }),
    expected: { path: '/v1/models', header: ['x-api-key', key] as const },
    body: { data: [{ type: 'model', id: 'claude-sonnet-4-5' }], has_more: false },
    says: 'gave the list of models: 1',
  },
  {
    type: 'google',
    configs: (url: string) => ({ base_url: `${url}/v1beta` }),
    expected: { path: '/v1beta/models', header: ['x-goog-api-key', key] as const },
    body: { models: [{ name: 'models/gemini-3.5-flash' }, { name: 'models/gemini-embedding-001' }] },
    says: 'gave the list of models: 2',
  },
  {
    type: 'cohere',
    configs: (url: string) => ({ base_url: `${url}/v2/` }),
    expected: { path: '/v1/models', header: ['authorization', `Bearer ${key}`] as const },
    body: { models: [{ name: 'command-a-03-2025' }] },
    says: 'gave the list of models: 1',
  },
  {
    type: 'deepseek',
    configs: (url: string) => ({ 'settings.baseURL': url }),
    expected: { path: '/models', header: ['authorization', `Bearer ${key}`] as const },
    body: { object: 'list', data: [{ id: 'deepseek-chat' }] },
    says: 'gave the list of models: 1',
  },
])('a connection of type $type is tested', async ({ type, configs, expected, body, says }) => {
  await withService(expected, { body }, async (url) => {
    const right = await testConnection(connection(type, configs(url)), signal);
    expect(right).toMatchObject({ works: true });
    expect(right.message).toContain(says);
    const wrong = await testConnection(connection(type, configs(url), 'wrong-key-1'), signal);
    expect(wrong).toMatchObject({ works: false });
    expect(wrong.message).toMatch(/is reached and refuses the key \(401\): no (GET|POST) .* with (Bearer )?\*{3}$/);
  });
});

test('what is not reached, or is no address, is told apart', async () => {
  const closed = await withService({ path: '/', header: ['a', 'b'] }, { body: {} }, async (url) => url);
  const refused = await testConnection(connection('open_ai', { base_url: closed }), signal);
  expect(refused).toMatchObject({ works: false, help: 'Nothing listens there: look at the address and its port.' });
  const none = await testConnection(connection('qdrant', { api_base: 'localhost' }), signal);
  expect(none).toMatchObject({
    works: false,
    help: 'it begins with https:// or http://',
  });
});

test('a server without the list is reached, no more', async () => {
  await withService({ path: '/other', header: ['a', 'b'] }, { body: {} }, async (url) => {
    const tested = await testConnection(connection('serverless', { api_base: url }), signal);
    expect(tested).toMatchObject({ works: undefined });
  });
});

test.for([
  ['<html><title>Sign in</title></html>', 'Sign in'],
  [{ ok: true }, '{"ok":true}'],
  [null, 'null'],
] as const)('a service that answers %j in place of the list is reached, no more', async ([body, said]) => {
  const expected = { path: '/v1/models', header: ['authorization', `Bearer ${key}`] as const };
  await withService(expected, { body }, async (url) => {
    const { works, message, help } = await testConnection(connection('open_ai', { base_url: `${url}/v1` }), signal);
    expect([works, message.replace(/^\S+/, '')]).toEqual([
      undefined,
      ` is reached, and answered something else than the list of models: ${said}`,
    ]);
    expect(help).toContain('Look at the address');
  });
});

test('a key that was read with its line break is one without', async () => {
  const expected = { path: '/v1/models', header: ['authorization', `Bearer ${key}`] as const };
  await withService(expected, { body: { data: [] } }, async (url) => {
    const read = connection('open_ai', { base_url: `${url}/v1` }, `${key}\n`);
    expect(await testConnection(read, signal)).toMatchObject({ works: true });
  });
});

test('a list without a member around it is one', async () => {
  const expected = { path: '/v1/models', header: ['authorization', `Bearer ${key}`] as const };
  await withService(expected, { body: [{ id: 'a' }, { id: 'b' }] }, async (url) => {
    const { works, message } = await testConnection(connection('open_ai', { base_url: `${url}/v1` }), signal);
    expect([works, message]).toEqual([true, expect.stringContaining('gave the list of models: 2')]);
  });
});

test('a redirect is told, and not followed', async () => {
  const server = createServer((_, response) => response.writeHead(302, { location: 'https://sign.in/' }).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const { works, message } = await testConnection(connection('open_ai', { base_url }), signal);
  server.close();
  expect([works, message.replace(/^\S+/, '')]).toEqual([
    false,
    ' redirects to https://sign.in/ (302), which is not followed',
  ]);
});

test.for([405, 501])('a server that refuses to be asked for the list (%i) is reached, no more', async (status) => {
  const expected = { path: '/v1/models', header: ['authorization', `Bearer ${key}`] as const };
  await withService(expected, { status, body: '<html> no list' }, async (url) => {
    const tested = await testConnection(connection('open_ai', { base_url: `${url}/v1` }), signal);
    expect(tested).toMatchObject({
      works: undefined,
      message: expect.stringContaining(`the list of models (${status})`),
    });
  });
});

test.for([
  [{ error: { message: 'No  such\nthing' } }, ': No such thing'],
  [{ error: 'No' }, ': No'],
  [{ error: { message: { text: 'No' } } }, ': {"error":{"message":{"text":"No"}}}'],
  ['<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>', ': 502 Bad Gateway'],
  ['x'.repeat(400), `: "${'x'.repeat(299)}…`],
  [null, ': null'],
] as const)('of what a service says with a failure a short line is told: %j', async ([body, said]) => {
  const expected = { path: '/v1/models', header: ['authorization', `Bearer ${key}`] as const };
  await withService(expected, { status: 502, body }, async (url) => {
    const { message } = await testConnection(connection('open_ai', { base_url: `${url}/v1` }), signal);
    expect(message).toMatch(/^127\.0\.0\.1:\d+ answered 502/);
    expect(message.replace(/^.* answered 502/, '')).toBe(said);
  });
});

test('a server that asks for no key is asked without one, and what is missing in a flow is told', async () => {
  await withService(
    { path: '/api/tags', header: ['connection', 'keep-alive'] },
    { body: { models: [] } },
    async (url) => {
      const ollama = {
        name: 'local',
        type: 'ollama',
        configs: { base_url: `${url}/api`, package: 'another-provider' },
        secrets: {},
      };
      expect(await testConnection(ollama, signal)).toMatchObject({
        works: true,
        help: 'In a flow a connection of type ollama needs another-provider, which is not installed: npm install another-provider',
      });
    },
  );
});

test('a provider whose service is not known has nothing to ask', async () => {
  const any = {
    name: 'any',
    type: 'ai_sdk',
    configs: { package: '@ai-sdk/mistral' },
    secrets: { 'settings.apiKey': key },
  };
  expect(await testConnection(any, signal)).toEqual({
    works: undefined,
    message: 'a connection of type ai_sdk has no service that could be asked; its secret can be read',
  });
});

test('a custom connection has nothing to ask', async () => {
  const custom = { name: 'c', type: 'custom', configs: {}, secrets: { a: 'x', b: 'y' } };
  expect(await testConnection(custom, signal)).toEqual({
    works: undefined,
    message: 'a connection of type custom has no service that could be asked; its 2 secrets can be read',
  });
});

test('an answer that does not end is taken up to the bound of the connection', async () => {
  const server = createServer((_request, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write('{"data": ['.padEnd(4096)));
    };
    response.writeHead(200).on('drain', more);
    more();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    expect(await testConnection(connection('open_ai', { base_url, max_response_bytes: '100000' }), signal)).toEqual({
      works: false,
      message: 'the service answered more than 100000 bytes',
    });
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

test.for([
  [connection('open_ai', {}, ''), 'connection "mine" has no api_key'],
  [connection('azure_open_ai', {}), 'connection "mine" has no api_base'],
  [connection('cognitive_search', { api_base: '' }), 'connection "mine" has no api_base'],
] as const)('%o is told what it lacks, and nothing is asked', async ([incomplete, says]) => {
  const { works, message, help } = await testConnection(incomplete, signal);
  expect([works, message]).toEqual([false, says]);
  expect(help).toMatch(/^flow connection update "mine" --set api_(?:key|base)=…, or in connections\.yaml /);
});
