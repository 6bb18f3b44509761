import { Float, type JsonObject, type JsonValue } from '@unroll/engine';
import { describe, expect, test } from 'vitest';
import { type EvaluatorInput, type Score, turnOf } from './evaluator.ts';
import { evaluators } from './evaluators.ts';

/** A score, or in words why there is none. */
async function scored(name: string, parameters: JsonObject, given: Partial<EvaluatorInput>): Promise<number | string> {
  const evaluator = evaluators.find((one) => one.name === name);
  if (evaluator === undefined) throw new Error(`no evaluator ${name}`);
  const checked = evaluator.parameters.parse(parameters) as JsonObject;
  const prepared = evaluator.prepare(checked, {}, given.expected !== undefined, 'test');
  const value = given.value ?? null;
  const whole: EvaluatorInput = {
    value,
    turns: [turnOf(1, value)],
    expected: undefined,
    reads: {},
    cost: { isCached: false },
    row: { line: 0, repeat: 0, data: {}, inputs: {}, outputs: {} },
    ...given,
  };
  const score: Score = await prepared.score(whole);
  return typeof score === 'number' ? score : `${score.unscored}${score.isError === true ? '!' : ''}`;
}

type Case = readonly [parameters: JsonObject, value: JsonValue, expected: JsonValue, score: number | string];

