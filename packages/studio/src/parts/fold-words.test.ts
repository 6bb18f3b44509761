import type { WordChange } from '@unroll/project/studio-contract';
import { expect, test } from 'vitest';
import { foldWords } from './fold-words.ts';

const same = (text: string): WordChange => ({ kind: 'same', text });
const removed: WordChange = { kind: 'removed', text: 'x' };
const told = (changes: readonly WordChange[]): string =>
  foldWords(changes)
    .map(({ kind, text }) => (kind === 'same' ? `${text.length}` : kind === 'folded' ? `(${text.length})` : '*'))
    .join(' ');

test.for([
  {
    what: 'a short text is whole',
    changes: [same('a'.repeat(100)), removed, same('b'.repeat(100))],
    shown: '100 * 100',
  },
  {
    what: 'before the first change only what stands beside it',
    changes: [same('a'.repeat(500)), removed],
    shown: '(410) 90 *',
  },
  {
    what: 'between two changes both ends',
    changes: [removed, same('a'.repeat(500)), removed],
    shown: '* 90 (320) 90 *',
  },
  { what: 'after the last one only its start', changes: [removed, same('a'.repeat(500))], shown: '* 90 (410)' },
  {
    what: 'up to the end of the line where it is near',
    changes: [removed, same(`${'a'.repeat(119)}\n${'b'.repeat(400)}`)],
    shown: '* 120 (400)',
  },
  { what: 'nothing but the same', changes: [same('a'.repeat(50))], shown: '50' },
])('$what', ({ changes, shown }) => {
  expect(told(changes)).toBe(shown);
});

test('the parts spell the text, and cut no character in two', () => {
  const text = '👩‍👩‍👧個人情報'.repeat(200);
  const parts = foldWords([removed, same(text), removed]);
  expect(
    parts
      .filter(({ kind }) => kind !== 'removed')
      .map((part) => part.text)
      .join(''),
  ).toBe(text);
  for (const part of parts) expect(part.text.isWellFormed()).toBe(true);
});
