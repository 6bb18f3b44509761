import { parseOwnJson } from '@unroll/engine';
import { expect, test } from 'vitest';
import { readInputs } from './read-inputs.ts';

test('inputs are as they were when they were given, also where the program goes on with the same objects', () => {
  const message = { text: 'first', parts: [{ of: 1 }] };
  const read = readInputs({ message });
  message.text = 'second';
  for (const part of message.parts) part.of = 2;
  expect(read).toEqual({ message: { text: 'first', parts: [{ of: 1 }] } });
});

test('a copy keeps floats, ints of any size and odd names', () => {
  const inputs = { value: parseOwnJson('{"__proto__": [1.0, 12345678901234567890], "empty": {}}') };
  expect(readInputs(inputs)).toEqual(inputs);
});