describe.for<readonly [name: string, cases: readonly Case[]]>([
  [
    'equals',
    [
      [{}, 'faq_search', 'faq_search', 1],
      [{}, 'faq_search', 'faq', 0],
      [{}, null, null, 1],
      [{}, null, 'faq', 0],
      [{}, 1, new Float(1), 1],
      [{}, 1, true, 0],
      [{}, 1, '1', 0],
      [{}, 9007199254740993n, 9007199254740993n, 1],
      [{}, 9007199254740993n, 9007199254740992n, 0],
      [{}, 9007199254740992, 9007199254740993n, 0],
      [{}, 9007199254740992n, 9007199254740992, 1],
      [{}, new Float(1e17), 100000000000000000n, 1],
      [{}, Infinity, 10n ** 400n, 0],
      [{}, { a: 1, b: [2] }, { b: [2], a: 1 }, 1],
      [{}, { a: 1 }, { a: 1, b: null }, 0],
      [{}, [1, 2], [2, 1], 0],
      [{}, [], {}, 0],
      [{}, 'ＡＢＣ', 'ABC', 0],
      [{ ignore_form: true }, 'ＡＢＣ  です', 'ABC です', 1],
      [{ ignore_case: true }, 'Abc', 'aBC', 1],
      [{ ignore_case: true, ignore_form: true }, ['Ａｂ'], ['ab'], 1],
      [{ ignore_form: true }, ' a\n b', 'a b', 1],
      [{ ignore_form: true }, 'a b', 'ab', 0],
      [{}, 'a', ['a'], 0],
      [{}, '1', 1, 0],
      [{}, null, {}, 0],
      [{}, 5n, 5, 1],
      [{}, 5n, 6n, 0],
      [{}, { a: 1, b: 2 }, { a: 1, b: 3 }, 0],
      [{}, { a: 1 }, { b: 1 }, 0],
      [{}, [1, 2], [1], 0],
    ],
  ],
  [
    'not_equals',
    [
      [{}, '', '', 0],
      [{}, 'x', '', 1],
    ],
  ],
  [
    'contains',
    [
      [{}, '同意は要りません', '要りません', 1],
      [{}, '同意は　要りません', '同意は 要りません', 1],
      [{}, 'abc', ['a', 'd'], 0],
      [{ mode: 'any' }, 'abc', ['a', 'd'], 1],
      [{}, ['faq-1', 'faq-2'], 'faq-2', 1],
      [{}, ['faq-12'], 'faq-1', 0],
      [{}, null, 'a', 0],
      [{}, 'abc', null, 'no expectation'],
      [{}, 'abc', [], 'no expectation'],
      [{}, 'abc', '　 ', 'no expectation'],
      [{}, 'abc', ['', 'd'], 0],
      [{ mode: 'any' }, 'abc', ['', 'd'], 0],
      [{}, ['', 'a'], '', 1],
      [{ ignore_case: true }, 'ABC', 'b', 1],
      [{}, { a: 'x' }, '"a"', 1],
    ],
  ],
  [
    'number',
    [
      [{}, 3, 3, 1],
      [{}, '1,204.5', 1204.5, 1],
      [{}, '−5', -5, 1],
      [{}, '−1e−2', -0.01, 1],
      [{}, '１２', 12, 1],
      [{}, '12 %', 12, 1],
      [{ tolerance: 0.5 }, 3.4, 3, 1],
      [{ tolerance: 0.5 }, 3.6, 3, 0],
      [{ relative: 0.01 }, 101, 100, 1],
      [{ relative: 0.01 }, 102, 100, 0],
      [{}, 'three', 3, 0],
      [{}, null, 3, 0],
      [{}, 3, null, 'no expectation'],
      [{}, 3, 'x', 'expected is no number'],
      [{}, '9007199254740993', 9007199254740992n, 0],
      [{}, '9,007,199,254,740,993', 9007199254740993n, 1],
      [{}, '+12', '12', 1],
      [{ tolerance: 1 }, '9007199254740993', 9007199254740992n, 1],
    ],
  ],
  [
    'json_path',
    [
      [{ path: 'a.b[0]' }, '{"a": {"b": [7]}}', 7, 1],
      [{ path: '$.a.b[-1]' }, { a: { b: [7, 8] } }, 8, 1],
      [{ path: '[0]' }, '[1]', 1, 1],
      [{ path: 'a' }, 'no json', 1, 0],
      [{ path: 'a' }, '{}', null, 1],
      [{ path: 'a' }, 'no json', null, 0],
    ],
  ],
  [
    'word_f1',
    [
      [{}, '猫が大好きです', '猫が好きです', 0.75],
      [{}, '猫が好きです', ['犬', '猫が好きです'], 1],
      [{}, null, '猫', 0],
      [{}, '猫', null, 'no expectation'],
      [{}, '猫', '', 'no expectation'],
      [{}, '', ['　', null], 'no expectation'],
      [{}, '猫', ['', '猫'], 1],
      [{}, '○', '×', 'expected has no words'],
      [{}, '。', '々', 'expected has no words'],
      [{}, '○', ['×', '丸'], 0],
      [{}, '株式会社', '㍿', 1],
    ],
  ],
  [
    'rouge_l',
    [
      [{}, '同意は要りません', '同意は要りません', 1],
      [{}, '○', '○', 'expected has no words'],
      [{}, '猫', '', 'no expectation'],
    ],
  ],
  [
    'bleu',
    [
      [{}, '同意は要りません', '同意は要りません', 1],
      [{}, '😀', '😀', 'expected has no words'],
    ],
  ],
  [
    'chrf',
    [
      [{}, 'abc', 'abc', 1],
      [{}, '○', '○', 1],
      [{}, 'abc', ' ', 'no expectation'],
    ],
  ],
  [
    'embedding_similarity',
    [
      [{}, 'abc', '', 'no expectation'],
      [{ at_least: 0 }, 'abc', ' ', 'no expectation'],
    ],
  ],
  [
    'recall',
    [
      [{ k: 2 }, ['a', 'b', 'c'], ['b', 'c'], 0.5],
      [{}, ['a', 'b', 'c'], ['b', 'c'], 1],
      [{ k: 5 }, '[faq-1] One\ntext [faq-9]\n\n[faq-2] Two', ['faq-1', 'faq-2'], 1],
      [{ k: 5 }, ['[faq-1] One\n\n[faq-2] Two'], 'faq-2', 1],
      [{ k: 5 }, [{ id: 'a' }, { id: 'b' }], ['b'], 1],
      [{ k: 5, id: 'doc' }, [{ doc: 3 }], ['3'], 1],
      [{ k: 5 }, [new Float(1), new Float(2)], [1, 2], 1],
      [{ k: 5, id_pattern: 'doc=(\\d+)' }, 'x doc=3', ['3'], 1],
      [{ k: 5 }, null, ['a'], 0],
      [{ k: 5 }, ['a'], null, 'no expectation'],
      [{ k: 5 }, ['a'], [], 'no expectation'],
    ],
  ],
  [
    'precision',
    [
      [{ k: 4 }, ['a', 'b'], ['a'], 0.25],
      [{}, ['a', 'b'], ['a'], 0.5],
    ],
  ],
  [
    'mrr',
    [
      [{}, ['x', 'a'], ['a'], 0.5],
      [{ k: 1 }, ['x', 'a'], ['a'], 0],
    ],
  ],
  ['map', [[{}, ['a', 'x', 'b'], ['a', 'b'], (1 + 2 / 3) / 2]]],
  [
    'ndcg',
    [
      [{ k: 5 }, ['x', 'a'], ['a'], 1 / Math.log2(3)],
      [{ k: 5 }, ['a'], ['a', 'b'], 1 / (1 + 1 / Math.log2(3))],
      [{ k: 5 }, ['x', 'x', 'a'], ['a'], 0.5],
    ],
  ],
  [
    'number',
    [
      [{}, '1e3', 1000, 1],
      [{}, '1E-1', 0.1, 1],
      [{}, '-.5', -0.5, 1],
      [{}, '+5.', 5, 1],
      [{}, '12.25', 12.25, 1],
      [{}, '1e12', 1e12, 1],
      [{}, '1 2', 12, 0],
      [{}, 'x1', 1, 0],
      [{}, '1x', 1, 0],
      [{}, '', 0, 0],
      [{}, '50 % off', 50, 0],
      [{}, '50 % ', 50, 1],
      [{}, '1,23', 123, 0],
      [{}, '1,2345', 12345, 0],
      [{}, '5²', 52, 0],
      [{}, '③', 3, 1],
      [{}, '１，２３４', 1234, 1],
      [{}, '1,234,567', 1234567, 1],
      [{}, 7n, 7, 1],
      [{}, true, 1, 0],
      [{ tolerance: 2 }, 3, 5, 1],
      [{ tolerance: 1.9 }, 3, 5, 0],
      [{ relative: 0.5 }, 15, 10, 1],
      [{ relative: 0.4 }, 15, 10, 0],
      [{}, 1, null, 'no expectation'],
      [{}, 1, 'much', 'expected is no number'],
      [{}, new Float(Number.NaN), new Float(Number.NaN), 'expected is no number'],
      [{ relative: 0.1 }, 5, new Float(Number.POSITIVE_INFINITY), 0],
      [{}, new Float(Number.POSITIVE_INFINITY), new Float(Number.POSITIVE_INFINITY), 1],
    ],
  ],
  [
    'recall',
    [
      [{}, [{ id: 3 }, { id: null }, { other: 1 }, 4, null], ['3', '4'], 1],
      [{ id: 'doc' }, [{ doc: 'a', id: 'b' }], ['b'], 0],
      [{}, { hits: ['a'] }, ['a'], 'what was returned is neither a list nor a text!'],
      [{}, 5, ['5'], 'what was returned is neither a list nor a text!'],
      [{}, [{ doc: 'a' }], ['a'], 'nothing that was returned has "id"!'],
      [{}, ['a'], '', 'no expectation'],
      [{}, ['a'], ['', null], 'no expectation'],
      [{}, ['a'], ['', 'a'], 1],
      [{}, ['a'], { a: 3 }, 'expected is no id'],
      [{}, ['a'], "['a', 'b']", 'expected looks like a list and is no JSON!'],
      [{ id_pattern: '^\\[(.+)\\]$' }, '[Smith, 2020]', 'Smith, 2020', 1],
      [{}, "['a', 'b']", 'a', 'what was returned looks like a list and is no JSON!'],
      [{}, "['a','b']", 'a', 'what was returned looks like a list and is no JSON!'],
      [{}, '[a] A, B [b]', 'a', 1],
      [{}, '[a] A, B [c]\n[b] B, C [d]', ['a', 'z'], 0.5],
      [{}, ['a'], [{ id: 'a' }], 'expected is no id'],
      [{}, ['a'], true, 'expected is no id'],
      [{}, ['[a] one\n[b] two'], ['b'], 1],
      [{}, ['a', 'b'], '["a", "c"]', 0.5],
      [{}, '[{"id": "a"}, {"id": "b"}]', ['a', 'c'], 0.5],
      [{}, '[{"doc": "a"}]', ['a'], 'nothing that was returned has "id"!'],
      [{}, '[12] one', '[12', 0],
      [{}, 'not [a] here\n[b] here', ['a', 'b'], 0.5],
      [{ id_pattern: '#\\w+' }, 'see #a and #b', ['#b'], 1],
      [{}, ['a'], [], 'no expectation'],
      [{}, ['a'], null, 'no expectation'],
    ],
  ],
  [
    'precision',
    [
      [{}, ['a', 'a', 'x'], ['a'], 1 / 3],
      [{}, [], ['a'], 0],
    ],
  ],
  ['mrr', [[{ k: 2 }, ['x', 'x', 'a'], ['a'], 0]]],
  ['map', [[{ k: 2 }, ['a', 'a', 'b'], ['a', 'b'], 0.5]]],
  ['ndcg_returned_only', [[{ k: 5 }, ['a'], ['a', 'b'], 1]]],
  [
    'tool_call',
    [
      [{}, { function_call: { name: 'f', arguments: '{"q": 1, "n": 2}' } }, { name: 'f', arguments: { q: 1 } }, 1],
      [
        { arguments: 'same' },
        { function_call: { name: 'f', arguments: '{"q": 1, "n": 2}' } },
        { name: 'f', arguments: { q: 1 } },
        0,
      ],
      [
        { arguments: 'ignored' },
        { function_call: { name: 'f', arguments: '{}' } },
        { name: 'f', arguments: { q: 1 } },
        1,
      ],
      [{}, { function_call: { name: 'f', arguments: '{"q": 2}' } }, { name: 'f', arguments: { q: 1 } }, 0],
      [{}, { tool_calls: [{ id: '1', type: 'function', function: { name: 'f', arguments: '{}' } }] }, 'f', 1],
      [{}, { tool_calls: [{ function: { name: 'f' } }, { function: { name: 'g' } }] }, 'f', 0],
      [{}, { tool_calls: [{ function: { name: 'g' } }, { function: { name: 'f' } }] }, ['f', 'g'], 1],
      [{}, { content: 'hello', function_call: null }, null, 1],
      [{}, 'hello', null, 1],
      [{}, 'hello', '', 1],
      [{}, 'hello', { role: 'assistant', content: 'hello' }, 1],
      [{}, 'hello', 5, 'expected is no call'],
      [{}, 'hello', { first: 'f' }, 'expected is no call'],
      [{}, 'hello', ['f', true], 'expected is no call'],
      [{}, 'f', 'f', 0],
    ],
  ],
])('%s', ([name, cases]) => {
  test.for(cases)('%o of %o against %o is %o', async ([parameters, value, expected, score]) => {
    const found = await scored(name, parameters, { value, expected });
    if (typeof score === 'number') expect(found).toBeCloseTo(score, 10);
    else expect(found).toBe(score);
  });
});

