import { expect, test } from 'vitest';
import { startHttpServer } from '../../testing/http-server.ts';
import { testTable } from '../../testing/test-table.ts';

const echo = startHttpServer.bind(undefined, ({ url, body, headers }) => ({
  body: `${url.pathname}${url.search} ${headers['x-h'] ?? ''} ${headers['content-type'] ?? ''} ${body}`
    .replaceAll(/-+formdata\S+?\d+(?:--)?/g, '#')
    .replaceAll('\r\n', '|')
    .replaceAll(/ +/g, ' ')
    .trim(),
}));

const openapi = (paths: string) => `openapi: 3.0.3\npaths: {${paths}}`;
const swagger = (operation: string) => `swagger: "2.0"\nhost: shop.example\npaths: {/a: {${operation}}}`;
const query = (parameter: string) =>
  openapi(`/a: {get: {operationId: a, parameters: [{name: f, in: query, ${parameter}}]}}`);
const path = (parameter: string) =>
  openapi(`"/a/{f}": {get: {operationId: a, parameters: [{name: f, in: path, required: true, ${parameter}}]}}`);
const header = (parameter: string) =>
  openapi(`/a: {get: {operationId: a, parameters: [{name: X-H, in: header, ${parameter}}]}}`);
const posted = (type: string, schema: string) =>
  openapi(`/a: {post: {operationId: a, requestBody: {content: {${type}: {schema: {${schema}}}}}}}`);
const list = 'schema: {type: array, items: {}}';
const mapping = 'schema: {type: object}';
const text = 'properties: {x: {type: string}}';

test.for<readonly [about: string, document: string, given: object, asked: string]>([
  ['lists of a query stand apart', query(list), { f: [1, 'b c'] }, '/a?f=1&f=b+c'],
  ['explode: false', query(`explode: false, ${list}`), { f: [1, 'b,c'] }, '/a?f=1,b%2Cc'],
  ['pipeDelimited', query(`style: pipeDelimited, explode: false, ${list}`), { f: [1, 2] }, '/a?f=1%7C2'],
  ['spaceDelimited', query(`style: spaceDelimited, explode: false, ${list}`), { f: [1, 2] }, '/a?f=1%202'],
  ['deepObject', query(`style: deepObject, ${mapping}`), { f: { x: 1, y: null } }, '/a?f%5Bx%5D=1'],
  ['a mapping', query(mapping), { f: { x: 1, y: 'b' } }, '/a?x=1&y=b'],
  ['a mapping, explode: false', query(`explode: false, ${mapping}`), { f: { x: 1, y: 'b' } }, '/a?f=x,1,y,b'],
  ['content', query('content: {application/json: {schema: {type: string}}}'), { f: 'b' }, '/a?f=%22b%22'],
  ['null', query('schema: {type: string, nullable: true}'), { f: null }, '/a'],
  ['a list in a path', path(list), { f: [1, 'b/c'] }, '/a/1,b%2Fc'],
  ['a mapping in a path', path(mapping), { f: { x: 1 } }, '/a/x,1'],
  ['label', path(`style: label, explode: true, ${mapping}`), { f: { x: 1, y: 'b' } }, '/a/.x=1.y=b'],
  ['matrix', path('style: matrix, schema: {type: string}'), { f: 'b' }, '/a/;f=b'],
  ['matrix of a list', path(`style: matrix, explode: true, ${list}`), { f: [1, 2] }, '/a/;f=1;f=2'],
  ['a list in a header', header(list), { 'X-H': [1, 2] }, '/a 1,2'],
  ['a mapping in a header', header(`explode: true, ${mapping}`), { 'X-H': { x: 1 } }, '/a x=1'],
  [
    'a query in the path',
    openapi('/a?v=2: {get: {operationId: a, parameters: [{name: f, in: query, schema: {}}]}}'),
    { f: 1 },
    '/a?v=2&f=1',
  ],
  [
    'lists of Swagger 2.0 have commas',
    swagger('get: {operationId: a, parameters: [{name: f, in: query, type: array, items: {}}]}'),
    { f: [1, 2] },
    '/a?f=1,2',
  ],
  [
    'collectionFormat',
    swagger(
      'get: {operationId: a, parameters: [{name: f, in: query, type: array, items: {}, collectionFormat: multi}]}',
    ),
    { f: [1, 2] },
    '/a?f=1&f=2',
  ],
  [
    'fields of a form in Swagger 2.0',
    swagger(
      'post: {operationId: a, parameters: [{name: f, in: formData, type: array, items: {}}, {name: g, in: formData, type: string}]}',
    ),
    { f: [1, 2], g: '&' },
    '/a application/x-www-form-urlencoded f=1,2&g=%26',
  ],
  [
    'a file in Swagger 2.0',
    swagger('post: {operationId: a, parameters: [{name: f, in: formData, type: file}]}'),
    { f: 'b' },
    '/a multipart/form-data; boundary=# #|Content-Disposition: form-data; name="f"||b|#|',
  ],
  [
    'multipart',
    posted('multipart/form-data', text),
    { x: 'é' },
    '/a multipart/form-data; boundary=# #|Content-Disposition: form-data; name="x"||é|#|',
  ],
  ['XML is a text', posted('application/xml', text), { body: '<x/>' }, '/a application/xml <x/>'],
  ['any type is JSON', posted('"*/*"', text), { x: 'b' }, '/a application/json {"x":"b"}'],
  [
    'members beside allOf',
    posted('application/json', `allOf: [{properties: {id: {type: string}}, required: [id]}], ${text}`),
    { body: { id: '1', x: 'b' } },
    '/a application/json {"id":"1","x":"b"}',
  ],
  [
    'other members',
    posted('application/json', `additionalProperties: {type: integer}, ${text}`),
    { body: { x: 'b', y: 1 } },
    '/a application/json {"x":"b","y":1}',
  ],
])('what is asked over HTTP: %s', async ([, document, given, asked]) => {
  await using server = await echo();
  await using table = testTable({
    'tools.yaml': `- {openapi: shop.yaml, base_url: "${server.url}"}`,
    'shop.yaml': document,
  });
  expect(table.told).toBe('');
  expect(await table.call('a', given as never)).toEqual({ ok: true, content: asked });
});

