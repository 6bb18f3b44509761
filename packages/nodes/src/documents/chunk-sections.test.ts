import { expect, test } from 'vitest';
import { chunkSections, chunkText } from './chunk-sections.ts';
import { estimateTokens } from './estimate-tokens.ts';

test.for([
  { text: '', tokens: 0 },
  { text: 'abcdefgh', tokens: 2 },
  { text: '個人情報', tokens: 4 },
  { text: 'APIの𠮟る', tokens: 4 },
])('"$text" has about $tokens tokens', ({ text, tokens }) => {
  expect(estimateTokens(text)).toBe(tokens);
});

test('a short text is one piece, as it is', () => {
  expect(chunkText('一。二。\n\n三。', { tokens: 20, overlap: 5 })).toEqual(['一。二。\n\n三。']);
});

test('a long text is cut between sentences, and the next piece repeats the last ones', () => {
  const text = '一番目の文です。二番目の文です。三番目の文です。四番目の文です。';
  expect(chunkText(text, { tokens: 16, overlap: 8 })).toEqual([
    '一番目の文です。二番目の文です。',
    '二番目の文です。三番目の文です。',
    '三番目の文です。四番目の文です。',
  ]);
  expect(chunkText(text, { tokens: 16, overlap: 0 })).toEqual([
    '一番目の文です。二番目の文です。',
    '三番目の文です。四番目の文です。',
  ]);
});

test('paragraphs stay whole where they fit', () => {
  const text = ['あああああ。', 'いいいいい。', 'ううううう。'].join('\n\n');
  expect(chunkText(text, { tokens: 13, overlap: 0 })).toEqual(['あああああ。\n\nいいいいい。', 'ううううう。']);
});

test('a closing quote stays with its sentence', () => {
  expect(chunkText('「そうだ。」と言った。次の文です。', { tokens: 11, overlap: 0 })).toEqual([
    '「そうだ。」と言った。',
    '次の文です。',
  ]);
});

test('no piece is longer than it may be, and none of the text is lost', () => {
  const text = `${'個人情報の保護に関する法律'.repeat(40)}。${'word '.repeat(300)}`;
  const pieces = chunkText(text, { tokens: 50, overlap: 0 });
  expect(Math.max(...pieces.map(estimateTokens))).toBeLessThanOrEqual(50);
  expect(pieces.join('').replaceAll(/\s/gu, '')).toBe(text.replaceAll(/\s/gu, ''));
});

test('ids tell file, heading and part', () => {
  const sections = [
    { headings: [], text: '前書き' },
    { headings: ['手引き', '利用 目的！'], text: '一。'.repeat(12) },
    { headings: ['手引き', '利用 目的！'], text: 'また。' },
    { headings: ['手引き'], text: '頁', page: 3 },
  ];
  const chunks = chunkSections('docs/手引き.md', sections, { tokens: 20, overlap: 0 });
  expect(chunks.map(({ id, title }) => [id, title])).toEqual([
    ['docs/手引き.md#1', '手引き.md'],
    ['docs/手引き.md#利用-目的', '手引き > 利用 目的！'],
    ['docs/手引き.md#利用-目的~2', '手引き > 利用 目的！'],
    ['docs/手引き.md#利用-目的-1', '手引き > 利用 目的！'],
    ['docs/手引き.md#page=3', '手引き'],
  ]);
  expect(chunks.at(-1)?.fields).toEqual({ source: 'docs/手引き.md', headings: ['手引き'], page: 3 });
});
