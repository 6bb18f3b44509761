import { expect, test } from 'vitest';
import { createNameSearch, didYouMean, editDistance, nearestName } from './nearest-name.ts';

test.for([
  { name: 'promt', candidates: ['inputs', 'prompt', 'api'], nearest: 'prompt' },
  { name: 'Prompt', candidates: ['promptt', 'prompt'], nearest: 'prompt' },
  { name: 'topk', candidates: ['top', 'top_k'], nearest: 'top_k' },
  { name: 'maxTokens', candidates: ['max_tokens', 'model'], nearest: 'max_tokens' },
  { name: 'qurey', candidates: ['query', 'curry'], nearest: 'query' },
  { name: 'agent_1', candidates: ['agent_2', 'agent_3'], nearest: 'agent_2' },
  { name: 'x', candidates: ['y', 'ab'], nearest: undefined },
  { name: 'id', candidates: ['if', 'name'], nearest: 'if' },
  { name: 'search', candidates: ['answer', 'question'], nearest: undefined },
  { name: 'query', candidates: ['query'], nearest: undefined },
  { name: '質問文', candidates: ['回答文', '質問'], nearest: '質問' },
  { name: 'query', candidates: [], nearest: undefined },
])('the nearest of $candidates to "$name" is $nearest', ({ name, candidates, nearest }) => {
  expect(nearestName(name, candidates)).toBe(nearest);
});

test.for([
  ['', '', 0],
  ['abc', '', 3],
  ['kitten', 'sitting', 3],
  ['ab', 'ba', 1],
  ['abcd', 'acbd', 1],
  ['same', 'same', 0],
] as const)('"%s" and "%s" are %i edits apart, either way round', ([left, right, distance]) => {
  expect([editDistance(left, right), editDistance(right, left)]).toEqual([distance, distance]);
});

test('the suggestion is a question, or nothing', () => {
  expect(didYouMean('promt', ['prompt'])).toBe('did you mean "prompt"?');
  expect(didYouMean('promt', ['connection'])).toBeUndefined();
});

test('a name that looks the same is told as one: its letters are composed another way', () => {
  const composed = 'が.jinja2'.normalize('NFC');
  const decomposed = composed.normalize('NFD');
  expect(didYouMean(composed, [decomposed])).toBe(
    `"${decomposed}" is there, whose letters are composed another way (Unicode NFC, NFD) and look the same: rename it, or copy its name`,
  );
});

test('past its bound a search finds what differs in case or signs only, and what it found before', () => {
  const search = createNameSearch(['first_node', 'second_node', 'third_node'], 6);
  expect(search.nearest('frist_node')).toBe('first_node');
  expect(search.nearest('secnod_node')).toBe('second_node');
  expect(search.nearest('thrid_node')).toBeUndefined();
  expect(search.nearest('ThirdNode')).toBe('third_node');
  expect(search.nearest('frist_node')).toBe('first_node');
});

test('a first question is answered among any number of names', () => {
  const search = createNameSearch(['one', 'two', 'three'], 1);
  expect(search.nearest('thre')).toBe('three');
});
