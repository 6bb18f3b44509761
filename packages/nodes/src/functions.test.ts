import { type JsonValue, stringifyJson } from '@unroll/engine';
import { expect, test } from 'vitest';
import { type DeclaredFunction, functionNode } from './functions.ts';
import { createTestFlow, runNode } from './testing/test-flow.ts';

const query = '個人情報とは何ですか?';
const state = { finished: false, query, function_results: [{ name: 'old', arguments: {}, content: ['o'] }] };

const declared: Record<string, DeclaredFunction> = {
  faq: { run: ({ query: asked }: { query: string }) => `QA: ${asked}`, parameters: { query: 'string' } },
  later: {
    run: async ({ a, b = 'd' }: { a: JsonValue; b?: JsonValue }) => [a, b],
    parameters: { a: 'object', b: 'string?' },
  },
  raising: {
    run: () => {
      throw new RangeError('index is down');
    },
    parameters: {},
  },
};

const python = `from unroll import function_node

def faq(query):
    return "QA: " + query

async def later(a, b="d"):
    return [a, b]

def raising():
    raise IndexError("index is down")

run = function_node({"faq": faq, "later": later, "raising": raising})
`;

function call(name: string, text: string) {
  return { role: 'assistant', content: 'thinking', function_call: { name, arguments: text } };
}

function wanted(...results: readonly JsonValue[]) {
  return { finished: false, query, function_results: [...state.function_results, ...results] };
}

const cases: readonly (readonly [string, JsonValue, JsonValue, JsonValue | readonly [string, string]])[] = [
  ['bypassed agent', { finished: true, content: 'answer' }, null, { finished: true, content: 'answer' }],
  ['bypassed agent, content null', { finished: true, content: null }, null, { finished: true, content: null }],
  [
    'no call',
    state,
    { role: 'assistant', content: 'answer', function_call: null },
    { finished: true, content: 'answer' },
  ],
  ['no call and no content', state, { role: 'assistant' }, { finished: true, content: '' }],
  ['no call, content null', state, { role: 'assistant', content: null }, { finished: true, content: null }],
  [
    'a call',
    state,
    call('faq', '{"query": "x"}'),
    wanted({ name: 'faq', arguments: { query: 'x' }, content: ['QA: x'] }),
  ],
  [
    'a default',
    state,
    call('later', '{"a": {"k": [1]}}'),
    wanted({ name: 'later', arguments: { a: { k: [1] } }, content: [[{ k: [1] }, 'd']] }),
  ],
  [
    'two tool calls at once',
    state,
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'c1', type: 'function', function: { name: 'later', arguments: '{"a": 1, "b": 2}' } },
        { id: 'c2', type: 'function', function: { name: 'faq', arguments: '{"query": "y"}' } },
      ],
    },
    wanted(
      { id: 'c1', name: 'later', arguments: { a: 1, b: 2 }, content: [[1, 2]] },
      { id: 'c2', name: 'faq', arguments: { query: 'y' }, content: ['QA: y'] },
    ),
  ],
  ['bypassed agent of an unfinished state', { finished: false, query }, null, ['KeyError', "'content'"]],
  ['unknown function', state, call('nope', '{}'), ['KeyError', "'nope'"]],
  [
    'unknown function and bad arguments',
    state,
    call('nope', '{'),
    ['JSONDecodeError', 'Expecting property name enclosed in double quotes: line 1 column 2 (char 1)'],
  ],
  [
    'arguments cut off',
    state,
    call('faq', '{"query": "個人情報'),
    ['JSONDecodeError', 'Unterminated string starting at: line 1 column 11 (char 10)'],
  ],
  ['no arguments', state, call('faq', ''), ['JSONDecodeError', 'Expecting value: line 1 column 1 (char 0)']],
  ['two values', state, call('faq', '{}\n{}'), ['JSONDecodeError', 'Extra data: line 2 column 1 (char 3)']],
  [
    'a comma missing',
    state,
    call('faq', '[1 2]'),
    ['JSONDecodeError', "Expecting ',' delimiter: line 1 column 4 (char 3)"],
  ],
  [
    'extra argument',
    state,
    call('faq', '{"query": "x", "top": 3}'),
    ['TypeError', "faq() got an unexpected keyword argument 'top'"],
  ],
  [
    'missing argument',
    state,
    call('faq', '{}'),
    ['TypeError', "faq() missing 1 required positional argument: 'query'"],
  ],
  ['arguments are null', state, call('faq', 'null'), ['TypeError', "'NoneType' object is not iterable"]],
  ['arguments are a number', state, call('faq', '2.5'), ['TypeError', "'float' object is not iterable"]],
  ['arguments are a text', state, call('faq', '"ab"'), ['TypeError', "faq() got an unexpected keyword argument 'a'"]],
  [
    'arguments are an empty list',
    state,
    call('faq', '[]'),
    ['TypeError', "faq() missing 1 required positional argument: 'query'"],
  ],
  ['arguments are a list', state, call('faq', '[1]'), ['TypeError', "faq() got an unexpected keyword argument '1'"]],
];

test.each(cases)('TypeScript: %s', async (_name, given, message, expected) => {
  const run = functionNode(declared);
  const outcome = run({ state: given, message }).then(
    (value) => value,
    (error: Error) => [error.name, error.message],
  );
  expect(await outcome).toEqual(expected);
  if (!Array.isArray(expected)) expect(await run({ inputs: given, agent_message: message })).toEqual(expected);
});

test('Python: the same', async () => {
  await using flow = createTestFlow({ 'functions.py': python });
  const node = await flow.prepare('functions.py');
  for (const [name, given, message, expected] of cases) {
    for (const inputs of [
      { state: given, message },
      { inputs: given, agent_message: message },
    ]) {
      const outcome = await runNode(node, inputs);
      const seen = outcome.ok ? outcome.output : [outcome.error.cause?.code, outcome.error.cause?.message];
      expect([name, stringifyJson(seen as JsonValue)]).toEqual([name, stringifyJson(expected as JsonValue)]);
    }
  }
  expect(await runNode(node, { state, message: call('raising', '{}') })).toMatchObject({
    error: { cause: { code: 'IndexError', message: 'index is down' }, trace: ['functions.py:10 in raising'] },
  });
});

test('TypeScript: what a function raises is passed on', async () => {
  await expect(functionNode(declared)({ state, message: call('raising', '{}') })).rejects.toThrow(RangeError);
});
