import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Connection,
  createFlowFiles,
  type JsonObject,
  type NodeDefinition,
  type NodeOutcome,
  redactorOf,
  rowAlone,
  ScopeSlots,
} from '@unroll/engine';
import { nodeTypes } from '@unroll/nodes';
import { type HttpReply, type HttpRequestSeen, type HttpServer, startHttpServer } from '@unroll/nodes/testing';
import { promptFlow } from '@unroll/promptflow';
import { afterAll, expect, test } from 'vitest';

const key = 'a-very-secret-key';
const folder = mkdtempSync(join(tmpdir(), 'unroll-tools-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'p.jinja2'), 'system:\nBe brief.\nuser:\n{{ question }}\n');

interface Called {
  readonly outcome: NodeOutcome;
  readonly requests: HttpServer['requests'];
  readonly waitedMs: readonly number[];
  readonly url: string;
}

/** Runs a node of a package tool against a service; its connection is made of the address. */
async function call(
  tool: string,
  inputs: JsonObject,
  answer: (request: HttpRequestSeen) => HttpReply,
  connect: (url: string) => Omit<Connection, 'name'>,
  isDown = false,
): Promise<Called> {
  await using server = await startHttpServer(answer);
  if (isDown) await server[Symbol.asyncDispose]();
  const connection = { name: 'service', ...connect(server.url) };
  const takesPrompt = tool.includes('open_model');
  const definition: NodeDefinition = {
    name: 'n',
    type: takesPrompt ? 'custom_llm' : 'python',
    source: takesPrompt ? { type: 'package_with_prompt', tool, path: 'p.jinja2' } : { type: 'package', tool },
    inputs: Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, { kind: 'literal', value }])),
    aggregation: false,
    settings: {},
    locate: () => undefined,
  };
  const waitedMs: number[] = [];
  const clock = { now: () => 0, sleep: async (ms: number) => void waitedMs.push(ms) };
  const type = nodeTypes({ clock, extensions: [promptFlow({ serpApiUrl: server.url })] }).get(definition.type);
  const prepared = await type?.prepare(definition, {
    flow: new ScopeSlots(),
    files: createFlowFiles(folder, folder),
    connections: { find: (name) => (name === 'service' ? connection : undefined), names: () => ['service'] },
    environment: {},
    flowId: 'flow',
    messageFormat: 'basic',
    valuesOpenRoles: true,
    redactor: redactorOf(connection),
    onClose: () => {},
  });
  if (prepared === undefined) throw new Error('bug: no such node type');
  const signal = new AbortController().signal;
  const outcome = await prepared.run(prepared.literals ?? {}, {
    runId: 'r',
    line: 0,
    node: 'n',
    signal,
    flowInputs: {},
    row: rowAlone(),
  });
  return { outcome, requests: [...server.requests], waitedMs, url: server.url };
}

const serp = (): Omit<Connection, 'name'> => ({ type: 'serp', configs: {}, secrets: { api_key: key } });

/** https://serpapi.com/search-api: `q`, `engine` and `api_key` are needed. */
function serpApi({ method, url }: HttpRequestSeen): HttpReply {
  if (method !== 'GET' || url.pathname !== '/search') return { status: 404, body: 'not found' };
  if (url.searchParams.get('api_key') !== key) return { status: 401, body: { error: 'Invalid API key.' } };
  if (url.searchParams.get('q') === '') return { status: 400, body: { error: `Missing query \`q\` for ${key}.` } };
  if (url.searchParams.get('q') === 'down') return { status: 503, body: 'busy' };
  return { body: { search_metadata: { status: 'Success' }, organic_results: [{ position: 1, title: 'Hit' }] } };
}

const search = 'promptflow.tools.serpapi.SerpAPI.search';

