import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { planChange, writeChange } from './dataset-change.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'unroll-dataset-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function fileOf(name: string, content: string | Uint8Array): { readonly file: string; readonly shown: string } {
  writeFileSync(join(folder, name), content);
  return { file: join(folder, name), shown: name };
}

test.for([
  {
    name: 'cases.jsonl',
    text: '{"q": "一", "expected": {"ids": [1]}}\r\n\r\n{"q": "二"}\r\n',
    change: { line: 1, column: 'expected.ids', expected: '[2, 3]' },
    after: '{"q": "一", "expected": {"ids": [1]}}\r\n\r\n{"q": "二", "expected": {"ids": [2,3]}}\r\n',
    lines: [3],
  },
  {
    name: 'numbered.jsonl',
    text: '{"line_number": 5, "a": "x"}\n{"line_number": 2, "a": "y"}',
    change: { line: 2, column: 'a', expected: 'z' },
    after: '{"line_number": 5, "a": "x"}\n{"line_number": 2, "a": "z"}',
    lines: [2],
  },
  {
    name: 'cases.json',
    text: '[{"q": 1, "a.b": "x"},\n {"q": 2}]',
    change: { line: 0, column: 'a.b', expected: 'y' },
    after: '[{"q": 1, "a.b": "y"},\n {"q": 2}]',
    lines: [1],
  },
  {
    name: 'cases.csv',
    text: '\uFEFFq,answer\r\n"one, two",x\r\nthree,y\r\n',
    change: { line: 1, column: 'answer', expected: 'two\nlines' },
    after: '\uFEFFq,answer\r\n"one, two",x\r\nthree,"two\nlines"\r\n',
    lines: [3],
  },
  {
    name: 'new-column.csv',
    text: 'q\n1\n2\n',
    change: { line: 0, column: 'answer', expected: 'yes' },
    after: 'q,answer\n1,yes\n2\n',
    lines: [1, 2],
  },
])('$name: one value is another, and nothing else is', async ({ name, text, change, after, lines }) => {
  const file = fileOf(name, text);
  const planned = await planChange(file, change);
  expect(planned.lines.map(({ number }) => number)).toEqual(lines);
  expect(readFileSync(file.file, 'utf8')).toBe(text);
  await writeChange(file, change, planned.digest);
  expect(readFileSync(file.file, 'utf8')).toBe(after);
  expect(readdirSync(folder)).toEqual([name]);
});

test('a file that was changed since the change was shown stays as it is', async () => {
  const file = fileOf('cases.jsonl', '{"a": "x"}\n');
  const change = { line: 0, column: 'a', expected: 'y' };
  const { digest } = await planChange(file, change);
  writeFileSync(file.file, '{"a": "somebody else"}\n');
  await expect(writeChange(file, change, digest)).rejects.toMatchObject({ code: 'Changed' });
  expect(readFileSync(file.file, 'utf8')).toBe('{"a": "somebody else"}\n');
});

test.for([
  { name: 'other.csv', content: Buffer.from('q,a\n\x93\xfa,x\n', 'latin1'), why: 'it is not written in UTF-8' },
  { name: 'short.jsonl', content: '', why: 'it has no row 0 that can be read' },
  { name: 'broken.jsonl', content: 'no json\n', why: 'it has no row 0 that can be read' },
  { name: 'text.jsonl', content: '{"a": {"b": "c"}}', why: '"a.b.c" cannot be set in row 0', column: 'a.b.c' },
  { name: 'columns.json', content: '{"a": ["x"]}', why: '"a" cannot be set in row 0' },
  { name: 'lists.jsonl', content: '{"a": [1]}', why: '"a" holds no texts: what is expected must be JSON there' },
])('$name is refused: $why', async ({ name, content, why, column = 'a' }) => {
  const file = fileOf(name, content);
  await expect(planChange(file, { line: 0, column, expected: 'no: {json' })).rejects.toThrow(
    `${name} cannot be changed: ${why}`,
  );
});
