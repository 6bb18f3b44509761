import { expect, test } from 'vitest';
import { readRequestData } from './request-data.ts';

test.for([
  ['a flow without inputs does not look at the body', {}, 'no json', { ok: true, inputs: {} }],
  [
    'code whose parameters cannot be seen is given all that is asked with',
    { takesAnyInput: true },
    '{"q": "a", "z": 1}',
    { ok: true, inputs: { q: 'a', z: 1 } },
  ],
  ['and is asked with an object', { takesAnyInput: true }, '[1]', { ok: false, error: { status: 400 } }],
] as const)('%s', ([, plan, body, expected]) => {
  expect(readRequestData({ inputs: [], ...plan }, new TextEncoder().encode(body))).toMatchObject(expected);
});
