import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { startHttpServer } from '../../testing/http-server.ts';
import { startLambdaServer } from '../../testing/lambda-server.ts';
import { type RawAnswer, startRawServer } from '../../testing/raw-server.ts';
import { testTable } from '../../testing/test-table.ts';

const numbers = 'parameters: {type: object, properties: {a: {type: number}, b: {type: number}}, required: [a, b]}';

const code = `
export const multiply = ({ a, b }) => a * b;
export const later = async ({ a, b }, { log }) => { log('asked'); console.log('seen', a); return { sum: a + b }; };
export const never = () => new Promise(() => {});
export const raises = () => { throw new RangeError('no such thing'); };
export const binary = () => Buffer.from([0, 1, 2]);
export const zero = () => 'a\\0b';
export const huge = () => 'x'.repeat(10 * 1024 * 1024);
`;

const entry = (name: string, more = ''): string =>
  `- {name: ${name}, description: d, code: tools.ts, ${numbers}${more}}`;

test('functions of TypeScript and Python files are called by name', async () => {
  await using table = testTable({
    'tools.yaml': [
      'tools:',
      entry('multiply'),
      entry('later', ', return_direct: true'),
      `- {name: divide, description: d, code: tools.py, function: over, ${numbers}, effects: writes}`,
    ].join('\n'),
    'tools.ts': code,
    'tools.py': 'def over(a, b):\n    print("over", b)\n    return a / b\n\ndef other():\n    pass\n',
  });
  expect(table.told).toBe('');
  const { tools } = await table.open();
  expect(tools.map(({ name, effects, returnDirect }) => [name, effects, returnDirect])).toEqual([
    ['multiply', 'reads', undefined],
    ['later', 'reads', true],
    ['divide', 'writes', undefined],
  ]);
  expect(await table.call('multiply', { a: 4, b: 2 })).toEqual({ ok: true, content: 8 });
  expect(await table.call('later', { a: 4, b: 2 })).toEqual({ ok: true, content: { sum: 6 } });
  expect(await table.call('divide', { a: 4, b: 8 })).toEqual({ ok: true, content: 0.5 });
  expect(await table.call('divide', { a: 4, b: 0 })).toMatchObject({
    ok: false,
    toModel: false,
    error: { code: 'ZeroDivisionError', message: 'division by zero', trace: ['tools.py:3 in over'] },
  });
  expect(table.printed.join('')).toBe('asked\nseen 4\nover 8\nover 0\n');
});

test.for([
  ['never', 'TIMEOUT', 'never did not answer within 0.2 s'],
  ['raises', 'RangeError', 'no such thing'],
  ['binary', 'BINARY_RESULT', 'the tool answered with what is no text'],
  ['zero', 'BINARY_RESULT', 'the tool answered with what is no text'],
  ['huge', 'TOO_LARGE', 'the tool answered 10485760 bytes; at most 1048576 are taken'],
])('a hostile tool is a recorded error: %s', async ([name = '', errorCode, message]) => {
  await using table = testTable({ 'tools.yaml': entry(name, ', timeout: 0.2'), 'tools.ts': code });
  const result = await table.call(name, { a: 1, b: 1 });
  expect(result).toMatchObject({ ok: false, toModel: false, error: { code: errorCode, message, retryable: false } });
});

test('a script tool that computes without end is ended, and its neighbours answer', async () => {
  await using table = testTable(
    {
      'tools.yaml': [
        '- {name: spin, description: d, code: t.ts, timeout: 1}',
        '- {name: calm, description: d, code: t.ts}',
        '- {name: raises, description: d, code: t.ts}',
        '- {name: raw, description: d, code: t.ts}',
      ].join('\n'),
      't.ts': `export const spin = () => { for (;;) {} };
export const calm = (_, { log }) => { log('asked'); console.log('said'); return 'ok'; };
export const raises = () => { throw new RangeError('no such thing'); };
export const raw = () => new Uint8Array([0, 255]);
`,
    },
    { inThreads: true },
  );
  const [spin, calm] = await Promise.all([table.call('spin', {}), table.call('calm', {})]);
  expect(spin).toMatchObject({ ok: false, error: { code: 'TIMEOUT', message: 'spin did not answer within 1 s' } });
  expect(calm).toEqual({ ok: true, content: 'ok' });
  expect(table.printed).toEqual(['asked\nsaid\n']);
  expect(await table.call('raises', {})).toMatchObject({
    error: { code: 'RangeError', message: 'no such thing', trace: ['t.ts:3 in raises'] },
  });
  expect(await table.call('raw', {})).toMatchObject({ ok: false, error: { code: 'BINARY_RESULT' } });
});