test('a search asks SerpAPI as its engine wants it, and gives the page', async () => {
  const google = { connection: 'service', query: '返金', engine: 'google', num: '3', safe: 'active', location: '' };
  const found = await call(search, google, serpApi, serp);
  expect(found.outcome).toEqual({
    ok: true,
    output: { search_metadata: { status: 'Success' }, organic_results: [{ position: 1, title: 'Hit' }] },
  });
  const sent = { q: '返金', engine: 'google', num: '3', safe: 'Active', api_key: key };
  expect(Object.fromEntries(found.requests[0]?.url.searchParams ?? [])).toEqual(sent);
  const bing = await call(search, { ...google, engine: 'bing', location: 'Tokyo' }, serpApi, serp);
  expect(Object.fromEntries(bing.requests[0]?.url.searchParams ?? [])).toEqual({
    q: '返金',
    engine: 'bing',
    count: '3',
    safeSearch: 'Strict',
    location: 'Tokyo',
    api_key: key,
  });
});

test.for([
  [{ query: 'x' }, { api_key: 'other' }, 'SerpAPIUserError', 'Invalid API key.'],
  [{ query: 'down' }, { api_key: key }, 'SerpAPISystemError', 'SerpAPI search request failed: busy'],
  [{}, { api_key: key }, 'SerpAPIUserError', 'Missing query `q` for ***.'],
] as const)('a search that fails: %j', async ([inputs, secrets, code, message]) => {
  const given = { connection: 'service', ...inputs };
  const { outcome } = await call(search, given, serpApi, () => ({ ...serp(), secrets }));
  expect(outcome).toMatchObject({ ok: false, error: { code, message } });
});

test.for<readonly [answer: HttpReply | 'down', retryable: boolean, told: object]>([
  [{ status: 503, body: 'busy' }, true, { status: 503, said: 'busy' }],
  [{ status: 429, body: { error: 'Too many searches.' } }, true, { status: 429, said: 'Too many searches.' }],
  [{ status: 401, body: { error: `no: ${key}` } }, false, { status: 401, said: 'no: ***' }],
  [{ status: 200, body: '<p>no</p>' }, true, { status: 200, said: '<p>no</p>' }],
  ['down', true, { errno: 'ECONNREFUSED' }],
])(
  'a search tells of %j with host, cause and words, and whether it can be tried again',
  async ([answer, retryable, told]) => {
    const inputs = { connection: 'service', query: 'x' };
    const { outcome, url } = await call(
      search,
      inputs,
      () => (answer === 'down' ? { body: '' } : answer),
      serp,
      answer === 'down',
    );
    expect(outcome).toMatchObject({ ok: false, error: { retryable, service: { host: new URL(url).host, ...told } } });
  },
);

const severities = { Hate: 0, SelfHarm: 2, Sexual: 4, Violence: 6 };

/** https://learn.microsoft.com/rest/api/contentsafety/text-operations/analyze-text */
function contentSafety({ method, url, headers, body }: HttpRequestSeen): HttpReply {
  if (method !== 'POST' || url.pathname !== '/contentsafety/text:analyze') return { status: 404, body: {} };
  if (headers['ocp-apim-subscription-key'] !== key)
    return { status: 401, body: { error: { code: '401', message: `Access denied for ${key}` } } };
  const { text, blocklistNames } = JSON.parse(body) as { text?: unknown; blocklistNames?: unknown };
  if (typeof text !== 'string' || text === '' || !Array.isArray(blocklistNames))
    return { status: 400, body: { error: { code: 'InvalidRequestBody', message: 'The text field is required.' } } };
  if (url.searchParams.get('api-version') === '2023-10-01') {
    const categoriesAnalysis = Object.entries(severities).map(([category, severity]) => ({ category, severity }));
    return { body: { blocklistsMatch: [], categoriesAnalysis } };
  }
  const named = Object.entries(severities).map(([category, severity]) => [
    `${category.charAt(0).toLowerCase()}${category.slice(1)}Result`,
    { category, severity },
  ]);
  return { body: { blocklistsMatchResults: [], ...Object.fromEntries(named) } };
}

const safety =
  (version: string) =>
  (url: string): Omit<Connection, 'name'> => ({
    type: 'azure_content_safety',
    configs: { endpoint: `${url}/`, api_version: version },
    secrets: { api_key: key },
  });

test('half a key is told nowhere, even where what a service said is cut within it', async () => {
  const words = `${'x'.repeat(990)} ${key} more`;
  const inputs = { connection: 'service', text: 'words' };
  const { outcome } = await call(
    'promptflow.tools.azure_content_safety.analyze_text',
    inputs,
    () => ({ status: 400, body: { error: { message: words } } }),
    safety('2023-10-01'),
  );
  expect(JSON.stringify(outcome)).toContain(`${'x'.repeat(990)} ***`);
  expect(JSON.stringify(outcome)).not.toContain(key.slice(0, 4));
});