test.for<readonly [pattern: JsonObject, value: JsonValue, score: number]>([
  [{ pattern: '^です$' }, 'です', 1],
  [{ pattern: '^です$' }, 'そうです', 0],
  [{ pattern: 'ABC', flags: 'iu' }, 'abc', 1],
  [{ pattern: 'x' }, null, 0],
])('regex %j of %j is %j', async ([parameters, value, score]) => {
  expect(await scored('regex', parameters, { value })).toBe(score);
});

/** It takes twice as long with each `a`. */
const endless = '(a+)+$';
const manyAs = `${'a'.repeat(40)}b`;

test.for<readonly [name: string, parameters: JsonObject, given: Partial<EvaluatorInput>]>([
  ['regex', { pattern: endless }, { value: manyAs }],
  ['json_schema', { schema: { type: 'object', properties: { q: { pattern: endless } } } }, { value: { q: manyAs } }],
  ['json_schema', { schema: { patternProperties: { [endless]: { type: 'string' } } } }, { value: { [manyAs]: 1 } }],
  ['recall', { id_pattern: endless }, { value: manyAs, expected: 'a' }],
])('a pattern without end ends a score of %s, not the evaluation: %j', async ([name, parameters, given]) => {
  const told = await scored(name, parameters, given);
  expect(String(told).replace(': whether it fits is not known', '')).toBe('a pattern took more than 1 s!');
});

