import { mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { openIndex } from './open-index.ts';

const folder = mkdtempSync(join(tmpdir(), 'lookup-'));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

test('a file is read once, and again when it has changed', () => {
  const path = write('faq.jsonl', '{"id": "a", "text": "apple"}\n');
  const index = openIndex(path);
  expect(openIndex(pathToFileURL(path))).toBe(index);
  write('faq.jsonl', '{"id": "b", "text": "apple pie"}\n');
  expect(
    openIndex(path)
      .search('apple')
      .map((hit) => hit.id),
  ).toEqual(['b']);
  utimesSync(path, 1, 1);
  expect(openIndex(path)).not.toBe(index);
});

test('a folder gives all its documents', () => {
  expect(openIndex(folder).size).toBe(1);
});

test('a folder that links to itself gives each document once', () => {
  symlinkSync('.', join(folder, 'again'));
  const found = openIndex(folder).search('pie');
  rmSync(join(folder, 'again'));
  expect(found.length).toBe(1);
});

test('a missing file is named with the nearest one', () => {
  expect(() => openIndex(join(folder, 'fag.jsonl'))).toThrow(/no index at .*fag\.jsonl; did you mean "faq\.jsonl"\?/u);
  expect(() => openIndex(join(folder, 'no', 'such'))).toThrow(expect.objectContaining({ code: 'IndexNotFound' }));
});

test('wrong lines are told with file and line', () => {
  const path = write('bad.txt.jsonl', '{"text": "x"}\n{oops\n3\n');
  expect(() => openIndex(path)).toThrow(expect.objectContaining({ code: 'IndexInvalid' }));
  expect(() => openIndex(path)).toThrow(
    /bad\.txt\.jsonl:2: line 2 is no JSON.*\n.*bad\.txt\.jsonl:3: line 3 is no object/u,
  );
  rmSync(path);
});