test.for([
  ['promptflow.tools.azure_content_safety.analyze_text', '2023-10-01'],
  ['content_safety_text.tools.content_safety_text_tool.analyze_text', '2023-04-30-preview'],
] as const)('%s judges a text by version %s', async ([tool, version]) => {
  const inputs = {
    connection: 'service',
    text: 'words',
    hate_category: 'high_sensitivity',
    self_harm_category: 'high_sensitivity',
    sexual_category: 'low_sensitivity',
    violence_category: 'disable',
  };
  const { outcome } = await call(tool, inputs, contentSafety, safety(version));
  expect(outcome).toEqual({
    ok: true,
    output: {
      suggested_action: 'Reject',
      action_by_category: { Hate: 'Accept', SelfHarm: 'Reject', Sexual: 'Accept', Violence: 'Accept' },
    },
  });
});

test('a refusal of Content Safety is told without the key', async () => {
  const tool = 'promptflow.tools.azure_content_safety.analyze_text';
  const { outcome } = await call(tool, { connection: 'service' }, contentSafety, safety('2023-10-01'));
  expect(outcome).toMatchObject({
    ok: false,
    error: {
      code: 'AzureContentSafetySystemError',
      message: 'Error in detecting content: The text field is required.',
    },
  });
});

const harmless = ['Hate', 'SelfHarm', 'Sexual', 'Violence'].map((category) => ({ category, severity: 0 }));

test.for<readonly [string, HttpReply]>([
  ['a severity that is a text', { body: { categoriesAnalysis: [{ category: 'Hate', severity: 'high' }] } }],
  ['a severity below 0', { body: { categoriesAnalysis: [{ category: 'Hate', severity: -1 }] } }],
  ['a list of matches that is none', { body: { categoriesAnalysis: harmless, blocklistsMatch: { name: 'x' } } }],
  ['categories that are none', { body: { categoriesAnalysis: [null] } }],
  ['a text for the categories', { body: { categoriesAnalysis: 'none' } }],
  ['an error with HTTP 200', { body: { error: { message: 'overloaded' } } }],
  ['an error that says nothing', { body: { error: null, categoriesAnalysis: harmless } }],
  ['no JSON', { body: '<p>gateway</p>' }],
  ['nothing', { body: '' }],
])('%s is no verdict of Content Safety', async ([, reply]) => {
  const tool = 'promptflow.tools.azure_content_safety.analyze_text';
  const { outcome } = await call(tool, { connection: 'service', text: 'w' }, () => reply, safety('2023-10-01'));
  expect(outcome).toMatchObject({
    ok: false,
    error: {
      code: 'AzureContentSafetySystemError',
      retryable: true,
      service: { host: expect.stringMatching(/^127\.0\.0\.1:\d+$/), status: 200 },
    },
  });
  expect(JSON.stringify(outcome)).not.toMatch(/Cannot read prop|is not a function/);
});

test('Content Safety that cannot be reached tells host and cause', async () => {
  const tool = 'promptflow.tools.azure_content_safety.analyze_text';
  const { outcome } = await call(tool, { connection: 'service', text: 'w' }, contentSafety, () =>
    safety('2023-10-01')('http://127.0.0.1:1'),
  );
  expect(outcome).toMatchObject({
    ok: false,
    error: { retryable: true, service: { host: '127.0.0.1:1', errno: 'ECONNREFUSED' } },
  });
});

const open = 'promptflow.tools.open_model_llm.OpenModelLLM.call';
const model =
  (family: string) =>
  (url: string): Omit<Connection, 'name'> => ({
    type: 'custom',
    configs: { endpoint_url: `${url}/score`, model_family: family },
    secrets: { endpoint_api_key: key },
  });

/** Scoring endpoints of Azure Machine Learning for models of its catalogue. */
function scoring({ headers, body }: HttpRequestSeen): HttpReply {
  if (headers['authorization'] !== `Bearer ${key}`) return { status: 401, body: 'key_auth_access_denied' };
  const input = (JSON.parse(body) as { input_data: { input_string: readonly unknown[] } }).input_data.input_string;
  return { body: typeof input[0] === 'string' ? [{ '0': 'a text' }] : { output: 'an answer' } };
}