test('a schema that refers to itself without end is told as what it is', async () => {
  const told = await scored('json_schema', { schema: { $ref: '#' } }, { value: { q: 1 } });
  expect(told).toBe('cannot be checked: its schema refers to itself without end!');
});

test.for<readonly [value: JsonValue, score: number]>([
  [{ id: 3 }, 1],
  ['{"id": 3}', 1],
  ['{"id": "3"}', 0],
  ['no json', 0],
  [null, 0],
])('json_schema of %j is %j', async ([value, score]) => {
  const schema = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
  expect(await scored('json_schema', { schema }, { value })).toBe(score);
});

test.for<readonly [schema: JsonObject, value: JsonValue, score: number]>([
  [{ type: 'string', pattern: '^[0-9]{3}-[0-9]{4}$' }, '100-0001', 1],
  [{ type: 'string', pattern: '^[0-9]{7}$' }, '1000001', 1],
  [{ type: 'string', pattern: '^[0-9]{7}$' }, '100000', 0],
  [{ type: 'string', enum: ['はい', 'いいえ'] }, 'はい', 1],
  [{ type: 'string', maxLength: 1 }, '"x"', 1],
  [{ required: ['id'] }, 'no json', 0],
])('json_schema %j: a text is one where the schema says so: %j is %j', async ([schema, value, score]) => {
  expect(await scored('json_schema', { schema }, { value })).toBe(score);
});

