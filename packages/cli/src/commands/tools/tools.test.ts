import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createTestWorld } from '../../testing/test-io.ts';

const openApi = `openapi: 3.0.3
info: { title: Shop, version: "1" }
paths:
  /orders/{id}:
    get: { operationId: getOrder, summary: The state of an order }
    delete: { operationId: cancelOrder, summary: Cancels an order }
`;
const lines = [
  { tool: 'Weather', api: 'Forecast', description: 'The weather of the next days' },
  { tool: 'Weather', api: '天気', description: '都市の天気' },
];

function world(): ReturnType<typeof createTestWorld> {
  const made = createTestWorld();
  writeFileSync(join(made.folder, 'shop.yaml'), openApi);
  writeFileSync(join(made.folder, 'weather.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'));
  return made;
}

test('build, query, info', async () => {
  using made = world();
  expect(await made.flow('tools', 'build', 'shop.yaml', 'weather.jsonl', '--out', 'all.tools')).toEqual({
    code: 0,
    stdout: 'all.tools: 4 tools, 1 under another name than their own\n',
    stderr: 'shop.yaml: 2 tools\nweather.jsonl: 2 tools\n',
  });
  const query = await made.flow('tools', 'query', 'all.tools', 'cancel the order', '--top', '1', '--ranking', 'bm25f');
  expect(query.stdout).toMatch(/^score {2}name {9}description\n ?\d\.\d\d {2}cancelOrder {2}Cancels an order\n$/);
  const json = await made.flow('tools', 'query', 'all.tools', '天気は？', '--json');
  expect(JSON.parse(json.stdout)).toMatchObject([
    { name: expect.stringMatching(/^tool_/), api: '天気', tool: 'Weather' },
  ]);
  expect((await made.flow('tools', 'query', 'all.tools', 'volcano')).stdout).toBe(
    'no tool shares a word with this request\n',
  );
  expect((await made.flow('tools', 'info', 'all.tools')).stdout).toBe(
    '4 tools of 2 owners; 0 without a description\n\ntools  owner\n    2  Shop\n    2  Weather\n',
  );
  expect(JSON.parse((await made.flow('tools', 'info', 'all.tools', 'getOrder')).stdout)).toMatchObject({
    name: 'getOrder',
    call: { method: 'GET', path: '/orders/{id}' },
  });
  expect(await made.flow('tools', 'info', 'all.tools', 'getorder')).toEqual({
    code: 2,
    stdout: '',
    stderr: 'error: all.tools has no tool "getorder"\ndid you mean "getOrder"?\n',
  });
});

test('tools of a running MCP server', async () => {
  using made = world();
  const server = fileURLToPath(import.meta.resolve('../../../../nodes/src/mcp/test-server.fixture.ts'));
  const built = await made.flow(
    'tools',
    'build',
    '--mcp',
    `test=${process.execPath} ${server} serve`,
    '-o',
    'mcp.tools',
  );
  expect(built).toMatchObject({ code: 0, stdout: 'mcp.tools: 15 tools\n', stderr: 'test: 15 tools\n' });
  expect(JSON.parse((await made.flow('tools', 'info', 'mcp.tools', 'add')).stdout)).toMatchObject({
    group: 'test',
    description: 'Adds.',
    parameters: { type: 'object', required: ['a', 'b'] },
  });
  const none = await made.flow('tools', 'build', '--mcp', 'none=/no/such/program', '-o', 'x.tools', '--quiet');
  expect(none.stderr).toContain('none: error the MCP server cannot be asked: spawn /no/such/program ENOENT');
  const wrong = await made.flow('tools', 'build', '--mcp', 'x', '-o', 'x.tools');
  expect(wrong.stderr).toContain('--mcp takes <name>=<address or command>, not "x"');
});

test('mistakes are told with their places, and nothing is written', async () => {
  using made = world();
  writeFileSync(join(made.folder, 'bad.jsonl'), '{"name": "a"}\n{"name": \n{"name": "a"}\n');
  const refused = await made.flow('tools', 'build', 'bad.jsonl', '--out', 'bad.tools', '--quiet');
  expect(refused.code).toBe(2);
  expect(refused.stderr.split('\n').slice(1)).toEqual([
    'bad.jsonl:3: error "a" is described already at bad.jsonl:1',
    'nothing was written; --allow-mistakes leaves out what is wrong',
    '',
  ]);
  const forced = await made.flow('tools', 'build', 'bad.jsonl', '--out', 'bad.tools', '--json', '--allow-mistakes');
  expect({ code: forced.code, ...JSON.parse(forced.stdout) }).toMatchObject({ code: 0, ok: true, tools: 1 });
});

test.for([
  [
    ['build', 'shop.yaml'],
    'error: no file to write is named\nfor instance: flow tools build api.yaml --out shop.tools\n',
  ],
  [['build', 'none.yaml', '-o', 'x.tools'], 'error: there is no file none.yaml'],
  [['query', 'none.tools', 'x'], 'error: there is no file none.tools\n'],
  [
    ['train', 'shop.yaml'],
    'error: no file to write is named\nfor instance: flow tools train shop.yaml --out shop.model\n',
  ],
] as const)('flow tools %j', async ([given, told]) => {
  using made = world();
  const { code, stderr } = await made.flow('tools', ...given);
  expect(code).toBe(2);
  expect(stderr.startsWith(told)).toBe(true);
});