const messages = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Is it?' },
];

test.for([
  [
    'LLAMA',
    'chat',
    'an answer',
    {
      input_data: {
        input_string: messages,
        parameters: { do_sample: true, top_p: 1, temperature: 0.5, max_new_tokens: 9 },
      },
    },
  ],
  [
    'LLAMA',
    'completion',
    'a text',
    {
      input_data: {
        input_string: ['system:\nBe brief.\nuser:\nIs it?\n'],
        parameters: { do_sample: true, top_p: 1, temperature: 0.5, max_new_tokens: 9 },
      },
    },
  ],
  [
    'DOLLY',
    'chat',
    'a text',
    {
      input_data: { input_string: ['system:\nBe brief.\nuser:\nIs it?\n'] },
      parameters: { top_p: 1, temperature: 0.5, max_new_tokens: 9 },
    },
  ],
] as const)('an open model, %s with %s', async ([family, api, output, body]) => {
  const inputs = {
    endpoint_name: 'localConnection/service',
    api,
    temperature: '0.5',
    max_new_tokens: 9,
    question: 'Is it?',
    deployment_name: 'blue',
  };
  const { outcome, requests } = await call(open, inputs, scoring, model(family));
  expect(outcome).toEqual({ ok: true, output });
  expect(JSON.parse(requests[0]?.body ?? '')).toEqual(body);
  expect(requests[0]?.headers).toMatchObject({ 'azureml-model-deployment': 'blue' });
});

test('an endpoint that refuses is asked five times, and told without its key', async () => {
  const inputs = { endpoint_name: 'connection/service', api: 'chat', question: 'Is it?' };
  const { outcome, waitedMs } = await call(open, inputs, () => ({ status: 424, body: `no ${key}` }), model('LLAMA'));
  expect(waitedMs).toEqual([6_000, 18_000, 54_000, 162_000]);
  expect(outcome).toMatchObject({
    ok: false,
    error: {
      code: 'OpenModelLLMOnlineEndpointError',
      message:
        'Exception hit calling Online Endpoint: OpenModelLLMOnlineEndpointError: Request failure while calling Online Endpoint Status:424\nError:no ***',
    },
  });
});

test.for<readonly [answer: HttpReply | 'down', tries: number, told: object]>([
  [{ status: 401, body: `no ${key}` }, 1, { status: 401, said: 'no ***' }],
  [{ status: 404, body: 'no such deployment' }, 1, { status: 404, said: 'no such deployment' }],
  [{ status: 503, body: 'busy' }, 5, { status: 503, said: 'busy' }],
  [{ status: 200, body: 'hello' }, 5, { status: 200, said: 'hello' }],
  ['down', 5, { errno: 'ECONNREFUSED' }],
])(
  'an endpoint that answers %j is asked %i times, and told with host, cause and words',
  async ([answer, tries, told]) => {
    const inputs = { endpoint_name: 'connection/service', api: 'chat', question: 'Is it?' };
    const isDown = answer === 'down';
    const { outcome, waitedMs, url } = await call(
      open,
      inputs,
      () => (isDown ? { body: '' } : answer),
      model('LLAMA'),
      isDown,
    );
    expect(waitedMs).toHaveLength(tries - 1);
    const service = { host: new URL(url).host, ...told };
    expect(outcome).toMatchObject({ ok: false, error: { retryable: tries > 1, service } });
  },
);

test.for([
  ['onlineEndpoint/x', 'OpenModelLLMUserError', /custom connection/],
  ['connection/none', 'OpenModelLLMUserError', /^Connection 'none' is not found\.$/],
  ['nothing', 'OpenModelLLMUserError', /^Invalid endpoint connection type: nothing$/],
] as const)('an endpoint that cannot be had: %s', async ([endpoint_name, code, message]) => {
  const { outcome } = await call(open, { endpoint_name, api: 'chat' }, scoring, model('LLAMA'));
  expect(outcome).toMatchObject({ ok: false, error: { code, message: expect.stringMatching(message) } });
});