describe('the turns of a loop', () => {
  const calls = (...names: readonly string[]): Partial<EvaluatorInput> => ({
    turns: names.map((name, at) =>
      turnOf(at + 1, name === '' ? 'an answer' : { function_call: { name, arguments: '{}' } }),
    ),
  });

  test.for<
    readonly [evaluator: string, parameters: JsonObject, found: readonly string[], expected: JsonValue, score: number]
  >([
    ['trajectory', {}, ['a', 'b', ''], ['a', 'b'], 1],
    ['trajectory', {}, ['b', 'a', ''], ['a', 'b'], 0],
    ['trajectory', {}, ['a', 'b', ''], '["a", {"name": "b"}]', 1],
    ['trajectory', {}, [''], '[]', 1],
    ['trajectory', {}, ['a', 'x', 'b'], ['a', 'b'], 0],
    ['trajectory', {}, [''], [], 1],
    ['trajectory', {}, [''], null, 1],
    ['trajectory', {}, ['a'], null, 0],
    ['trajectory', { mode: 'in_order' }, ['a', 'x', 'b'], ['a', 'b'], 1],
    ['trajectory', { mode: 'in_order' }, ['b', 'a'], ['a', 'b'], 0],
    ['trajectory', { mode: 'any_order' }, ['b', 'x', 'a'], ['a', 'b'], 1],
    ['trajectory', { mode: 'any_order' }, ['a'], ['a', 'a'], 0],
    ['tool_call_f1', {}, ['a', 'b'], ['a', 'c'], 0.5],
    ['tool_call_f1', {}, ['a', 'a'], ['a'], 2 / 3],
    ['tool_call_f1', {}, [''], [], 1],
    ['tool_call_f1', {}, ['a'], [], 0],
  ])('%s %j of %j against %j is %j', async ([name, parameters, found, expected, score]) => {
    expect(await scored(name, parameters, { ...calls(...found), expected })).toBeCloseTo(score, 10);
  });

  const madeTwo = (...given: readonly JsonObject[]): Partial<EvaluatorInput> => ({
    turns: [turnOf(1, { tool_calls: given.map((one) => ({ function: { name: 'f', arguments: one } })) })],
  });

  test.for<readonly [made: readonly JsonObject[], expected: readonly JsonValue[]]>([
    [
      [{ q: 'x' }, { q: 'y' }],
      ['f', { name: 'f', arguments: { q: 'x' } }],
    ],
    [
      [{ a: 1, b: 2 }, { a: 1, c: 3 }, { a: 1 }],
      ['f', { name: 'f', arguments: { a: 1 } }, { name: 'f', arguments: { a: 1, b: 2 } }],
    ],
  ])(
    'a call that fits several expected ones stands for the one that needs it: %j against %j',
    async ([made, wanted]) => {
      for (const expected of [wanted, [...wanted].reverse()]) {
        const given = { ...madeTwo(...made), expected };
        const value = given.turns?.[0]?.value ?? null;
        expect(await scored('tool_call', {}, { ...given, value })).toBe(1);
        expect(await scored('tool_call_f1', {}, given)).toBe(1);
        expect(await scored('trajectory', { mode: 'any_order', arguments: 'expected' }, given)).toBe(1);
      }
    },
  );

  const states = (...finished: readonly boolean[]): Partial<EvaluatorInput> => ({
    turns: finished.map((one, at) => turnOf(at + 1, { finished: one })),
  });

  test.for<readonly [finished: readonly boolean[], expected: JsonValue | undefined, score: number | string]>([
    [[false, true, true], undefined, 2],
    [[false, false], undefined, 'never finished'],
    [[false, true], 2, 1],
    [[false, true], 3, 0],
    [[false, false], null, 1],
    [[false, true], null, 0],
    [[false, false], 'later', 'expected is no number'],
    [[false, false], '', 'expected is no number'],
  ])('finished_at of %j against %j is %j', async ([finished, expected, score]) => {
    expect(await scored('finished_at', {}, { ...states(...finished), expected })).toBe(score);
  });

  test.for(['tool_call_f1', 'trajectory'])('%s against what names no call has no score', async (name) => {
    for (const expected of [{ first: 'f' }, "['f']", '{"first": "f"}'])
      expect(await scored(name, {}, { ...calls(''), expected })).toBe('expected is no call');
  });

  test('finished_at by another property', async () => {
    const turns = [turnOf(1, { done: true })];
    expect(await scored('finished_at', { until: 'done' }, { turns })).toBe(1);
  });

  test('steps_used counts what ran', async () => {
    expect(await scored('steps_used', {}, calls('a', 'b'))).toBe(2);
  });
});

