import { expect, test } from 'vitest';
import { keyName } from './key-hint.tsx';

test.for([
  ['Control+enter', 'Ctrl Enter'],
  ['Control+s', 'Ctrl S'],
  ['ArrowUp', '↑'],
  [' ', 'Space'],
  ['Enter', 'Enter'],
  ['S', 'S'],
  ['?', '?'],
])('the key %j is called %j', ([key = '', name]) => {
  expect(keyName(key, false)).toBe(name);
});

test('on a Mac', () => {
  expect(['Control+enter', 'Control+k', 'S'].map((key) => keyName(key, true))).toEqual(['⌘ Enter', '⌘ K', 'S']);
});