test('in the engine itself its time limit ends it too', async () => {
  await using table = testTable({
    'tools.yaml': '- {name: spin, description: d, code: t.ts, timeout: 0.2}',
    't.ts': 'export const spin = () => { for (;;) {} };\n',
  });
  expect(await table.call('spin', {})).toMatchObject({ ok: false, error: { code: 'TIMEOUT' } });
});

test('a Python tool that never ends is ended, and its neighbours answer', async () => {
  await using table = testTable({
    'tools.yaml': [
      '- {name: spin, description: d, code: t.py, timeout: 1}',
      '- {name: calm, description: d, code: t.py}',
      '- {name: raw, description: d, code: t.py}',
    ].join('\n'),
    't.py':
      'def spin():\n    while True: pass\n\ndef calm():\n    return "ok"\n\ndef raw():\n    return b"\\x00\\xff"\n',
  });
  const [spin, calm] = await Promise.all([table.call('spin', {}), table.call('calm', {})]);
  expect(spin).toMatchObject({ ok: false, error: { code: 'TIMEOUT' } });
  expect(calm).toEqual({ ok: true, content: 'ok' });
  expect(await table.call('calm', {})).toEqual({ ok: true, content: 'ok' });
  expect(await table.call('raw', {})).toMatchObject({ ok: false, error: { code: 'BINARY_RESULT' } });
});

test('arguments that do not fit never reach the tool, and go back to the model', async () => {
  await using table = testTable({ 'tools.yaml': entry('later'), 'tools.ts': code });
  expect(await table.call('later', { a: 'four', b: 2 })).toEqual({
    ok: false,
    toModel: true,
    error: { code: 'UNFIT_ARGUMENTS', message: 'a must be number', retryable: false },
  });
  expect(table.printed).toEqual([]);
});

test('a stopped run stops its calls', async () => {
  await using table = testTable({ 'tools.yaml': entry('never'), 'tools.ts': code });
  const stop = new AbortController();
  const called = table.call('never', { a: 1, b: 1 }, stop.signal);
  stop.abort();
  expect(await called).toMatchObject({ ok: false, error: { code: 'CANCELED' } });
});

test('asking for a tool of return of control calls nothing', async () => {
  await using table = testTable({
    'tools.yaml': [
      '- {name: pay, description: d, return_control: true}',
      '- {name: ask_user, description: d, ends: asked_user}',
    ].join('\n'),
  });
  const { tools } = await table.open();
  expect(tools.map(({ ends }) => ends)).toEqual(['returned_control', 'asked_user']);
  expect(await table.call('pay', {})).toMatchObject({ ok: false, error: { code: 'NOT_CALLED' } });
});

const orders = `
openapi: 3.0.3
servers: [{url: "https://unused.example"}]
paths:
  /orders/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      operationId: getOrder
      description: One order.
      parameters: [{name: field, in: query, schema: {type: array, items: {type: string}}}]
    post:
      operationId: change-order!
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Change'}}}}
components:
  schemas:
    Change: {type: object, required: [amount], properties: {amount: {type: integer}, parent: {$ref: '#/components/schemas/Change'}}}
`;

test('each operation of an OpenAPI document is a tool', async () => {
  await using server = await startHttpServer(({ method, url, body }) =>
    url.pathname === '/v1/orders/missing'
      ? { status: 404, body: { message: 'no such order' } }
      : { body: { method, path: `${url.pathname}${url.search}`, body } },
  );
  await using table = testTable(
    { 'tools.yaml': '- {openapi: orders.yaml, connection: shop}', 'orders.yaml': orders },
    {
      connections: [
        { name: 'shop', type: 'custom', configs: { base_url: `${server.url}/v1/` }, secrets: { api_key: 'sk-secret' } },
      ],
    },
  );
  expect(table.told).toBe('');
  const { tools } = await table.open();
  expect(tools.map(({ name, description, effects }) => [name, description, effects])).toEqual([
    ['getOrder', 'One order.', 'reads'],
    ['change-order_', 'change-order!', 'writes'],
  ]);
  expect(tools[1]?.parameters).toEqual({
    type: 'object',
    properties: { id: { type: 'string' }, amount: { type: 'integer' }, parent: {} },
    required: ['id', 'amount'],
  });
  const got = await table.call('getOrder', { id: 'a/b ü', field: ['x', 'y'] });
  expect(got).toEqual({
    ok: true,
    content: '{"method":"GET","path":"/v1/orders/a%2Fb%20%C3%BC?field=x&field=y","body":""}',
  });
  const changed = await table.call('change-order_', { id: '1', amount: 2 });
  expect(changed.ok && JSON.parse(String(changed.content))).toMatchObject({ method: 'POST', body: '{"amount":2}' });
  expect(server.requests.map(({ headers }) => headers['authorization'])).toEqual([
    'Bearer sk-secret',
    'Bearer sk-secret',
  ]);
  expect(await table.call('getOrder', { id: 'missing' })).toMatchObject({
    ok: false,
    toModel: true,
    error: { code: 'HTTP_STATUS', message: 'HTTP 404: {"message":"no such order"}' },
  });
  expect(await table.call('getOrder', { id: '..' })).toMatchObject({ ok: false, toModel: true });
  expect(server.requests).toHaveLength(3);
});