describe('quote_in_sources', () => {
  const sources = [
    [
      '[faq-1] 委託\n委託先は第三者に当たらないので\n本人の同意は要りません。',
      'The consent is not needed (Article 25).',
    ],
  ];

  test.for<readonly [value: JsonValue, parameters: JsonObject, score: number]>([
    ['「委託先は第三者に当たらないので本人の同意は要りません。」です', {}, 1],
    ['「委託先は第三者に当たらないので、本人の同意は要りません。」です', {}, 0],
    ['According to it, "The consent is not  needed （Article ２５）." it is', {}, 1],
    ['『本人の同意は要りません。』と「どこにもない文がここにあります」', {}, 1],
    ['『本人の同意は要りません。』と「どこにもない文がここにあります」', { quotes: 'all' }, 0],
    ['｢本人の同意は要りません。｣', {}, 1],
    ['＂The consent is not needed＂', {}, 1],
    ['「委託」です', {}, 0],
    ['「委託」です', { shortest: 2 }, 1],
    ['no quotation', {}, 0],
    [null, {}, 0],
  ])('%j, %j is %j', async ([value, parameters, score]) => {
    expect(await scored('quote_in_sources', parameters, { value, reads: { sources } })).toBe(score);
  });

  test('only where one is asked for', async () => {
    const given = { value: 'none', reads: { sources } };
    expect(await scored('quote_in_sources', {}, { ...given, expected: false })).toBe('no quotation asked for');
    expect(await scored('quote_in_sources', {}, { ...given, expected: '' })).toBe('no quotation asked for');
    expect(await scored('quote_in_sources', {}, { ...given, expected: [] })).toBe('no quotation asked for');
    expect(await scored('quote_in_sources', {}, { ...given, expected: true })).toBe(0);
  });
});

