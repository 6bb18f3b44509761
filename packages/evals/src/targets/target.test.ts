import type { JsonValue } from '@unroll/engine';
import { expect, test } from 'vitest';
import { OutputReader, parseTarget, readSteps } from './target.ts';

const value: JsonValue = {
  call: { name: 'search', arguments: '{"query": ["同意"]}' },
  hits: [{ id: 'a' }, { id: 'b' }],
  'a-b': 1,
  text: 'plain',
};

test.for<readonly [target: string, found: JsonValue | undefined]>([
  ['node', value],
  ['node.call.name', 'search'],
  ['node.call.arguments.query[0]', '同意'],
  ['node.hits[0].id', 'a'],
  ['node.hits[-1].id', 'b'],
  ['node.hits[2].id', undefined],
  ['node.hits[-3].id', undefined],
  ['node.hits[*].id', ['a', 'b']],
  ['node.hits[*].title', [null, null]],
  ["node['a-b']", 1],
  ['node["a-b"]', 1],
  ['node.a-b', 1],
  ['node.text.x', undefined],
  ['node.call[*]', undefined],
  ['node.toString', undefined],
])('%s', ([text, found]) => {
  const target = parseTarget(text);
  expect(target?.of).toBe('node');
  expect(readSteps(value, target?.steps ?? [])).toEqual(found);
});

test.for([
  ['outputs.answer', { of: 'outputs', name: 'answer', steps: [] }],
  ['outputs.answer[0]', { of: 'outputs', name: 'answer', steps: [{ kind: 'index', index: 0 }] }],
  ['inputs.query', { of: 'inputs', name: 'query', steps: [] }],
  ['検索[*]', { of: 'node', name: '検索', steps: [{ kind: 'every' }] }],
] as const)('%s is read as what it names', ([text, target]) => {
  expect(parseTarget(text)).toEqual({ text, ...target });
});

test.for(['', 'outputs', 'outputs[0]', 'node.', 'node..a', 'node[x]', 'node[', '.a', 'a b', 'node.a]'])(
  '"%s" is none',
  (text) => {
    expect(parseTarget(text)).toBeUndefined();
  },
);

test.for<readonly [target: string, member: string, found: JsonValue | undefined]>([
  ['node', 'text', 'plain'],
  ['node.call', 'name', 'search'],
  ['node.call.arguments', 'query', undefined],
  ['node.hits[0]', 'id', 'a'],
  ['node.call', 'toString', undefined],
  ['node.call', 'gone', undefined],
  ['node.hits', 'id', undefined],
  ['node.hits[*]', 'id', undefined],
  ['node.hits[*].id', 'length', undefined],
  ['node.text', 'length', undefined],
  ['node.none', 'x', undefined],
])('of what %s leads to, the member %s', ([text, member, found]) => {
  const steps = parseTarget(text)?.steps ?? [];
  const reader = new OutputReader(steps);
  expect([reader.member(value, member), reader.member(value, member)]).toEqual([found, found]);
  expect(reader.value(value)).toEqual(readSteps(value, steps));
});

test('an empty step, one into null and one into a text that only looks like JSON lead nowhere', () => {
  const odd: JsonValue = { none: null, broken: '[1', list: '[1, 2]', number: 5 };
  const at = (text: string): JsonValue | undefined => readSteps(odd, parseTarget(text)?.steps ?? []);
  expect(['node.none.x', 'node.broken[0]', 'node.list[1]', 'node.list.x', 'node.number.x'].map(at)).toEqual([
    ...[undefined, undefined, 2, undefined, undefined],
  ]);
});