test.for<readonly [scheme: string, configs: Readonly<Record<string, string>>, sent: object]>([
  ['{type: apiKey, in: header, name: X-Key}', {}, { 'x-key': 'sk/secret 1' }],
  ['{type: apiKey, in: query, name: app id}', {}, { url: '/orders/1?field=x&app%20id=sk%2Fsecret%201' }],
  ['{type: apiKey, in: cookie, name: sid}', {}, { cookie: 'sid=sk%2Fsecret%201' }],
  ['{type: apiKey, in: query, name: app}', { api_key_header: 'X-Own' }, { 'x-own': 'sk/secret 1' }],
  ['{type: http, scheme: bearer}', {}, { authorization: 'Bearer sk/secret 1' }],
])('a key goes where the document wants it: %s', async ([scheme, configs, sent]) => {
  await using server = await startHttpServer(() => ({ body: 'ok' }));
  const secured = `${orders}  securitySchemes: {key: ${scheme}}\nsecurity: [{key: []}]\n`;
  const shop = { name: 'shop', type: 'custom', secrets: { api_key: 'sk/secret 1' } };
  await using table = testTable(
    { 'tools.yaml': '- {openapi: orders.yaml, connection: shop}', 'orders.yaml': secured },
    { connections: [{ ...shop, configs: { base_url: server.url, ...configs } }] },
  );
  await table.open();
  expect(await table.call('getOrder', { id: '1', field: ['x'] })).toMatchObject({ ok: true });
  const [request] = server.requests;
  const { pathname = '', search = '' } = request?.url ?? {};
  const names = ['authorization', 'cookie', 'x-key', 'x-own'];
  const keys = Object.fromEntries(names.flatMap((one) => (request?.headers[one] ? [[one, request.headers[one]]] : [])));
  expect(search.includes('app') ? { ...keys, url: pathname + search } : keys).toEqual(sent);
});

test('an answer of HTTP that is large or no text is a recorded error', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/orders/large') response.end('x'.repeat(10 * 1024 * 1024));
    else if (request.url === '/orders/moved') response.writeHead(302, { location: '/login' }).end();
    else if (request.url === '/orders/busy') response.writeHead(503).end('later');
    else response.end(Buffer.from([0xff, 0xfe, 0x00]));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await using table = testTable({
    'tools.yaml': `- {openapi: orders.yaml, operations: [getOrder], base_url: '${base}'}`,
    'orders.yaml': orders,
  });
  expect(await table.call('getOrder', { id: 'large' })).toMatchObject({ ok: false, error: { code: 'TOO_LARGE' } });
  expect(await table.call('getOrder', { id: 'raw' })).toMatchObject({ ok: false, error: { code: 'BINARY_RESULT' } });
  const { host } = new URL(base);
  expect(await table.call('getOrder', { id: 'moved' })).toEqual({
    ok: false,
    toModel: false,
    error: {
      code: 'HTTP_REDIRECT',
      message: 'HTTP 302: the service redirects to /login, which is not followed',
      retryable: false,
      service: { host, status: 302, location: '/login' },
    },
  });
  expect(await table.call('getOrder', { id: 'busy' })).toMatchObject({
    error: { code: 'HTTP_STATUS', message: 'HTTP 503: later', retryable: true, service: { host, status: 503 } },
  });
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  // The first may find a connection that was kept open, and closed at the other end.
  await table.call('getOrder', { id: 'gone' });
  expect(await table.call('getOrder', { id: 'gone' })).toMatchObject({
    ok: false,
    error: { code: 'ECONNREFUSED', retryable: true, service: { host, errno: 'ECONNREFUSED' } },
  });
});

