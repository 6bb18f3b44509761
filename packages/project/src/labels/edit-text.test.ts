import { describe, expect, test } from 'vitest';
import { editDelimited } from './edit-delimited-text.ts';
import { editJson, type TextEdit } from './edit-json-text.ts';

function applied(text: string, edits: readonly TextEdit[] | undefined): string | undefined {
  return edits?.toReversed().reduce((whole, { start, end, text: put }) => {
    return whole.slice(0, start) + put + whole.slice(end);
  }, text);
}

describe('JSON', () => {
  test.for([
    { text: '{"q": 1, "a": "old"}', path: ['a'], value: 'new', after: '{"q": 1, "a": "new"}' },
    { text: '{"q":1,"a":"old"}', path: ['b'], value: '新', after: '{"q":1,"a":"old","b":"新"}' },
    { text: '{"q": "\\u554f"}', path: ['b'], value: '新😀', after: '{"q": "\\u554f", "b": "\\u65b0\\ud83d\\ude00"}' },
    { text: '{"e": {"ids": [1, 2]} , "z": 0}', path: ['e', 'ids'], value: [3], after: '{"e": {"ids": [3]} , "z": 0}' },
    { text: '{"e": {}}', path: ['e', 'a'], value: 'x', after: '{"e": {"a": "x"}}' },
    { text: '{"q": 1}', path: ['e', 'a'], value: 'x', after: '{"q": 1, "e": {"a": "x"}}' },
    { text: '{}', path: ['a'], value: '"}', after: '{"a": "\\"}"}' },
    { text: '{"a": null}', path: ['a'], value: 'x', after: '{"a": "x"}' },
    {
      text: '[\n  {\n    "q": 1\n  }\n]\n',
      path: [0, 'a'],
      value: 'x',
      after: '[\n  {\n    "q": 1,\n    "a": "x"\n  }\n]\n',
    },
    { text: '{"e": "text"}', path: ['e', 'a'], value: 'x', after: undefined },
    { text: 'no json', path: ['a'], value: 'x', after: undefined },
  ])('$text at $path', ({ text, path, value, after }) => {
    const edit = editJson(text, path, value);
    expect(applied(text, edit === undefined ? undefined : [edit])).toBe(after);
  });
});

describe('CSV and TSV', () => {
  test.for([
    { text: 'q,a\r\n1,old\r\n2,b\r\n', row: 0, path: ['a'], value: 'new', after: 'q,a\r\n1,new\r\n2,b\r\n' },
    {
      text: '\uFEFFq,a\n"x ""y"", z","old"\n',
      row: 0,
      path: ['a'],
      value: 'n',
      after: '\uFEFFq,a\n"x ""y"", z","n"\n',
    },
    { text: 'q,a\n\n1,b\n\n"2\n3",c', row: 1, path: ['a'], value: 'd, e', after: 'q,a\n\n1,b\n\n"2\n3","d, e"' },
    { text: 'q\n1\n2\n', row: 1, path: ['a'], value: 'x', after: 'q,a\n1\n2,x\n' },
    { text: 'q,r,a\n1\n', row: 0, path: ['a'], value: 'x', after: 'q,r,a\n1,,x\n' },
    {
      text: 'q\te\n1\t{"a": 1}\n',
      row: 0,
      path: ['e', 'b'],
      value: 'x',
      after: 'q\te\n1\t"{""a"": 1, ""b"": ""x""}"\n',
    },
    { text: 'q\n1\n', row: 0, path: ['e', 'b'], value: 'x', after: 'q,e\n1,"{""b"": ""x""}"\n' },
    { text: 'q,e\n1,text\n', row: 0, path: ['e', 'b'], value: 'x', after: undefined },
    { text: 'q,a\n1,b\n', row: 1, path: ['a'], value: 'x', after: undefined },
  ])('$text at row $row, $path', ({ text, row, path, value, after }) => {
    const delimiter = text.includes('\t') ? '\t' : ',';
    expect(applied(text, editDelimited(text, delimiter, { row, path, value }))).toBe(after);
  });
});
