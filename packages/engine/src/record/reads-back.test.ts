import { expect, test } from 'vitest';
import { Image } from '../image/image.ts';
import { Float } from '../value/float.ts';
import type { JsonValue } from '../value/json.ts';
import { givesAgain, markedInexact, readsBack } from './reads-back.ts';

const picture = new Image(Buffer.from('89504e470d0a1a0a', 'hex'), 'image/png') as unknown as JsonValue;

test.for([
  ['a text', 'text', true],
  ['a float of Python', new Float(1), true],
  ['a large int of Python', 2n ** 60n, true],
  ['a large negative int of Python', -(2n ** 60n), true],
  ['a list of mappings', [{ a: [null, true] }], true],
  ['a picture', picture, false],
  ['a picture within a list', [{ image: picture }], false],
  ['a number past 2^53', 2 ** 60, false],
  ['a small bigint', 1n, false],
  ['the largest bigint that is read as a number', BigInt(Number.MAX_SAFE_INTEGER), false],
  ['one larger', BigInt(Number.MAX_SAFE_INTEGER) + 1n, true],
  ['the smallest that is', BigInt(Number.MIN_SAFE_INTEGER), false],
  ['one smaller', BigInt(Number.MIN_SAFE_INTEGER) - 1n, true],
  ['minus zero', [-0], false],
  ['a Map', new Map() as unknown as JsonValue, false],
] as const)('whether a record gives %s again: $2', ([, value, expected]) => {
  expect(readsBack(value as JsonValue)).toBe(expected);
});

test('a node that gave a picture, or changed its input to one, is marked: where its row goes on it runs again', () => {
  const run = { line: 0, node: 'a', kind: 'python', status: 'Completed', output: 1 } as const;
  expect([givesAgain(run), markedInexact(run)]).toEqual([true, run]);
  for (const lost of [
    { ...run, output: picture },
    { ...run, changed: { image: picture } },
  ]) {
    expect([givesAgain(lost), markedInexact(lost).inexact]).toEqual([false, 'copied']);
  }
});

test('a mark that a node made itself stays as it is', () => {
  const run = { line: 0, node: 'a', kind: 'python', status: 'Completed', output: 1, inexact: 'shown' } as const;
  expect(markedInexact(run)).toBe(run);
});