test.for<readonly [string, RawAnswer, object]>([
  [
    'packed',
    (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('"注文"')),
    { content: '"注文"' },
  ],
  [
    'packed, and large once unpacked',
    (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(5e6))),
    { error: { code: 'TOO_LARGE', retryable: false } },
  ],
  [
    'said to be packed, and not',
    (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip'),
    { error: { code: 'Z_DATA_ERROR', retryable: true } },
  ],
  [
    'a refusal that is no text',
    (response) => response.writeHead(503).end(Buffer.of(0xff, 0xfe, 0)),
    { error: { code: 'HTTP_STATUS', message: 'HTTP 503: 3 bytes that are no text', service: { status: 503 } } },
  ],
])('an answer of a service that is %s', async ([, answer, told]) => {
  await using server = await startRawServer();
  server.answerWith(() => answer);
  await using table = testTable({
    'tools.yaml': `- {openapi: orders.yaml, operations: [getOrder], base_url: '${server.url}'}`,
    'orders.yaml': orders,
  });
  expect(await table.call('getOrder', { id: '1' })).toMatchObject(told);
});

test('an action group: operations answered by code, or by the caller', async () => {
  await using table = testTable({
    'tools.yaml': [
      '- {openapi: orders.yaml, action_group: Orders, operations: [getOrder], code: actions.ts}',
      "- {openapi: orders.yaml, action_group: Changes, operations: ['change-order!'], return_control: true}",
    ].join('\n'),
    'orders.yaml': orders,
    'actions.ts': 'export const getOrder = ({ id }: { id: string }) => `order ${id}`;',
  });
  const { tools } = await table.open();
  expect(tools.map(({ operation, ends }) => [operation?.group, operation?.verb, operation?.path, ends])).toEqual([
    ['Orders', 'GET', '/orders/{id}', undefined],
    ['Changes', 'POST', '/orders/{id}', 'returned_control'],
  ]);
  expect(await table.call('getOrder', { id: '7' })).toEqual({ ok: true, content: 'order 7' });
});

test('user programs on AWS Lambda, from our own form and from the two files of the manual', async () => {
  await using server = await startLambdaServer(({ body }) => ({
    status: 200,
    headers: { 'x-amzn-requestid': 'r-1' },
    body: JSON.stringify({ content: [{ type: 'text', text: `got ${body}` }] }),
  }));
  await using table = testTable(
    {
      'tools.yaml': [
        '- name: stock',
        '  description: What is in stock.',
        '  lambda: {function: stock-fn, connection: aws}',
        '  args: [{field_name: item, schema: {annotation: string}}]',
        '- {lambda_files: {tools: tools.ja.yml, assistant: ai_assistant.yml}, connection: aws}',
      ].join('\n'),
      'tools.ja.yml': [
        'aws_lambda_fucntions:',
        '- name: search_manual',
        '  description: マニュアルを検索します。',
        '  args: [{field_name: q, schema: {annotation: string, title: 検索語}}]',
      ].join('\n'),
      'ai_assistant.yml': [
        'service:',
        '  langchain:',
        '    tools:',
        '    - name: search_manual',
        '      aws_lambda_functions:',
        '        function_name: search-fn',
        '        role_arn: arn:aws:iam::123456789012:role/run',
        '        region_name: ap-northeast-1',
        '        handle: {raise_function_processing_error: false}',
      ].join('\n'),
    },
    {
      connections: [
        {
          name: 'aws',
          type: 'custom',
          configs: { endpoint: server.endpoint, region: 'ap-northeast-1', assume_role: 'false' },
          secrets: { aws_access_key_id: 'AKIDEXAMPLE', aws_secret_access_key: 'example' },
        },
      ],
    },
  );
  expect(table.told).toBe('');
  expect(await table.call('stock', { item: 'ねじ' })).toEqual({
    ok: true,
    content: 'got {"item":"ねじ"}',
    requestId: 'r-1',
  });
  expect(await table.call('search_manual', { q: 'x' })).toMatchObject({ ok: true, content: 'got {"q":"x"}' });
  expect(server.received.map(({ path }) => path)).toEqual([
    '/2015-03-31/functions/stock-fn/invocations',
    '/2015-03-31/functions/search-fn/invocations',
  ]);
  expect(await table.call('stock', { item: 1 })).toMatchObject({ toModel: true, error: { code: 'UNFIT_ARGUMENTS' } });
  expect(table.printed.join('')).not.toContain('ねじ');
});

