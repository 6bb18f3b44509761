import { expect, test } from 'vitest';
import { diffLines } from './diff-lines.ts';

const notation = (left: string, right: string): string =>
  diffLines(left, right)
    .map(({ kind, text, line }) => `${kind === 'same' ? ' ' : kind === 'removed' ? '-' : '+'}${line} ${text}`)
    .join('\n');

test.for([
  ['a\nb', 'a\nb', ' 1 a\n 2 b'],
  ['a\nb\nc', 'a\nB\nc', ' 1 a\n-2 b\n+2 B\n 3 c'],
  ['a\nc', 'a\nb\nc', ' 1 a\n+2 b\n 3 c'],
  ['a\nb\nc', 'a\nc', ' 1 a\n-2 b\n 2 c'],
  ['a\n', 'a', ' 1 a\n-2 '],
  ['', 'x', '-1 \n+1 x'],
] as const)('%j to %j', ([left, right, told]) => {
  expect(notation(left, right)).toBe(told);
});
