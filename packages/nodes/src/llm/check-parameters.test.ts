import type { JsonObject, JsonValue, NodeDefinition } from '@unroll/engine';
import { expect, test } from 'vitest';
import type { Api } from './api-parameters.ts';
import { checkParameters } from './check-parameters.ts';

function told(api: Api, inputs: JsonObject, variables: readonly string[] = []): readonly string[] {
  const node: NodeDefinition = {
    name: 'ask',
    type: 'llm',
    inputs: Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, { kind: 'literal', value }])),
    settings: {},
    aggregation: false,
    locate: () => undefined,
  };
  return checkParameters(node, api, new Set(variables)).map(
    ({ severity, message, help }) => `${severity}: ${message.replace('node "ask": ', '')}; ${help}`,
  );
}

const limit = (model: string): string =>
  `warning: the model ${model} takes no max_tokens; write max_completion_tokens: it holds for what the model thinks and for what it answers`;
const stop =
  'error: the Responses API has no parameter "stop"; leave it out, or write api: chat; an agent needs format: tools or format: functions';

test.for<readonly [Api, JsonObject, readonly string[]]>([
  ['chat', { model: 'gpt-4o', max_tokens: 5, stop: ['x'] }, []],
  ['chat', { model: 'gpt-5', max_tokens: 5 }, [limit('gpt-5')]],
  ['chat', { model: 'gpt-5.1-mini', max_tokens: 5 }, [limit('gpt-5.1-mini')]],
  ['chat', { deployment_name: 'gpt-35-turbo', max_tokens: 5 }, []],
  ['chat', { deployment_name: 'gpt-41-mini', max_tokens: 5 }, []],
  ['chat', { deployment_name: 'o3-mini', max_tokens: 5 }, [limit('o3-mini')]],
  ['chat', { model: 'gpt-5-chat-latest', max_tokens: 5 }, []],
  ['chat', { model: 'o3', max_completion_tokens: 5 }, []],
  ['chat', { model: 'o3', max_tokens: null }, []],
  ['chat', { model: 'local', max_tokens: -1 }, []],
  ['responses', { model: 'o3', max_tokens: 5, temperature: 0 }, []],
  ['responses', { model: 'o3', stop: ['x'] }, [stop]],
  ['responses', { model: 'o3', stop: '' }, []],
  [
    'responses',
    { model: 'gpt-4.1', seed: 1, web_search_options: {} },
    [
      'error: the Responses API has no parameter "seed"; leave it out, or write api: chat',
      'error: the Responses API has no parameter "web_search_options"; offer the tool {type: web_search} instead, or write api: chat',
    ],
  ],
  [
    'chat',
    { model: 'o3', reasoning_effort: 'hihg', verbosity: 'endless' },
    [
      'warning: reasoning_effort "hihg" is none of none, minimal, low, medium, high, xhigh; did you mean "high"?',
      'warning: verbosity "endless" is none of low, medium, high; it is sent as it is',
    ],
  ],
  ['responses', { model: 'o3', reasoning_effort: 'minimal', verbosity: 'low' }, []],
  [
    'chat',
    { deployment_name: ['your deployment goes here'] },
    [
      'warning: deployment_name is ["your deployment goes here"], and a service takes a text; write a name, without brackets and braces',
    ],
  ],
  [
    'chat',
    { model: ['m'] },
    ['warning: model is ["m"], and a service takes a text; write a name, without brackets and braces'],
  ],
  ['chat', { model: 4 }, []],
  ['chat', { model: 'm', top_logprobs: 2 }, ['warning: top_logprobs needs logprobs: true; add logprobs: true']],
  ['chat', { model: 'm', top_logprobs: 2, logprobs: true }, []],
  [
    'chat',
    {
      response_format: 'json',
      logit_bias: 'abc',
      stop: ['a', 1],
      store: 'yes',
      temperature: '２',
      stream: 'true',
      seed: '7',
    },
    [
      'warning: response_format is "json", and a service takes a mapping; write {type: json_object}',
      'warning: logit_bias is "abc", and a service takes a mapping; it is sent as it is',
      'warning: stop is ["a",1], and a service takes a text or a list of texts; it is sent as it is',
      'warning: store is "yes", and a service takes true or false; it is sent as it is',
    ],
  ],
  ['chat', { response_format: '{"type": "json_object"}', logit_bias: {}, stop: '["a"]', store: 'true' }, []],
  [
    'chat',
    { max_tokens: -5, temperature: -1, top_p: 1.5, n: -1, presence_penalty: -2, seed: -7 },
    [
      'warning: max_tokens is -5, and a service takes a whole number of 0 or more; it is sent as it is',
      'warning: temperature is -1.0, and a service takes a number of 0 or more; it is sent as it is',
      'warning: top_p is 1.5, and a service takes a number from 0 to 1; it is sent as it is',
      'warning: n is -1, and a service takes a whole number of 0 or more; it is sent as it is',
    ],
  ],
  ['chat', { max_tokens: 0, temperature: 0, top_p: 1, n: 1 }, []],
  ['completion', { model: 'o3', max_tokens: 5, stop: ['x'] }, []],
])('%s with %j', ([api, inputs, expected]) => {
  expect(told(api, inputs)).toEqual(expected);
});

test('a variable of the template is no parameter', () => {
  expect(told('responses', { verbosity: 'endless', seed: 1 }, ['verbosity', 'seed'])).toEqual([]);
});

const strict = (schema: JsonObject): JsonObject => ({
  response_format: { type: 'json_schema', json_schema: { name: 'a', schema } },
});
const wrong = (written: string, meant: string): string =>
  `warning: the schema of response_format has "${written}", which is no keyword of JSON Schema; did you mean "${meant}"?`;

test('keywords of a schema that are nearly known ones are told, at any depth; others are not', () => {
  const schema = {
    type: 'object',
    requird: ['a'],
    propertes: { a: { type: 'string', maxLenght: 3 }, requird: { anyof: [{ typ: 'null' }] } },
    additionalPropertes: false,
    allOf: [{ minimun: 1 }],
  };
  expect(told('chat', strict(schema))).toEqual([
    wrong('requird', 'required'),
    wrong('propertes', 'properties'),
    wrong('maxLenght', 'maxLength'),
    wrong('anyof', 'anyOf'),
    wrong('typ', 'type'),
    wrong('additionalPropertes', 'additionalProperties'),
    wrong('minimun', 'minimum'),
  ]);
  expect(told('responses', { response_format: JSON.stringify(strict({ requird: [] })['response_format']) })).toEqual([
    wrong('requird', 'required'),
  ]);
  const own = { 'x-typ': 1, note: 'n', title_ja: 't', order: 1, hint: 'h', label: 'l', name: 'n' };
  const legal = { ...own, properties: { requird: { enum: ['typ'], default: { typ: 1 } } } };
  expect(told('chat', strict(legal))).toEqual([]);
});

test.for<readonly [name: string, given: JsonValue]>([
  ['tools', [{ type: 'function', function: { name: 'a', parameters: { type: 'object', requird: [] } } }]],
  ['tools', '[{"type": "function", "function": {"name": "a", "parameters": {"type": "object", "requird": []}}}]'],
  ['functions', [{ name: 'a', parameters: { type: 'object', requird: [] } }]],
])('so are those of %s: %j', ([name, given]) => {
  const said = `warning: the schema of ${name} has "requird", which is no keyword of JSON Schema; did you mean "required"?`;
  expect(told('chat', { [name]: given })).toEqual([said]);
});
