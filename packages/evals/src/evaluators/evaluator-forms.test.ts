import type { JsonObject } from '@unroll/engine';
import { expect, test } from 'vitest';
import { evaluators } from './evaluators.ts';

/** What reports, gates and intervals make of scores: kind, which way is better, bounds, unit. */
const forms: readonly (readonly [name: string, parameters: JsonObject, form: string, hasExpected?: boolean])[] = [
  ['equals', {}, 'pass higher'],
  ['not_equals', {}, 'pass higher'],
  ['contains', {}, 'pass higher'],
  ['regex', { pattern: 'x' }, 'pass higher'],
  ['json_schema', { schema: {} }, 'pass higher'],
  ['json_path', { path: 'a' }, 'pass higher'],
  ['number', {}, 'pass higher'],
  ['word_f1', {}, 'number higher 0..1'],
  ['rouge_l', {}, 'number higher 0..1'],
  ['bleu', {}, 'number higher 0..1'],
  ['chrf', {}, 'number higher 0..1'],
  ['embedding_similarity', {}, 'number higher -1..1'],
  ['embedding_similarity', { at_least: 0.5 }, 'pass higher -1..1'],
  ['precision', {}, 'number higher 0..1'],
  ['recall', {}, 'number higher 0..1'],
  ['mrr', {}, 'number higher 0..1'],
  ['map', {}, 'number higher 0..1'],
  ['ndcg', {}, 'number higher 0..1'],
  ['ndcg_returned_only', {}, 'number higher 0..1'],
  ['tool_call', {}, 'pass higher'],
  ['tool_call_f1', {}, 'number higher 0..1'],
  ['trajectory', {}, 'pass higher'],
  ['steps_used', {}, 'number lower 0..Infinity'],
  ['finished_at', {}, 'number lower 1..Infinity'],
  ['finished_at', {}, 'pass higher', true],
  ['quote_in_sources', {}, 'pass higher'],
  ['latency', {}, 'number lower ms'],
  ['tokens', {}, 'number lower tokens'],
  ['cost', {}, 'number lower USD'],
  ['flow', { flow: 'j' }, 'number higher'],
  ['flow', { flow: 'j', pass_from: 4, better: 'lower' }, 'pass lower'],
  ['pairwise', { flow: 'j', between: ['a', 'b'] }, 'number higher 0..1'],
  ['pass', { k: 2, of: 'm' }, 'number higher 0..1'],
  ['pass_all', { k: 2, of: 'm' }, 'number higher 0..1'],
];

test.for(forms)('%s %j: %s', ([name, parameters, form, hasExpected = false]) => {
  const evaluator = evaluators.find((one) => one.name === name);
  const checked = evaluator?.parameters.parse(parameters) as JsonObject;
  const prepared = evaluator?.prepare(checked, {}, hasExpected, 'key');
  const { kind, better, range, unit } = prepared ?? {};
  const told = [kind, better, range === undefined ? undefined : range.join('..'), unit];
  expect(told.filter((part) => part !== undefined).join(' ')).toBe(form);
});

test('every evaluator is in the table', () => {
  expect(new Set(forms.map(([name]) => name))).toEqual(new Set(evaluators.map(({ name }) => name)));
});

test('a chance is worked out of another metric, never of a row', () => {
  const pass = evaluators.find(({ name }) => name === 'pass');
  const all = evaluators.find(({ name }) => name === 'pass_all');
  expect([pass?.ofAttempts?.({ k: 2 }, 4, 2), all?.ofAttempts?.({ k: 2 }, 4, 2)]).toEqual([
    expect.closeTo(5 / 6),
    expect.closeTo(1 / 6),
  ]);
  expect(() => pass?.prepare({ k: 2, of: 'm' }, {}, false, '').score({} as never)).toThrow('bug: ');
});

test.for<readonly [name: string, parameters: JsonObject, problem: string]>([
  ['regex', { pattern: '(' }, 'a regular expression: unterminated group'],
  ['regex', { pattern: 'x', flags: 'g' }, 'of the letters i, m, s and u, each once'],
  ['regex', { pattern: '(', flags: 'ii' }, 'of the letters i, m, s and u, each once'],
  ['json_path', { path: 'a[' }, 'a path such as items[0].name'],
  ['recall', { id_pattern: '[' }, 'a regular expression: '],
  ['json_schema', { schema: { type: 'strng' } }, 'a JSON Schema: '],
])('%s %j must be %s', ([name, parameters, problem]) => {
  const parsed = evaluators.find((one) => one.name === name)?.parameters.safeParse(parameters);
  expect(parsed?.error?.issues.map(({ message }) => message).join()).toContain(problem);
  expect(parsed?.error?.issues.map(({ path }) => path.join('.'))).toEqual([Object.keys(parameters).at(-1)]);
});
