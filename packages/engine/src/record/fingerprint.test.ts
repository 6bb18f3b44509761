import { expect, test } from 'vitest';
import { Float } from '../value/float.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import { identityHash, inputsFingerprint, partOf, renderedFingerprint } from './fingerprint.ts';
import { isJson, valueHash } from './value-hash.ts';

const identity = identityHash({ kind: 'python', version: 1, parts: { 'code a.ts': 'x' } });

const printOf = (inputs: JsonObject, repeat = 0): string => {
  const found = inputsFingerprint(identity, repeat, inputs);
  return 'fingerprint' in found ? found.fingerprint : found.notKept;
};

const long = 'あ'.repeat(300);

test.for<[string, JsonObject, JsonObject, boolean]>([
  ['the same', { a: 1, b: [1, { c: '日本' }] }, { a: 1, b: [1, { c: '日本' }] }, true],
  ['the order of inputs', { a: 1, b: 2 }, { b: 2, a: 1 }, true],
  ['the order of keys in a value', { a: { x: 1, y: 2 } }, { a: { y: 2, x: 1 } }, false],
  ['an int and a float', { a: 1 }, { a: new Float(1) }, false],
  ['a number and its text', { a: 1 }, { a: '1' }, false],
  ['null and nothing', { a: null }, {}, false],
  ['a text and a list of it', { a: 'x' }, { a: ['x'] }, false],
  ['a long text and its digest', { a: long }, { a: `#${valueHash(long)}` }, false],
  ['long texts', { a: long }, { a: `${long} ` }, false],
  ['a text that looks like two inputs', { a: '"\nb=1' }, { a: '"', b: 1 }, false],
  ['names', { ab: 'c' }, { a: 'bc' }, false],
])('%s', ([, one, other, isSame]) => {
  expect(printOf(one) === printOf(other)).toBe(isSame);
});

test('a repetition, a part, a version have their own fingerprints', () => {
  const identities = [
    { kind: 'python', version: 1, parts: {} },
    { kind: 'python', version: 2, parts: {} },
    { kind: 'llm', version: 1, parts: {} },
    { kind: 'python', version: 1, parts: { a: '1' } },
    { kind: 'python', version: 1, parts: { a: '2' } },
    { kind: 'python', version: 1, parts: { a: '1', b: '2' } },
  ];
  const prints = [printOf({ a: 1 }, 0), printOf({ a: 1 }, 1), ...identities.map(identityHash)];
  expect(new Set(prints).size).toBe(prints.length);
  const parts = { a: '1', b: '2' };
  expect(identityHash({ kind: 'x', version: 1, parts: { b: '2', a: '1' } })).toBe(
    identityHash({ kind: 'x', version: 1, parts }),
  );
});

class Handle {
  toJSON(): string {
    return '<object>';
  }
}

test('what is no JSON has no fingerprint, at any depth, also after it was recorded', () => {
  const handle = new Handle() as unknown as JsonValue;
  const inputs: JsonObject = { a: 1, kept: { deep: [handle] } };
  valueHash(inputs['kept'] as JsonValue);
  expect(printOf(inputs)).toBe('its input "kept" is no JSON');
  expect([isJson(handle), isJson([handle]), isJson([new Float(1), 1n, null, { a: [] }])]).toEqual([false, false, true]);
});

test('a part is readable where it is short', () => {
  expect([partOf('gpt-4o'), partOf(0), partOf({ a: 1 })]).toEqual(['gpt-4o', '0', '{"a":1}']);
  expect(partOf(`a\nb`)).toMatch(/^[0-9a-f]{32}$/);
  expect(partOf(long)).toMatch(/^[0-9a-f]{32}$/);
});

test('fingerprints stay the same from release to release: outputs that users have kept are found again', () => {
  const found = [
    inputsFingerprint(identity, 0, {}),
    inputsFingerprint(identity, 0, { text: 'a', none: null, whole: 1, real: new Float(1), list: [1, 'b'], long }),
    inputsFingerprint(identity, 2, { b: 'x'.repeat(200), a: 'x'.repeat(201) }),
    renderedFingerprint(identity, 0, 'a prompt'),
    renderedFingerprint(identity, 0, { model: 'm', messages: [{ role: 'user', content: long }] }),
    renderedFingerprint(identity, 0, [{ role: 'user', content: 'x' }]),
    renderedFingerprint(identity, 0, null),
  ];
  expect([identity, ...found.map((one) => ('fingerprint' in one ? one.fingerprint : one))]).toEqual([
    'cef1b5e516d4d950428381dba0affa4a',
    'e79572b1e1a7edb792f3254056bdc538',
    '2cf65e01ee285aa1ed7e9c224f9614bf',
    '40df349438ee8db20ffe0d451e9bed56',
    '3b4bd2c5b59fe4b3a35ac8ae20d53864',
    'ea19574e53b4869f6fdc76f7de6998e5',
    'eb91ce64a6f7a7ad465e53ee80b1a3ef',
    'e5ee7324f16dacc92cf775aaa7c42055',
  ]);
});
