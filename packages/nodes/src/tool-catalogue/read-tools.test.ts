import { expect, test } from 'vitest';
import { parseCatalogue, stringifyCatalogue } from './catalogue-file.ts';
import { readTools } from './read-tools.ts';
import { nameTools } from './tool-catalogue.ts';

const openApi = `openapi: 3.0.3
info: { title: Shop, version: "1" }
servers: [{ url: "https://shop.example/v1" }]
paths:
  /orders/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: string }, description: number of the order }
    get:
      operationId: getOrder
      tags: [orders]
      summary: Tells the state of an order
      parameters:
        - { name: lines, in: query, schema: { type: boolean } }
    post:
      summary: Changes an order
      requestBody:
        content:
          application/json:
            schema: { $ref: "#/components/schemas/Change" }
components:
  schemas:
    Change:
      type: object
      required: [note]
      properties:
        note: { type: string }
        parent: { $ref: "#/components/schemas/Change" }
`;

test('operations of an OpenAPI document', () => {
  const { tools, mistakes } = readTools({ path: 'shop.yaml', text: openApi });
  expect(mistakes).toEqual([]);
  expect(tools.map(({ place }) => place)).toEqual(['shop.yaml:8', 'shop.yaml:14']);
  expect(tools.map(({ tool }) => tool)).toEqual([
    {
      own: 'getOrder',
      group: 'Shop',
      category: 'orders',
      description: 'Tells the state of an order',
      parameters: {
        type: 'object',
        properties: { id: { type: 'string', description: 'number of the order' }, lines: { type: 'boolean' } },
        required: ['id'],
        additionalProperties: false,
      },
      call: {
        method: 'GET',
        path: '/orders/{id}',
        server: 'https://shop.example/v1',
        in: { id: 'path', lines: 'query' },
      },
    },
    {
      own: 'post /orders/{id}',
      group: 'Shop',
      category: '',
      description: 'Changes an order',
      parameters: {
        type: 'object',
        properties: {
          id: { type: 'string', description: 'number of the order' },
          note: { type: 'string' },
          parent: {},
        },
        required: ['id', 'note'],
        additionalProperties: false,
      },
      call: {
        method: 'POST',
        path: '/orders/{id}',
        server: 'https://shop.example/v1',
        in: { id: 'path', note: 'body', parent: 'body' },
      },
    },
  ]);
});

test('a document in the older form (Swagger 2.0)', () => {
  const text = JSON.stringify({
    swagger: '2.0',
    info: { title: 'Old' },
    host: 'old.example',
    basePath: '/api',
    schemes: ['http'],
    paths: {
      '/notes': {
        put: {
          operationId: 'note',
          parameters: [
            { name: 'kind', in: 'query', type: 'string', enum: ['a', 'b'], required: true },
            { name: 'content', in: 'body', schema: { type: 'object', properties: { text: { type: 'string' } } } },
          ],
        },
      },
    },
  });
  const [found] = readTools({ path: 'old.json', text }).tools;
  expect(found?.tool.parameters).toEqual({
    type: 'object',
    properties: { kind: { type: 'string', enum: ['a', 'b'] }, text: { type: 'string' } },
    required: ['kind'],
    additionalProperties: false,
  });
  expect(found?.tool.call).toMatchObject({ server: 'http://old.example/api', in: { kind: 'query', text: 'body' } });
});

const parameters = { type: 'object', properties: { q: { type: 'string' } } };
const wanted = { own: 'find', group: '', category: '', description: 'Finds', parameters };

test.for([
  {
    what: "OpenAI's tools",
    text: [{ type: 'function', function: { name: 'find', description: 'Finds', parameters } }],
  },
  { what: "OpenAI's functions", text: { functions: [{ name: 'find', description: 'Finds', parameters }] } },
  {
    what: 'an answer to tools/list',
    text: { tools: [{ name: 'find', description: 'Finds', inputSchema: parameters }] },
  },
  {
    what: 'the same with its envelope',
    text: {
      jsonrpc: '2.0',
      id: 1,
      result: { tools: [{ name: 'find', description: 'Finds', inputSchema: parameters }] },
    },
  },
  { what: "Anthropic's tools", text: [{ name: 'find', description: 'Finds', input_schema: parameters }] },
])('$what', ({ text }) => {
  const read = readTools({ path: 'tools.json', text: JSON.stringify(text) });
  expect(read).toEqual({ tools: [{ tool: wanted, place: expect.stringMatching(/^tools\.json:1$/) }], mistakes: [] });
});

