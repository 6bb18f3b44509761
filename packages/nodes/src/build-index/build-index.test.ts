import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Embedder } from '@unroll/engine';
import { afterAll, expect, test } from 'vitest';
import { createIndexDatabase, type DatabaseSync } from '../embedded-index/index-database.ts';
import { keptDigest } from '../embedded-index/kept-digest.ts';
import { type BuildOptions, buildIndex } from './build-index.ts';
import { describeIndex } from './describe-index.ts';
import { listFiles } from './list-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'build-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(files: Readonly<Record<string, string>>): string {
  const root = join(mkdtempSync(join(folder, 'x-')), 'docs');
  mkdirSync(root);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  return root;
}

const { signal } = new AbortController();
const build = (database: DatabaseSync, root: string, options: Partial<BuildOptions> = {}) =>
  buildIndex(database, { files: listFiles([root]).files, chunks: { tokens: 400, overlap: 60 }, signal, ...options });

const names = (database: DatabaseSync): readonly unknown[] =>
  database
    .prepare('SELECT name FROM documents ORDER BY name')
    .all()
    .map(({ name }) => name);

/** Two numbers a text; `fails` says after how many texts it stops. */
function countingEmbedder(fails = Number.POSITIVE_INFINITY): Embedder & { readonly texts: string[] } {
  const seen: string[] = [];
  return {
    model: 'counting',
    fusion: { method: 'linear', weights: { keyword: 0.5, vector: 0.5 } } as const,
    texts: seen,
    embed: async (given) => {
      if (seen.length + given.length > fails)
        return { ok: false, error: { code: 'X', message: 'no more', retryable: false } };
      seen.push(...given);
      return { ok: true, vectors: given.map((text) => Float32Array.of(text.length, 1)) };
    },
  };
}

test('the same documents twice change nothing; changes are told; gone files go', async () => {
  const root = write({ 'a.md': '# A\none\n# B\ntwo', 'b.txt': 'three' });
  const database = createIndexDatabase(':memory:');
  expect(await build(database, root)).toMatchObject({
    documents: { added: 3, changed: 0, removed: 0 },
    files: { read: 2 },
  });
  const before = names(database);
  expect(before).toEqual(['docs/a.md#a', 'docs/a.md#b', 'docs/b.txt#1']);
  expect(await build(database, root)).toMatchObject({
    documents: { added: 0, changed: 0, removed: 0 },
    files: { read: 0, unchanged: 2 },
  });
  writeFileSync(join(root, 'a.md'), '# A\none\n# B\ntwo and more\n# C\nnew');
  rmSync(join(root, 'b.txt'));
  expect(await build(database, root)).toMatchObject({
    documents: { added: 1, changed: 1, removed: 1 },
    files: { removed: 1 },
  });
  expect(names(database)).toEqual(['docs/a.md#a', 'docs/a.md#b', 'docs/a.md#c']);
});

test('other chunks read the files again', async () => {
  const root = write({ 'a.txt': 'これは文です。'.repeat(20) });
  const database = createIndexDatabase(':memory:');
  await build(database, root);
  await build(database, root, { chunks: { tokens: 50, overlap: 0 } });
  expect(names(database)).toEqual(['docs/a.txt#1', 'docs/a.txt#1~2', 'docs/a.txt#1~3']);
});

test('a broken file and a second id are told each time, and the rest is built', async () => {
  const root = write({
    'a.jsonl': '{"id": "x", "text": "1"}\n',
    'b.jsonl': '{"id": "x", "text": "2"}\n{"id": "y", "text": "3"}\n',
    'c.pdf': 'no',
    'd.md': 'fine',
  });
  const database = createIndexDatabase(':memory:');
  const problems = [
    { name: 'docs/b.jsonl', problem: 'another document has the id "x" already; this one is left out' },
    { name: 'docs/c.pdf', problem: 'the PDF is broken: Invalid PDF structure.' },
  ];
  expect((await build(database, root)).problems).toEqual(problems);
  expect((await build(database, root)).problems).toEqual(problems);
  expect(names(database)).toEqual(['docs/d.md#1', 'x', 'y']);
});

test('a pipe among the documents is told, and not waited for', async () => {
  const root = write({ 'a.md': 'fine' });
  execFileSync('mkfifo', [join(root, 'pipe.md')]);
  const { problems } = await build(createIndexDatabase(':memory:'), root);
  expect(problems).toEqual([{ name: 'docs/pipe.md', problem: 'it is a pipe or a device, not a file' }]);
});

test('vectors are made once a text, and a build that failed goes on', async () => {
  const lines = Array.from({ length: 700 }, (_, at) => `{"id": "${at}", "text": "text ${at % 650}"}`);
  const root = write({ 'a.jsonl': lines.join('\n') });
  const database = createIndexDatabase(':memory:');
  const failing = countingEmbedder(600);
  expect(await build(database, root, { openEmbedder: async () => failing })).toMatchObject({
    embedded: 512,
    failure: { message: 'no more' },
  });
  expect(keptDigest(database)).toBeUndefined();
  const working = countingEmbedder();
  expect(await build(database, root, { openEmbedder: async () => working })).toMatchObject({ embedded: 138 });
  expect(keptDigest(database)).toBeDefined();
  expect(new Set([...failing.texts, ...working.texts]).size).toBe(650);
  expect(await build(database, root, { openEmbedder: async () => countingEmbedder(0) })).toMatchObject({ embedded: 0 });
  expect(database.prepare('SELECT count(*) AS n FROM documents WHERE embedding IS NULL').get()).toMatchObject({ n: 0 });
});

