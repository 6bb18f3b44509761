import { expect, test } from 'vitest';
import { searchWords, tokenizerName } from './search-words.ts';

test.for([
  { text: 'What are the Policies of the users?', words: ['policy', 'user'] },
  { text: "The business's status isn't CLEAR", words: ['business', 'status', 'isnt', 'clear'] },
  { text: 'user_id of the Café, v2.5', words: ['user', 'id', 'café', 'v2', '5'] },
  { text: 'ＡＰＰＩ 第２７条', words: ['appi', '第', '27', '条'] },
  { text: 'ﾃﾞｰﾀをサーバーに', words: ['データ', 'サーバ'] },
  { text: 'サーバのユーザー、コピーとエラー', words: ['サーバ', 'ユーザ', 'コピー', 'エラー'] },
  { text: '個人データの提供は', words: ['個人', 'データ', '提供'] },
  { text: '今日はよいAPIですね', words: ['今日', 'api'] },
  { text: 'しますか', words: [] },
  { text: '', words: [] },
  { text: 'the of and', words: [] },
])('the words of "$text"', ({ text, words }) => {
  expect(searchWords(text)).toEqual(words);
});

test('the tokenizer has a name that does not change from call to call', () => {
  expect(tokenizerName()).toMatch(/^words-2 [0-9a-f]{8}$/u);
  expect(tokenizerName()).toBe(tokenizerName());
});