test.for<readonly [document: string, given: object, message: string]>([
  [path('schema: {type: string}'), { f: '\ud800' }, 'an argument of the path holds half a character'],
  [path('schema: {}'), { f: null }, 'an argument of the path is empty, "." or ".."'],
  [header('schema: {}'), { 'X-H': '日' }, 'the argument of the header x-h holds characters that no header takes'],
  [query('content: {application/json: {schema: {type: integer}}}'), { f: 'b' }, 'f must be integer'],
  [query('schema: {type: integer, minimum: 1, exclusiveMinimum: true}'), { f: 1 }, 'f must be > 1'],
  [
    posted('application/json', `allOf: [{properties: {id: {type: string}}, required: [id]}], ${text}`),
    { body: { x: 'b' } },
    "body must have required property 'id'",
  ],
])('what does not fit is told to the model: %j %j', async ([document, given, message]) => {
  await using server = await echo();
  await using table = testTable({
    'tools.yaml': `- {openapi: shop.yaml, base_url: "${server.url}"}`,
    'shop.yaml': document,
  });
  expect(table.told).toBe('');
  expect(await table.call('a', given as never)).toMatchObject({ ok: false, toModel: true, error: { message } });
  expect(server.requests).toEqual([]);
});

test.for([
  [
    '/a: {get: {operationId: a, parameters: [{name: s, in: cookie, required: true, schema: {}}]}}',
    'warning TOOL_OPENAPI GET /a needs the cookie "s", and no cookie is sent',
  ],
  [
    '/a: {$ref: "other.yaml"}, /b: {get: {operationId: b}}',
    'warning TOOL_OPENAPI the path /a is "other.yaml", which is not in the document: its operations are left out',
  ],
  [
    '/a: {get: {operationId: a}}, /b: {get: {operationId: a}}',
    'error TOOL_OPENAPI GET /b has the operationId "a" of another operation',
  ],
] as const)('what a document lacks is told: %s', async ([paths, message]) => {
  await using table = testTable({
    'tools.yaml': '- {openapi: shop.yaml, base_url: "http://shop.example"}',
    'shop.yaml': openapi(paths),
  });
  expect(table.told).toContain(message);
});
