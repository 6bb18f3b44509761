import { expect, test } from 'vitest';
import { Float } from './float.ts';
import { getPath, type ValuePath } from './get-path.ts';
import { type JsonValue, stringifyJson } from './json.ts';
import { endInBytes, reachInBytes, valueInBytes } from './json-bytes.ts';

const bytesOf = (value: JsonValue): Buffer => Buffer.from(`,${stringifyJson(value)}]`);

const long = `${'長い文。'.repeat(60)}"引用" \\ "${'\\'.repeat(300)}" 終わり`;

const state: JsonValue = {
  finished: false,
  empty: {},
  none: null,
  list: [],
  'a "key"': 1,
  キー: '値',
  turns: [{ name: 'a', content: long }, { name: 'b', content: '{"x": [1]}' }, [1, [2, 3]]],
  numbers: [1, new Float(1), 2.5, 12345678901234567890n, Number.NaN, new Float(-1e21)],
  end: 'x',
};

test('a value ends where its text does, and is read as it was written', () => {
  for (const value of [state, [], {}, '', 'a\\', long, '"'.repeat(2000), null, true, 1, [[[]], {}]]) {
    const bytes = bytesOf(value);
    expect(endInBytes(bytes, 1)).toBe(bytes.length - 1);
    expect(valueInBytes(bytes, 1)).toEqual(value);
  }
});

test.for<[ValuePath, JsonValue | undefined, number?]>([
  [[], state],
  [['finished'], false],
  [['end'], 'x'],
  [['a "key"'], 1],
  [['キー'], '値'],
  [['fin'], undefined],
  [['finished2'], undefined],
  [['empty', 'x'], undefined],
  [['list', 0], undefined],
  [['list', -1], undefined],
  [['turns', 0, 'content'], long],
  [['turns', -1, 1, -1], 3],
  [['turns', -2, 'name'], 'b'],
  [['turns', 3], undefined],
  [['turns', -4], undefined],
  [['turns', 'length'], (state as { turns: JsonValue }).turns, 1],
  [['empty', 0], {}, 1],
  [['turns', 1, 'content', 'x', 0], '{"x": [1]}', 3],
  [['none', 'x'], null, 1],
  [['numbers', 1], new Float(1)],
  [['numbers', 3], 12345678901234567890n],
  [['numbers', 4], Number.NaN],
  [['numbers'], (state as { numbers: JsonValue }).numbers],
])('%j', ([path, value, steps = path.length]) => {
  const reached = value === undefined ? undefined : { value, steps };
  expect([reachInBytes(bytesOf(state), 1, path), getPath(state, path)]).toEqual([reached, reached]);
});

test('what is cut off is told, not read', () => {
  const bytes = Buffer.from('{"a":"b');
  expect(() => endInBytes(bytes, 0)).toThrow('bug: JSON that does not end');
});
