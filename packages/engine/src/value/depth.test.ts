import { expect, test } from 'vitest';
import { DepthError, isTooDeep, MAX_DEPTH } from './depth.ts';
import { type JsonValue, parseJson, stringifyJson } from './json.ts';
import { pythonJsonError } from './python-json-error.ts';

const lists = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const mappings = (depth: number): string => `${'{"a":'.repeat(depth)}1.0${'}'.repeat(depth)}`;

test.for([999, 1000])('%d levels are read and printed', (depth) => {
  expect(stringifyJson(parseJson(lists(depth)))).toBe(lists(depth));
  expect(stringifyJson(parseJson(mappings(depth)))).toBe(mappings(depth));
  expect(isTooDeep(parseJson(mappings(depth)))).toBe(false);
  expect(pythonJsonError(lists(depth))).toBeUndefined();
});

test.for([1001, 20_000, 1_000_000])('%d levels are refused at the first too many', (depth) => {
  expect(() => parseJson(lists(depth))).toThrow(DepthError);
  expect(() => parseJson(lists(depth))).toThrow('nested deeper than 1000 levels (character 1001)');
  expect(() => parseJson(mappings(depth))).toThrow(DepthError);
  expect(pythonJsonError(lists(depth))).toBe('nested deeper than 1000 levels: line 1 column 1001 (char 1000)');
});

test('a value made by no text is measured too, Floats being no level', () => {
  let value: JsonValue = parseJson('[1.0]');
  for (let depth = 1; depth < MAX_DEPTH; depth += 1) value = depth % 2 === 0 ? [value] : { value };
  expect(isTooDeep(value)).toBe(false);
  expect(isTooDeep([value])).toBe(true);
});

test.for([
  ['brackets in texts', JSON.stringify(lists(2000))],
  ['brackets behind escaped quotes', JSON.stringify(`"\\"${'['.repeat(2000)}\\`)],
  ['many beside one another', `[${'[],'.repeat(5000)}{}]`],
])('%s are no depth', ([, text = '']) => {
  expect(stringifyJson(parseJson(text))).toBe(text);
});

test('a text that is no JSON is so, however deep it begins', () => {
  expect(() => parseJson(`[${'x'.repeat(5000)}`)).toThrow(SyntaxError);
  expect(() => parseJson('['.repeat(1_000_000))).toThrow(SyntaxError);
});