test('what it took', async () => {
  const usage = { promptTokens: 10, completionTokens: 2, totalTokens: 12 };
  const cost = { durationMs: 5, usage, dollars: 0.001, isCached: false };
  expect(await scored('latency', {}, { cost })).toBe(5);
  expect(await scored('latency', {}, { cost: { ...cost, isCached: true } })).toBe('taken from an earlier run');
  expect(await scored('tokens', {}, { cost })).toBe(12);
  expect(await scored('tokens', { of: 'completion' }, { cost })).toBe(2);
  expect(await scored('tokens', {}, { cost: { isCached: false } })).toBe(0);
  expect(await scored('cost', {}, { cost })).toBe(0.001);
  expect(await scored('cost', {}, { cost: { isCached: false } })).toBe(0);
  expect(await scored('cost', {}, { cost: { usage, isCached: false } })).toBe('no price known');
  const untold = { ...cost, usage: { ...usage, untoldCalls: 1 } };
  expect(await scored('cost', {}, { cost: untold })).toBe('tokens not told');
  expect(await scored('tokens', {}, { cost: untold })).toBe('tokens not told');
});

test('what it took, told apart', async () => {
  const usage = { promptTokens: 10, completionTokens: 2, totalTokens: 12 };
  expect(await scored('tokens', { of: 'prompt' }, { cost: { usage, isCached: false } })).toBe(10);
  expect(await scored('latency', {}, { cost: { isCached: false } })).toBe('no time recorded');
});

test.for<readonly [value: JsonValue, parameters: JsonObject, expected: JsonValue, score: number]>([
  ['{"a": {"b": [1, 2]}}', { path: 'a.b[-1]' }, 2, 1],
  [{ a: { b: [1, 2] } }, { path: '$.a.b[0]' }, 2, 0],
  [['x'], { path: '[0]' }, 'x', 1],
  [{ a: 'Ｘ' }, { path: 'a', ignore_case: true, ignore_form: true }, 'x', 1],
  [{ a: 'X' }, { path: 'a' }, 'x', 0],
  [{}, { path: 'a' }, null, 1],
  ['no json', { path: 'a' }, null, 0],
])('json_path of %j at %j against %j is %j', async ([value, parameters, expected, score]) => {
  expect(await scored('json_path', parameters, { value, expected })).toBe(score);
});

test.for([2490, 'a', { a: 1 }, null])(
  'a corpus that is no list, in a row (%j), is an error and not 0',
  async (corpus) => {
    const given = { value: ['a'], expected: ['a'], reads: { corpus } };
    expect(await scored('ndcg_returned_only', { k: 5 }, given)).toBe('corpus is no list!');
  },
);

test.for<readonly [JsonValue, JsonValue]>([
  ['yes', 'yes'],
  [
    { a: 1, b: [2] },
    { b: [2], a: 1 },
  ],
])('two answers that are one (%j) are a tie, and no judge is asked', async ([value, expected]) => {
  // Nobody judges here: had anybody been asked, there would be no score.
  const parameters = { flow: 'j', between: ['a', 'b'] };
  expect(await scored('pairwise', parameters, { value, expected })).toBe(0.5);
  expect(await scored('pairwise', parameters, { value, expected: 'other' })).toBe(
    'judge failed: judges cannot run here!',
  );
});