test('a retriever is trained, and finds by what was asked for', async () => {
  using made = world();
  await made.flow('tools', 'build', 'shop.yaml', 'weather.jsonl', '--out', 'all.tools');
  writeFileSync(
    join(made.folder, 'asked.jsonl'),
    `${JSON.stringify({ query: 'do I need an umbrella', relevant: ['Forecast'] })}\n`,
  );
  const trained = await made.flow('tools', 'train', 'all.tools', '--queries', 'asked.jsonl', '-o', 'all.model');
  expect({ code: trained.code, stdout: trained.stdout }).toEqual({ code: 0, stdout: 'all.model: 4 tools, 0.3 MB\n' });
  expect(trained.stderr).toMatch(/^4 tools, 1 requests of asked\.jsonl\nmemorise 1\/8 {2}loss \d\.\d{3}\n/);
  const found = await made.flow('tools', 'query', 'all.tools', 'umbrella needed', '--retriever', 'all.model', '--json');
  expect(JSON.parse(found.stdout)[0].name).toBe('Forecast');
  const other = await made.flow('tools', 'query', 'shop.yaml', 'umbrella', '--retriever', 'all.model');
  expect(other.stderr).toContain('all.model was trained on another catalogue');
  const swapped = await made.flow('tools', 'query', 'all.model', 'umbrella');
  expect(swapped.stderr).toContain('all.model is what flow tools train wrote, no catalogue: name the catalogue');
  writeFileSync(join(made.folder, 'wrong.jsonl'), '{"query": "x", "relevant": ["forecast"]}\n');
  const wrong = await made.flow('tools', 'train', 'all.tools', '--queries', 'wrong.jsonl', '-o', 'x.model');
  expect(wrong.stderr).toBe('error: wrong.jsonl:1: the catalogue has no tool "forecast"\ndid you mean "Forecast"?\n');
  expect(readFileSync(join(made.folder, 'all.model')).length).toBeGreaterThan(100_000);
});

test('requests that a model makes for each tool are searched, kept, and asked for once', async () => {
  using made = world();
  const command = ['tools', 'build', 'shop.yaml', '--queries-by', 'offline', '--out', 'shop.tools'];
  const first = await made.flow(...command);
  expect(first).toMatchObject({ code: 0, stdout: 'shop.tools: 2 tools\n' });
  expect(first.stderr).toMatch(/^queries: 2 tools asked, 0 known already, [\d,]+ tokens, \$0\.00$/m);
  const catalogue = readFileSync(join(made.folder, 'shop.tools'), 'utf8');
  expect(catalogue).toContain('"queries":[');
  const kept = join(made.folder, 'shop.tools.queries');
  const [, one = '', two = ''] = readFileSync(kept, 'utf8').split('\n');
  writeFileSync(kept, `\n${one}\n${two.slice(0, 20)}`);
  const again = await made.flow(...command, '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ queries: { asked: 1, known: 1, failed: 0, dollars: 0 } });
  expect(readFileSync(join(made.folder, 'shop.tools'), 'utf8')).toBe(catalogue);
  expect((await made.flow(...command)).stderr).toContain('queries: 0 tools asked, 2 known already, 0 tokens');
  const unknown = await made.flow('tools', 'build', 'shop.yaml', '--queries-by', 'ofline', '--out', 'x.tools');
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('there is no connection "ofline"') });
});

test('a category, an index of vectors, tools that are kept out of the training', async () => {
  using made = world();
  await made.flow('tools', 'build', 'shop.yaml', 'weather.jsonl', '--out', 'all.tools');
  const wrong = await made.flow('tools', 'query', 'all.tools', 'order', '--category', 'Travel');
  expect(wrong).toMatchObject({ code: 2, stderr: 'error: the catalogue has no category "Travel"\n' });
  const built = await made.flow('index', 'build', 'all.tools', '--embedder', 'offline', '--out', 'all.index');
  expect(built.stdout).toContain('4 documents, 4 with vectors');
  const near = await made.flow('index', 'query', 'all.index', 'the weather', '--mode', 'vector', '--json');
  expect(near.stdout).toContain('"Forecast"');
  writeFileSync(join(made.folder, 'out.txt'), 'Forecast\n');
  const trained = await made.flow(
    'tools',
    'train',
    'all.tools',
    '--made',
    '9',
    '--unseen',
    'out.txt',
    '-o',
    'all.model',
  );
  expect(trained).toMatchObject({ code: 0, stderr: expect.stringContaining('kept out of it: 1\n') });
  writeFileSync(join(made.folder, 'out.txt'), 'forecast\n');
  const none = await made.flow('tools', 'train', 'all.tools', '--unseen', 'out.txt', '-o', 'all.model');
  expect(none.stderr).toContain('out.txt:1: the catalogue has no tool "forecast"');
});

/** A server that lists what it is told to, each time it is asked for anything. */
const lister = (tools: string): string => `
const schema = (depth) => { let at = { type: 'object' }; for (let times = 0; times < depth; times += 1) at = { type: 'object', properties: { a: at } }; return at; };
const tools = ${tools};
const answers = { initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } }), 'tools/list': () => ({ tools }) };
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method](params) }) + '\\n');
});
`;

test.for([
  [
    'a schema of any depth',
    "[{ name: 't', inputSchema: schema(1000) }]",
    'the tool "t" cannot be used: nested deeper than 1000 levels',
  ],
  [
    'a list of any length',
    "Array.from({ length: 150_000 }, (_, at) => ({ name: 't' + at, inputSchema: schema(0) }))",
    'its list of tools has more than 1000 pages or 100000 tools',
  ],
] as const)('%s from an MCP server is told, and nothing is written', { timeout: 60_000 }, async ([, tools, told]) => {
  using made = createTestWorld();
  writeFileSync(join(made.folder, 'lister.cjs'), lister(tools));
  const server = `x=${process.execPath} ${made.folder}/lister.cjs`;
  const { code, stderr } = await made.flow('tools', 'build', '--mcp', server, '-o', 'x.tools', '--quiet');
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(told) });
});
