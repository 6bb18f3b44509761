import { expect, test } from 'vitest';
import { Float } from '../value/float.ts';
import type { JsonValue } from '../value/json.ts';
import { coerceInputs } from './coerce-inputs.ts';

const input = (type: string, fallback?: JsonValue) => ({
  name: 'x',
  type,
  isChatInput: false,
  ...(fallback === undefined ? {} : { default: fallback }),
});

test.for<{ type: string; given: JsonValue; is: JsonValue }>([
  { type: 'int', given: '6', is: 6 },
  { type: 'int', given: 2.5, is: 2.5 },
  { type: 'int', given: 'six', is: 'six' },
  { type: 'string', given: { a: 1 }, is: { a: 1 } },
  { type: 'list', given: '[1', is: '[1' },
  { type: 'bool', given: null, is: null },
])('a sample of type $type asks for no type: $given', ({ type, given, is }) => {
  expect(coerceInputs([{ ...input(type, 'd'), isOfSample: true }], { x: given }, 0)).toEqual({
    ok: true,
    inputs: { x: is },
  });
});

test.for<{ type: string; given: JsonValue; is: JsonValue }>([
  { type: 'int', given: '42', is: 42 },
  { type: 'int', given: ' 7 ', is: 7 },
  { type: 'int', given: '1_000', is: 1000 },
  { type: 'int', given: 3.9, is: 3 },
  { type: 'int', given: -3.9, is: -3 },
  { type: 'int', given: true, is: 1 },
  { type: 'int', given: '12345678901234567890', is: 12345678901234567890n },
  { type: 'double', given: '1e3', is: new Float(1000) },
  { type: 'double', given: 'nan', is: Number.NaN },
  { type: 'double', given: '-inf', is: -Infinity },
  { type: 'double', given: true, is: new Float(1) },
  { type: 'double', given: '.5', is: 0.5 },
  { type: 'bool', given: 'TRUE', is: true },
  { type: 'bool', given: 'false', is: false },
  { type: 'string', given: null, is: 'None' },
  { type: 'string', given: true, is: 'True' },
  { type: 'string', given: new Float(3), is: '3.0' },
  { type: 'string', given: ['a', { k: "it's" }], is: `['a', {'k': "it's"}]` },
  { type: 'list', given: '[1, 1.0]', is: [1, new Float(1)] },
  { type: 'object', given: '{"a": 1}', is: { a: 1 } },
  { type: 'object', given: '12', is: 12 },
  { type: 'object', given: 'plain text', is: 'plain text' },
  { type: 'file_path', given: 'a.txt', is: 'a.txt' },
])('$type reads $given', ({ type, given, is }) => {
  expect(coerceInputs([input(type)], { x: given }, 0)).toEqual({ ok: true, inputs: { x: is } });
});

test.for<{ type: string; given: JsonValue; code: string }>([
  { type: 'int', given: '4.5', code: 'InputTypeError' },
  { type: 'int', given: '', code: 'InputTypeError' },
  { type: 'int', given: null, code: 'InputTypeError' },
  { type: 'int', given: Number.NaN, code: 'InputTypeError' },
  { type: 'bool', given: 1, code: 'InputTypeError' },
  { type: 'bool', given: 'yes', code: 'InputTypeError' },
  { type: 'list', given: '{"a": 1}', code: 'InputTypeError' },
  { type: 'list', given: 'a, b', code: 'InputParseError' },
])('$type refuses $given', ({ type, given, code }) => {
  const coerced = coerceInputs([input(type)], { x: given }, 0);
  expect(coerced.ok ? undefined : coerced.error.code).toBe(code);
});

test('a default fills an absent input and never a present null', () => {
  expect(coerceInputs([input('int', 5)], {}, 0)).toEqual({ ok: true, inputs: { x: 5 } });
  expect(coerceInputs([input('string', 'd')], { x: null }, 0)).toEqual({ ok: true, inputs: { x: 'None' } });
});

test('a missing input is named with its line', () => {
  expect(coerceInputs([input('int')], {}, 3)).toMatchObject({
    error: {
      code: 'InputNotFound',
      message:
        "The input for flow is incorrect. The value for flow input 'x' is not provided in line 3 of input data. Please review your input data or remove this input in your flow if it's no longer needed.",
    },
  });
});

test.for<{ type: string; given: JsonValue; line: number | undefined; message: string }>([
  { type: 'int', given: 'x', line: 3, message: "'x' in line 3 of input data does not match the expected type 'int'." },
  { type: 'int', given: 'x', line: undefined, message: "'x' does not match the expected type 'int'." },
  { type: 'list', given: 'a', line: 0, message: "'x' in line 0 of input data was interpreted as JSON string" },
  { type: 'list', given: 'a', line: undefined, message: "'x' was interpreted as JSON string" },
])(
  'of a wrong input is told which, and its line where there are several: $message',
  ({ type, given, line, message }) => {
    const coerced = coerceInputs([input(type)], { x: given }, line);
    expect(coerced.ok ? undefined : coerced.error.message).toContain(`The value for flow input ${message}`);
  },
);

test('inputs the flow does not declare are carried along', () => {
  expect(coerceInputs([], { y: 1 }, 0)).toEqual({ ok: true, inputs: { y: 1 } });
});
