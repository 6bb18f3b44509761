import type { JsonObject, JsonValue } from '@unroll/engine';
import { expect, test } from 'vitest';
import type { CatalogueTool } from './catalogue-tool.ts';
import { callsOfMessage, ToolGuard } from './tool-guard.ts';
import { offerTools, strictSchema } from './tool-offer.ts';

const tools: readonly CatalogueTool[] = [
  {
    name: 'get_order',
    own: 'getOrder',
    group: 'Shop',
    category: '',
    description: 'The state of an order\nand more',
    parameters: {
      type: 'object',
      properties: { id: { type: 'string' }, lines: { type: 'boolean' } },
      required: ['id'],
      additionalProperties: false,
    },
  },
  {
    name: 'cancel_order',
    own: 'cancelOrder',
    group: 'Shop',
    category: '',
    description: 'Cancels an order',
    parameters: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  },
];
const guard = new ToolGuard(tools, (name) => name === 'refund_order');

test.for<{ name: JsonValue; given: JsonValue; reason: string; message: string; suggestion?: string }>([
  {
    name: 'getOrder',
    given: '{"id":"1"}',
    reason: 'no_such_tool',
    message: 'There is no tool "getOrder". Nothing was called. Did you mean "get_order"?',
    suggestion: 'get_order',
  },
  {
    name: 'GET_ORDER',
    given: '{"id":"1"}',
    reason: 'no_such_tool',
    message: 'There is no tool "GET_ORDER". Nothing was called. Did you mean "get_order"?',
    suggestion: 'get_order',
  },
  {
    name: 'refund_order',
    given: '{}',
    reason: 'not_offered',
    message:
      '"refund_order" is not among the tools of this turn. Nothing was called. There are: get_order, cancel_order.',
  },
  {
    name: 'weather',
    given: '{}',
    reason: 'no_such_tool',
    message: 'There is no tool "weather". Nothing was called. There are: get_order, cancel_order.',
  },
  {
    name: null,
    given: '{}',
    reason: 'no_such_tool',
    message: 'There is no tool "null". Nothing was called. There are: get_order, cancel_order.',
  },
  {
    name: 'get_order',
    given: '{"id":',
    reason: 'arguments_no_json',
    message: 'The arguments of "get_order" are no JSON object. Nothing was called. Write them as one JSON object.',
  },
  {
    name: 'get_order',
    given: '{"id":7,"day":1}',
    reason: 'arguments_do_not_fit',
    message:
      'The arguments of "get_order" do not fit: must NOT have additional properties: day; id must be string. Nothing was called.',
  },
  {
    name: 'none_of_these',
    given: '{}',
    reason: 'none_of_these',
    message: 'No tool was called: none of these fits.',
  },
])('$name $given: $reason', ({ name, given, ...wanted }) => {
  expect(guard.check({ name, arguments: given })).toEqual({ ok: false, name, ...wanted });
});

test('a call that fits; null stands for what is left out', () => {
  expect(guard.check({ name: 'get_order', arguments: '{"id":"1","lines":null}' })).toEqual({
    ok: true,
    tool: tools[0],
    arguments: { id: '1' },
  });
  expect(guard.check({ name: 'get_order', arguments: { id: '1', lines: true } })).toMatchObject({ ok: true });
});

test.for<JsonObject>([
  { type: ['string', 'null'] },
  { anyOf: [{ type: 'string' }, { type: 'null' }] },
  { oneOf: [{ type: 'null' }, { type: 'string' }] },
  { type: 'string', nullable: true },
  { enum: ['a', null] },
])('null stays where the schema takes it: %j', (note) => {
  const [tool] = tools;
  if (tool === undefined) throw new Error('no tool');
  const parameters = { type: 'object', properties: { note } };
  const given = { note: null };
  expect(new ToolGuard([{ ...tool, parameters }]).check({ name: 'get_order', arguments: given })).toMatchObject({
    ok: true,
    arguments: given,
  });
});

test.for<{ message: JsonValue; calls: unknown }>([
  {
    message: { content: null, tool_calls: [{ id: 'c1', type: 'function', function: { name: 'a', arguments: '{}' } }] },
    calls: [{ id: 'c1', name: 'a', arguments: '{}' }],
  },
  {
    message: { content: null, function_call: { name: 'a', arguments: '{}' } },
    calls: [{ name: 'a', arguments: '{}' }],
  },
  { message: '{"name":"a","arguments":{"x":1}}', calls: [{ name: 'a', arguments: { x: 1 } }] },
  {
    message: { function_call: { name: 'call_tool', arguments: '{"name":"a","arguments":"{\\"x\\":1}"}' } },
    calls: [{ name: 'a', arguments: '{"x":1}' }],
  },
  { message: { function_call: { name: 'call_tool', arguments: '{' } }, calls: [{ name: 'call_tool', arguments: '{' }] },
  { message: { content: 'No tool is needed.' }, calls: [] },
  { message: null, calls: [] },
])('calls of $message', ({ message, calls }) => {
  expect(callsOfMessage(message)).toEqual(calls);
});

test('tools as functions of their own: strict where they can be', () => {
  expect(offerTools(tools, 'tools')).toEqual({
    tools: [
      {
        type: 'function',
        function: {
          name: 'get_order',
          description: 'The state of an order\nand more',
          strict: true,
          parameters: {
            type: 'object',
            properties: { id: { type: 'string' }, lines: { type: ['boolean', 'null'] } },
            required: ['id', 'lines'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'cancel_order',
          description: 'Cancels an order',
          strict: true,
          parameters: {
            type: 'object',
            properties: { id: { type: 'string' } },
            required: ['id'],
            additionalProperties: false,
          },
        },
      },
    ],
  });
});

test('one call_tool with the names as its enum', () => {
  const { tools: offered } = offerTools(tools, 'call_tool') as unknown as {
    tools: readonly [{ function: { strict: boolean; description: string; parameters: { properties: unknown } } }];
  };
  expect(offered).toHaveLength(1);
  expect(offered[0].function).toMatchObject({
    name: 'call_tool',
    strict: true,
    parameters: { properties: { name: { enum: ['get_order', 'cancel_order', 'none_of_these'] } } },
  });
  expect(offered[0].function.description).toContain(
    '- get_order(id, lines): The state of an order\n- cancel_order(id)',
  );
});

test('structured outputs of vLLM: one branch a tool, and one for none', () => {
  const offered = offerTools(tools, 'structured_outputs') as unknown as {
    structured_outputs: { json: { anyOf: readonly { properties: { name: { const: string } } }[] } };
  };
  const names = offered.structured_outputs.json.anyOf.map(({ properties }) => properties.name.const);
  expect(names).toEqual(['get_order', 'cancel_order', 'none_of_these']);
});

test.for([
  { type: 'object', properties: { a: { oneOf: [] } } },
  { type: 'object', properties: { a: {} } },
  { type: 'object', properties: { a: { type: 'object' } } },
  { type: 'object', additionalProperties: { type: 'string' }, properties: {} },
  { type: 'object', properties: { a: { type: 'array', items: {} } } },
])('%j cannot be strict', (schema) => {
  expect(strictSchema(schema)).toBeUndefined();
});
