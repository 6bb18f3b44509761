import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { JsonObject, Tool, ToolResult } from '@unroll/engine';
import { expect, test } from 'vitest';
import { startHttpServer } from '../../testing/http-server.ts';
import { openTools } from '../table/index.ts';
import { toolAction } from './tool-action.ts';

const context = { signal: new AbortController().signal, operation: 'getOrder' };
const event = {
  actionGroup: 'orders',
  apiPath: '/orders/{id}',
  httpMethod: 'POST',
  parameters: [
    { name: 'id', type: 'integer', value: '7' },
    { name: 'open', type: 'boolean', value: 'True' },
    { name: 'name', type: 'string', value: '7' },
  ],
  requestBody: { content: { 'application/json': { properties: [{ name: 'tags', type: 'array', value: '["a"]' }] } } },
};

function toolThat(answer: ToolResult, seen: JsonObject[] = []): Tool {
  const types = { id: 'integer', open: 'boolean', name: 'string', tags: 'array' };
  const properties = Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type }]));
  return {
    name: 'getOrder',
    description: '',
    parameters: { type: 'object', properties },
    effects: 'reads',
    call: async (given) => {
      seen.push(given);
      return answer;
    },
  };
}

test('texts of the protocol become values of the tool’s types; its result is the response', async () => {
  const seen: JsonObject[] = [];
  const response = await toolAction([toolThat({ ok: true, content: { state: 'sent' } }, seen)])(event, context);
  expect(seen).toEqual([{ id: 7, open: true, name: '7', tags: ['a'] }]);
  expect(response).toEqual({
    messageVersion: '1.0',
    response: {
      actionGroup: 'orders',
      apiPath: '/orders/{id}',
      httpMethod: 'POST',
      httpStatusCode: 200,
      responseBody: { 'application/json': { body: '{"state":"sent"}' } },
    },
  });
});

test('a text for a schema of several parts, which says no type, is what it holds', async () => {
  const seen: JsonObject[] = [];
  const tool = toolThat({ ok: true, content: '' }, seen);
  const parameters = { type: 'object', properties: { body: { allOf: [{ type: 'object' }] }, note: {} } };
  const properties = [
    { name: 'body', type: '', value: '{"x":1}' },
    { name: 'note', type: '', value: '{"x":1}' },
  ];
  const asked = { ...event, parameters: [], requestBody: { content: { 'application/json': { properties } } } };
  await toolAction([{ ...tool, parameters }])(asked, context);
  expect(seen).toEqual([{ body: { x: 1 }, note: '{"x":1}' }]);
});

test.for<[boolean, boolean]>([
  [false, false],
  [true, true],
])('an error that the model can correct (%s) comes back: %s', async ([toModel, comesBack]) => {
  const error = { code: 'UNFIT', message: 'id is too large', retryable: false };
  const answer = toolAction([toolThat({ ok: false, toModel, error })])(
    { actionGroup: 'g', function: 'getOrder' },
    context,
  );
  if (comesBack) {
    const functionResponse = { responseState: 'REPROMPT', responseBody: { TEXT: { body: 'id is too large' } } };
    expect(await answer).toMatchObject({ response: { function: 'getOrder', functionResponse } });
  } else await expect(answer).rejects.toMatchObject({ name: 'DependencyFailed', message: 'UNFIT: id is too large' });
});

test('an operation without a tool ends the turn', async () => {
  const answer = toolAction([])(event, context);
  await expect(answer).rejects.toMatchObject({ name: 'DependencyFailed' });
});

test('an operation of a table in a file is asked over HTTP', async () => {
  await using server = await startHttpServer(() => ({ body: '{"state":"sent"}' }));
  const folder = mkdtempSync(join(tmpdir(), 'tool-action-'));
  try {
    const get = {
      operationId: 'getOrder',
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
    };
    const document = { openapi: '3.0.3', info: { title: 'o', version: '1' }, paths: { '/orders/{id}': { get } } };
    writeFileSync(join(folder, 'orders.json'), JSON.stringify(document));
    writeFileSync(join(folder, 'tools.yaml'), `- {openapi: orders.json, base_url: '${server.url}'}\n`);
    const tools = await openTools(pathToFileURL(join(folder, 'tools.yaml')));
    const parameters = [{ name: 'id', type: 'integer', value: '7' }];
    const response = await toolAction(tools)({ ...event, parameters, requestBody: undefined as never }, context);
    expect(response).toMatchObject({ response: { httpStatusCode: 200 } });
    expect(server.requests.map(({ method, url }) => `${method} ${url.pathname}`)).toEqual(['GET /orders/7']);
    writeFileSync(join(folder, 'tools.yaml'), '- {openapi: nowhere.json}\n');
    await expect(openTools(pathToFileURL(join(folder, 'tools.yaml')))).rejects.toThrow(
      /tools.yaml:1:\d+ .*nowhere.json/,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
