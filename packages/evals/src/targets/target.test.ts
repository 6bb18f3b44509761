import type { JsonValue } from '@unroll/engine';
import { expect, test } from 'vitest';
import { parseTarget, readSteps } from './target.ts';

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