test('eleven user programs: the first ten, and a warning', async () => {
  const programs = Array.from({ length: 11 }, (_, at) => `- {name: p${at}, description: d, lambda: {function: f}}`);
  await using table = testTable({ 'tools.yaml': programs.join('\n') });
  expect(table.told).toBe(
    [
      'tools.yaml:11:3 warning TOOL_LIMIT an agent has at most 10 user programs; these are left out: p10',
      '    - {name: p10, description: d, lambda: {function: f}}',
      '      ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~',
      '1 warning',
    ].join('\n'),
  );
  const { tools, warnings } = await table.open();
  expect(tools).toHaveLength(10);
  expect(warnings).toEqual(['an agent has at most 10 tools; these are left out: p10']);
});

test('an operation that is used and comes to more values than are read is warned of', async () => {
  const level = (at: number) =>
    `s${at}: {properties: {a: {$ref: '#/components/schemas/s${at + 1}'}, b: {$ref: '#/components/schemas/s${at + 1}'}}}`;
  const operation = (id: string) =>
    `{operationId: ${id}, parameters: [{name: a, in: query, schema: {$ref: '#/components/schemas/s0'}}]}`;
  await using table = testTable({
    'tools.yaml': '- {openapi: shop.yaml, operations: [used], base_url: "http://127.0.0.1"}',
    'shop.yaml': `paths:
  /a:
    post:
      ${operation('used')}
    put:
      ${operation('unused')}
components:
  schemas:
    ${Array.from({ length: 20 }, (_, at) => level(at)).join('\n    ')}
    s20: {}
`,
  });
  expect(table.told).toBe(
    [
      'shop.yaml:3:5 warning TOOL_OPENAPI the arguments of POST /a come to more than 50000 values or 200 levels',
      '        post:',
      '        ~~~~',
      '    help: a model is told nothing of what is beyond them',
      '1 warning',
    ].join('\n'),
  );
});

test('a keyword of the arguments that is nearly a known one is told, and bars nothing', async () => {
  await using table = testTable({
    'tools.yaml':
      '- {name: calm, description: d, code: t.ts, parameters: {type: object, propertes: {a: {type: string}}}}',
    't.ts': 'export const calm = () => 1;\n',
  });
  expect(table.told).toBe(
    [
      'tools.yaml:1:71 warning TOOL_PARAMETERS the parameters of tool "calm" have "propertes", which is no keyword of JSON Schema',
      '    - {name: calm, description: d, code: t.ts, parameters: {type: object, propertes: {a: {type: string}}}}',
      '                                                                          ~~~~~~~~~',
      '    help: did you mean "properties"?',
      '1 warning',
    ].join('\n'),
  );
  expect(await table.call('calm', {})).toEqual({ ok: true, content: 1 });
});

test('a time limit with a point is a number', async () => {
  await using table = testTable({
    'tools.yaml': '- {name: calm, description: d, code: t.ts, timeout: 5.0, max_bytes: 1000.0}',
    't.ts': 'export const calm = () => 1;\n',
  });
  expect(table.told).toBe('');
  expect(await table.call('calm', {})).toEqual({ ok: true, content: 1 });
});

test('a tool whose file has no such function is told its other mistakes, too', async () => {
  await using table = testTable({
    'tools.yaml': '- {name: c, description: d, code: tools.ts, parameters: {type: number}}',
    'tools.ts': '',
  });
  expect(table.diagnostics.map(({ code }) => code).sort()).toEqual(['TOOL_PARAMETERS', 'TOOL_UNKNOWN']);
});

test('a function that takes its arguments apart is told: it is handed one object', async () => {
  const parameters = 'parameters: {type: object, properties: {city: {type: string}, days: {type: integer}}}';
  await using table = testTable({
    'tools.yaml': ['typed', 'plain', 'right', 'whole']
      .map((name) => `- {name: ${name}, description: d, code: t.ts, ${parameters}}\n`)
      .join(''),
    't.ts': `export const typed = async (city: string, days: number) => [city, days];
export function plain(city) { return city.trim(); }
export function right({ city }: { city: string }) { return city; }
export const whole = (given) => given.city;
`,
  });
  expect(table.diagnostics.map(({ severity, help }) => [severity, help])).toEqual([
    ['warning', 'write ({ city, days }: { city: string; days: number })'],
    ['warning', 'write ({ city })'],
  ]);
});