test('a text that comes back under another id keeps its vector', async () => {
  const root = write({ 'a.jsonl': '{"id": "a", "text": "same"}\n' });
  const database = createIndexDatabase(':memory:');
  await build(database, root, { openEmbedder: async () => countingEmbedder() });
  writeFileSync(join(root, 'a.jsonl'), '{"id": "b", "text": "same"}\n');
  const embedder = countingEmbedder();
  await build(database, root, { openEmbedder: async () => embedder });
  expect(embedder.texts).toEqual([]);
});

test('another embedding model, and vectors of another length, are refused', async () => {
  const root = write({ 'a.jsonl': '{"id": "a", "text": "one"}\n' });
  const database = createIndexDatabase(':memory:');
  await build(database, root, { openEmbedder: async () => countingEmbedder() });
  writeFileSync(join(root, 'a.jsonl'), '{"id": "a", "text": "two"}\n');
  const other = { ...countingEmbedder(), model: 'other' };
  expect((await build(database, root, { openEmbedder: async () => other })).failure?.message).toBe(
    'the vectors of the index were made by counting; other makes others: build it again with --rebuild',
  );
  const longer: Embedder = {
    ...countingEmbedder(),
    embed: async () => ({ ok: true, vectors: [Float32Array.of(1, 2, 3)] }),
  };
  expect((await build(database, root, { openEmbedder: async () => longer })).failure?.message).toBe(
    'the model gave a vector of 3 numbers; those in the index have 2',
  );
});

test('a model that made no vector is none that the vectors of the index were made by', async () => {
  const root = write({ 'a.jsonl': '{"id": "a", "text": "one"}\n' });
  const database = createIndexDatabase(':memory:');
  const misspelt = { ...countingEmbedder(0), model: 'misspelt' };
  await build(database, root, { openEmbedder: async () => misspelt });
  const empty: Embedder = { ...misspelt, embed: async () => ({ ok: true, vectors: [new Float32Array()] }) };
  expect((await build(database, root, { openEmbedder: async () => empty })).failure?.message).toBe(
    'the model gave a vector of 0 numbers; its first one has 0',
  );
  expect(await build(database, root, { openEmbedder: async () => countingEmbedder() })).toMatchObject({ embedded: 1 });
  expect(describeIndex(database)).toMatchObject({ model: 'counting', dimensions: 2, vectors: 1 });
});

test('a build that is stopped keeps what was read, removes nothing, and is not finished before the next', async () => {
  const root = write({ 'a.md': 'one', 'b.md': 'two', 'c.md': 'three' });
  const database = createIndexDatabase(':memory:');
  const controller = new AbortController();
  const onProgress = ({ done }: { readonly done: number }): void => {
    if (done === 1) controller.abort();
  };
  expect(await build(database, root, { signal: controller.signal, onProgress })).toMatchObject({
    isStopped: true,
    documents: { added: 2 },
  });
  expect(describeIndex(database)).toMatchObject({ documents: 2, isFinished: false });
  expect(await build(database, root)).toMatchObject({ files: { read: 1, unchanged: 2 }, documents: { added: 1 } });
  expect(describeIndex(database)).toMatchObject({ documents: 3, isFinished: true });
});

test('the words and the fields of a document that changed or went are not found any more', async () => {
  const root = write({
    'a.jsonl':
      '{"id": "a", "text": "apple", "kind": "fruit"}\n{"id": "b", "text": "pear"}\n{"id": "c", "text": "plum"}\n',
  });
  const database = createIndexDatabase(':memory:');
  await build(database, root);
  writeFileSync(join(root, 'a.jsonl'), '{"id": "a", "text": "carrot", "kind": "root"}\n{"id": "c", "text": "plum"}\n');
  await build(database, root);
  const found = (word: string): number =>
    database.prepare('SELECT rowid FROM terms WHERE terms MATCH ?').all(word).length;
  expect(['apple', 'pear', 'carrot', 'plum'].map(found)).toEqual([0, 0, 1, 1]);
  expect(database.prepare("SELECT field, value FROM attributes WHERE field = 'kind'").all()).toMatchObject([
    { value: 'root' },
  ]);
});

test('a build that is killed leaves no digest, though it was behind its last change; the next one tells what is there', async () => {
  const root = write({ 'a.md': '# A\none' });
  const database = createIndexDatabase(':memory:');
  await build(database, root);
  const { digest } = describeIndex(database);
  writeFileSync(join(root, 'a.md'), '# A\ntwo');
  await expect(
    build(database, root, {
      onProgress: ({ done }) => {
        if (done === 1) throw new Error('killed');
      },
    }),
  ).rejects.toThrow('killed');
  expect(describeIndex(database)).toMatchObject({ isFinished: false, digest: '' });
  expect(await build(database, root)).toMatchObject({ files: { read: 0, unchanged: 1 } });
  expect(describeIndex(database)).toMatchObject({ isFinished: true, digest: expect.stringMatching(/./) });
  expect(describeIndex(database).digest).not.toBe(digest);
});
