import { placeOf } from '@unroll/engine';
import { expect, test } from 'vitest';
import { readRecords } from './read-records.ts';

const read = (path: string, text: string) => {
  const { documents, diagnostics } = readRecords({ path, text });
  const mistakes = diagnostics.map(({ span, message }) => `${span && placeOf(span.file, span.start).line}: ${message}`);
  return { documents, mistakes };
};

test('a .jsonl file gives a document a line; question and answer are title and text', () => {
  const text = '{"id": "q1", "question": "Q?", "answer": "A.", "articles": [27]}\n\n{"text": "no id"}\n';
  expect(read('kb/faq.jsonl', text)).toEqual({
    documents: [
      { id: 'q1', title: 'Q?', text: 'A.', fields: { articles: [27] } },
      { id: 'faq.jsonl#3', text: 'no id', fields: {} },
    ],
    mistakes: [],
  });
});

test('a .json file gives a document an item', () => {
  expect(read('faq.json', '[{"id": 7, "title": "T", "text": "x"}]').documents).toEqual([
    { id: '7', title: 'T', text: 'x', fields: {} },
  ]);
});

test('a Markdown file gives a document a heading', () => {
  expect(read('guide.md', 'Lead.\n\n# One\n\nFirst.\n\n## Two ##\nSecond.\n# Empty\n').documents).toEqual([
    { id: 'guide.md#1', title: 'guide.md', text: 'Lead.', fields: {} },
    { id: 'guide.md#2', title: 'One', text: 'First.', fields: {} },
    { id: 'guide.md#3', title: 'Two', text: 'Second.', fields: {} },
  ]);
});

test('every wrong line is told, and the others are read', () => {
  const text = '{"id": "a", "text": "x"}\n{"id": "b"\n[1]\n{"id": "c"}\n{"id": "a", "text": "y"}\n';
  const { documents, mistakes } = read('faq.jsonl', text);
  expect(documents.map(({ id, text }) => `${id} ${text}`)).toEqual(['a x']);
  expect(mistakes.map((mistake) => mistake.replace(/JSON: .*/u, 'JSON'))).toEqual([
    '2: line 2 is no JSON',
    '3: line 3 is no object',
    '4: line 4 has no text (text, answer, content, body)',
    '5: two documents have the id "a"',
  ]);
});

test.for(['{', '{"id": 1}'])('a .json file that is no list: %s', (text) => {
  expect(read('faq.json', text).mistakes).toHaveLength(1);
});

test('an id that is a number, with a point too, is the id', () => {
  const { documents } = read('a.jsonl', '{"id": 7, "text": "a"}\n{"id": 8.0, "text": "b"}\n');
  expect(documents.map(({ id }) => id)).toEqual(['7', '8']);
});