test('a function whose parameters are not those of its tool is told', async () => {
  const tool = (name: string, file: string, properties: string): string =>
    `- {name: ${name}, description: d, code: ${file}, parameters: {type: object, properties: {${properties}}}}\n`;
  await using table = testTable({
    'tools.yaml': [
      tool('near', 't.ts', 'town: {type: string}'),
      tool('optional', 't.ts', 'town: {type: string}'),
      tool('less', 't.ts', 'town: {type: string}, days: {type: integer}'),
      tool('asks', 't.py', 'town: {type: string}'),
      tool('any', 't.py', 'town: {type: string}'),
      tool('wrapped', 't.py', 'town: {type: string}'),
    ].join(''),
    't.ts': `export function near({ towm }: { towm: string }) { return towm; }
export function optional({ town, unit }: { town: string; unit?: string }) { return town + unit; }
export const less = ({ town }: { town: string }) => town;
`,
    't.py': `def asks(city, unit="C"):
    return city

def any(**given):
    return given

@cached
def wrapped(self, other):
    return other
`,
  });
  expect(table.diagnostics.map(({ message, help = '' }) => `${message}; ${help}`)).toEqual([
    'the function "near" asks for "towm", which is none of its tool\'s parameters; did you mean "town"?',
    'the function "asks" asks for "city", which is none of its tool\'s parameters; add "city" to the parameters of the tool, or give it a default',
    'the function "asks" takes no "town", which its tool\'s parameters have; ',
  ]);
});

test('a function that reads an argument of a tool without parameters is told, whatever its type', async () => {
  const names = ['typed', 'inline', 'defaults', 'none', 'whole', 'open'];
  await using table = testTable({
    'tools.yaml': names
      .map(
        (name) =>
          `- {name: ${name}, description: d, code: t.ts${name === 'open' ? ', parameters: {type: object, additionalProperties: true}' : ''}}\n`,
      )
      .join(''),
    't.ts': `import type { Order } from './order.ts';
export function typed({ id, day }: Order) { return id + day; }
export function inline({ id }: { id?: string }) { return id; }
export function defaults({ id = 'a', day: date = 1 }: Partial<Order> = {}) { return id + date; }
export const none = () => 1;
export const whole = (given: Order) => given.id;
export const open = ({ id }: Order) => id;
`,
    'order.ts': 'export interface Order { id: string; day: number }',
  });
  const help = 'describe it in `parameters` of the tool, as JSON Schema, or give it a default';
  expect(table.diagnostics.map((one) => [one.message, one.help])).toEqual([
    ['the function "typed" reads "id", and its tool has no parameters: no model is told of any', help],
    ['the function "inline" reads "id", and its tool has no parameters: no model is told of any', help],
  ]);
});

test('every mistake is told with its place', async () => {
  await using table = testTable({
    'tools.yaml': [
      'tools:',
      '- name: multiply',
      '  description: Multiplies.',
      '  cod: tools.ts',
      '- {name: 検索, description: d, code: tools.ts}',
      '- {name: a, code: tools.ts, parametres: {}}',
      '- {name: b, description: d, code: tool.ts}',
      '- {name: c, description: d, code: tools.ts, parameters: {type: number}}',
      '- {name: d, description: d, code: tools.ts, timeout: soon}',
      '- {openapi: orders.yaml, operations: [getOrdr]}',
      '- {name: e, description: d, lambda: {function: f}, args: [{field_name: x, schema: {annotation: text}}]}',
      '- {name: g, description: d, return_control: true}',
      '- {name: g, description: d, return_control: true}',
      '- {mcp: {name: files}, allow: [read_file]}',
      '- {mcp: {name: files, command: node}}',
      '- {lambda_files: {tools: t.yml}}',
      '- {name: h, description: d, code: tools.ts, parameters: {type: object, properties: {a: {type: strng}}}}',
      '- {name: i, description: d, lambda: {region: x}}',
      '- just a text',
    ].join('\n'),
    'tools.ts': ['検索', 'c', 'h'].map((name) => `export const ${name} = () => 1;\n`).join(''),
    'orders.yaml': 'paths: {/a: {get: {}}}',
  });
  await expect(table.told).toMatchFileSnapshot('tool-mistakes.golden.txt');
});
