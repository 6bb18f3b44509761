import { expect, test } from 'vitest';
import { startHttpServer } from '../../testing/http-server.ts';
import { testTable } from '../../testing/test-table.ts';

const echo = startHttpServer.bind(undefined, ({ method, url, body }) => ({
  body: { method, path: `${url.pathname}${url.search}`, body },
}));

function tableOf(url: string, document: string) {
  return testTable(
    { 'tools.yaml': '- {openapi: shop.yaml, connection: shop}', 'shop.yaml': document },
    {
      connections: [
        {
          name: 'shop',
          type: 'custom',
          configs: { base_url: url, api_key_header: 'X-Api-Key' },
          secrets: { api_key: 'sk-secret' },
        },
      ],
    },
  );
}

test('an argument that stands in the path and in the body is sent in both', async () => {
  await using server = await echo();
  await using table = tableOf(
    server.url,
    `openapi: 3.0.3
paths:
  /orders/{id}:
    put:
      operationId: change
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      requestBody: {content: {application/json: {schema: {properties: {id: {type: string}, amount: {type: integer}}}}}}
`,
  );
  expect(table.told).toBe('');
  expect(await table.call('change', { id: 'a b', amount: 2, constructor: 1 })).toEqual({
    ok: true,
    content: JSON.stringify({ method: 'PUT', path: '/orders/a%20b', body: '{"id":"a b","amount":2}' }),
  });
});

test('arguments that no parameter takes are not sent, and told', async () => {
  await using server = await echo();
  const parameters = 'parameters: [{name: id, in: query, schema: {type: string}}]';
  const document = `openapi: 3.0.3\npaths:\n  /orders:\n    get: {operationId: find, ${parameters}}\n`;
  await using table = tableOf(server.url, document);
  const made = Object.fromEntries(['ident', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, 1]));
  expect(await table.call('find', { id: 'a', ...made })).toMatchObject({
    ok: true,
    content: expect.stringContaining('"/orders?id=a"'),
  });
  expect(table.printed).toEqual([
    'find has no parameter "ident", "b", "c", "d", "e" and 1 more: what was given for it was not sent\n',
  ]);
});

test('a parameter that the document does not hold is told, and no address is asked that lacks it', async () => {
  await using server = await echo();
  await using table = tableOf(
    server.url,
    `openapi: 3.0.3
paths:
  /orders/{id}:
    get: {operationId: find, parameters: [{$ref: 'common.yaml#/Id'}]}
`,
  );
  expect(table.told).toBe(
    [
      'shop.yaml:4:5 warning TOOL_OPENAPI GET /orders/{id} names "common.yaml#/Id", which is not in the document: a model is told nothing of it',
      "        get: {operationId: find, parameters: [{$ref: 'common.yaml#/Id'}]}",
      '        ~~~',
      '    help: write it into the document: no other file is read',
      'shop.yaml:4:5 warning TOOL_OPENAPI no parameter of GET /orders/{id} says what {id} is',
      "        get: {operationId: find, parameters: [{$ref: 'common.yaml#/Id'}]}",
      '        ~~~',
      '    help: a call over HTTP will fail',
      '2 warnings',
    ].join('\n'),
  );
  expect(await table.call('find', {})).toEqual({
    ok: false,
    toModel: false,
    error: {
      code: 'UNFILLED_PATH',
      message: 'nobody says what {id} of /orders/{id} is: the OpenAPI document has no such parameter',
      retryable: false,
    },
  });
  expect(server.requests).toEqual([]);
});

test('a header of the document does not stand beside the key of the connection', async () => {
  await using server = await echo();
  await using table = tableOf(
    server.url,
    `openapi: 3.0.3
paths:
  /orders:
    get: {operationId: list, parameters: [{name: x-api-key, in: header, schema: {type: string}}]}
`,
  );
  await table.call('list', { 'x-api-key': 'of the model' });
  expect(server.requests.map(({ headers }) => headers['x-api-key'])).toEqual(['sk-secret']);
});

test('the key of a connection goes where the document has its service, and to no other server of one operation', async () => {
  await using own = await echo();
  await using other = await echo();
  const document = `openapi: 3.0.3
servers: [{url: "${own.url}"}]
paths:
  /a:
    get: {operationId: near}
  /b:
    get: {operationId: far, servers: [{url: "${other.url}"}]}
`;
  const connections = [{ name: 'shop', type: 'custom', configs: {}, secrets: { api_key: 'sk-secret' } }];
  const openAs = (entry: string) =>
    testTable(
      { 'tools.yaml': `- {openapi: shop.yaml, connection: shop, ${entry}}`, 'shop.yaml': document },
      { connections },
    );
  await using near = openAs('operations: [near]');
  expect(await near.call('near', {})).toMatchObject({ ok: true });
  await using far = openAs('operations: [far]');
  const refused = await far.open().catch((thrown: unknown) => String(thrown));
  expect(refused).toContain(
    `not where its OpenAPI document has its service: the key of connection "shop" is not sent there unless base_url says so`,
  );
  await using meant = openAs(`operations: [far], base_url: "${other.url}"`);
  expect(await meant.call('far', {})).toMatchObject({ ok: true });
  expect(other.requests).toHaveLength(1);
});