test("lines of ToolBench's form", () => {
  const line = {
    category: 'Data',
    tool: 'Songs',
    api: 'Get by id',
    description: 'One song',
    required: [{ name: 'id', type: 'NUMBER', description: 'of the song', default: '7' }],
    optional: [{ name: 'day', type: 'DATE (YYYY-MM-DD)', description: '', default: '' }],
  };
  const [found] = readTools({ path: 'apis.jsonl', text: `${JSON.stringify(line)}\n` }).tools;
  expect(found?.tool).toEqual({
    own: 'Get by id',
    group: 'Songs',
    category: 'Data',
    description: 'One song',
    parameters: {
      type: 'object',
      properties: { id: { type: 'number', description: 'of the song', default: '7' }, day: { type: 'string' } },
      required: ['id'],
    },
  });
});

test('mistakes have their places, and leave the others readable', () => {
  const lines = [
    '{"name": "a"}',
    '{"name": ',
    '',
    '{"description": "no name"}',
    '7',
    '{"name": "b", "parameters": []}',
  ];
  const { tools, mistakes } = readTools({ path: 'x.jsonl', text: lines.join('\n') });
  expect(tools.map(({ place }) => place)).toEqual(['x.jsonl:1']);
  expect(mistakes.map(({ place }) => place)).toEqual(['x.jsonl:2', 'x.jsonl:4', 'x.jsonl:5', 'x.jsonl:6']);
  expect(mistakes[3]?.message).toBe('"b": its parameters are no JSON Schema of an object');
});

test.for([
  ['x.yaml', 'a: [', 'x.yaml:1'],
  ['x.json', '{"a": 1}', 'x.json'],
  ['x.json', '{', 'x.json'],
] as const)('%s with %s is no file of tools', ([path, text, place]) => {
  const { tools, mistakes } = readTools({ path, text });
  expect(tools).toEqual([]);
  expect(mistakes.map((one) => one.place)).toEqual([place]);
});

test('a tool described twice is kept once and told', () => {
  const read = readTools({ path: 'x.jsonl', text: '{"name": "a"}\n{"name": "b"}\n{"name": "a"}\n' });
  const { tools, mistakes } = nameTools(read.tools);
  expect(tools.map(({ name }) => name)).toEqual(['a', 'b']);
  expect(mistakes).toEqual([{ place: 'x.jsonl:3', message: '"a" is described already at x.jsonl:1' }]);
});

test('a catalogue is read as it was written', () => {
  const { tools } = nameTools(readTools({ path: 'shop.yaml', text: openApi }).tools);
  const read = parseCatalogue('shop.tools', stringifyCatalogue(tools));
  expect(read.tools).toEqual(tools);
  expect(read.find('getOrder')?.call).toMatchObject({ method: 'GET' });
  expect(read.find('GetOrder')).toBeUndefined();
});

test.for([
  ['', 'x.tools is no catalogue of tools; make one: flow tools build <file> --out <name>.tools'],
  ['{"unroll_tools":2,"tools":0}\n', 'x.tools has format 2, this version reads 1; build it again'],
  ['{"unroll_tools":1,"tools":1}\n{"name":\n', 'x.tools:2: no JSON'],
  ['{"unroll_tools":1,"tools":1}\n{"name":"a b","api":"a"}\n', 'x.tools:2: "a b" is no name a model may be told'],
  ['{"unroll_tools":1,"tools":2}\n{"name":"a"}\n{"name":"a"}\n', 'x.tools:3: the name "a" is taken already'],
] as const)('refused: %j', ([text, message]) => {
  expect(() => parseCatalogue('x.tools', text)).toThrow(message);
});

test('a tool whose arguments come to more values than are read is a mistake, and leaves the others', () => {
  const next = (level: number) => ({ $ref: `#/components/schemas/s${level + 1}` });
  const schemas = Object.fromEntries(
    Array.from({ length: 20 }, (_, level) => [`s${level}`, { properties: { a: next(level), b: next(level) } }]),
  );
  const operation = (from: number) => ({
    requestBody: { content: { 'application/json': { schema: { properties: { a: next(from) } } } } },
  });
  const text = JSON.stringify({ paths: { '/a': { post: operation(0), put: operation(18) } }, components: { schemas } });
  const { tools, mistakes } = readTools({ path: 'shop.json', text });
  expect(tools.map(({ tool }) => tool.own)).toEqual(['put /a']);
  expect(mistakes).toEqual([
    { place: 'shop.json:1', message: 'the arguments of POST /a come to more than 50000 values or 200 levels' },
  ]);
});

test('a tool of which an argument stands in another file is a mistake, and leaves the others', () => {
  const shared = { get: { parameters: [{ $ref: 'common.yaml#/Id' }] } };
  const text = JSON.stringify({ paths: { '/a': shared, '/b': { get: {} } } });
  const { tools, mistakes } = readTools({ path: 'shop.json', text });
  expect(tools.map(({ tool }) => tool.own)).toEqual(['get /b']);
  expect(mistakes).toEqual([
    {
      place: 'shop.json:1',
      message: 'GET /a names "common.yaml#/Id", which is not in the document: a model is told nothing of it',
    },
  ]);
});
