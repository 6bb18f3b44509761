import { expect, test } from 'vitest';
import { freshDatabase } from '../testing/fresh-database.ts';
import { openDatabase } from './open-database.ts';
import { givenJson, givenText, storedJson, storedText } from './stored-text.ts';

const texts = [
  '',
  'plain',
  '日本語 🙂',
  'a\0b',
  '\ud800',
  'x\udc00y',
  '\x1a',
  '\x1a0000',
  '\\u0000',
  '\0\x1a\ud83d\ude42\ud83d',
];

test('what PostgreSQL holds of any text, as text and as jsonb, is that text again', async () => {
  await using fresh = await freshDatabase();
  await using database = await openDatabase(fresh.url);
  const value = { list: texts, ...Object.fromEntries(texts.map((text) => [text, { [text]: 1 }])), left: undefined };
  const sql = 'SELECT $1::text[] AS texts, $2::jsonb AS value';
  const [held] = await database.query<{ texts: string[]; value: unknown }>(sql, [
    texts.map(storedText),
    storedJson(value),
  ]);
  expect(held?.texts.map(givenText)).toEqual(texts);
  const { left: _, ...all } = value;
  expect(givenJson(held?.value)).toEqual(all);
});
