import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonValue, PrepareContext } from '@unroll/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIndexDatabase, shutIndexDatabase } from '../embedded-index/index-database.ts';
import { IndexWriter } from '../embedded-index/index-writer.ts';
import { keepDigest } from '../embedded-index/kept-digest.ts';
import type { EmbedderServices } from '../embedders/open-embedder.ts';
import { openSearchIndex } from './open-search-index.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'unroll-index-file-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string, isWhole = true): void {
  const database = createIndexDatabase(join(folder, name));
  new IndexWriter(database).putSource('a.md', '', [{ id: 'a', text, fields: {} }]);
  if (isWhole) keepDigest(database, text);
  shutIndexDatabase(database);
}

test('an index that another one takes the place of is opened again, and refused until that one is whole', async () => {
  const path = join(folder, 'k.index');
  write('k.index', 'old words');
  const closed: (() => void)[] = [];
  const context = {
    files: { folder, resolve: () => path },
    connections: { find: () => undefined },
    onClose: (close: () => void) => closed.push(close),
  } as unknown as PrepareContext;
  const node = { name: 'find', settings: {} } as unknown as Parameters<typeof openSearchIndex>[0];
  const settings = { index: 'k.index' } as unknown as Parameters<typeof openSearchIndex>[1];
  const { index, parts } = await openSearchIndex(node, settings, context, {} as EmbedderServices);
  const asked = async (): Promise<JsonValue> => {
    const result = await index.search('words', { mode: 'keyword', topK: 3 });
    return result.ok ? result.hits.map(({ text }) => text) : result.error.message;
  };
  const before = parts();
  expect(await asked()).toEqual(['old words']);
  rmSync(path);
  expect(await asked()).toEqual(['old words']);
  write('k.index', 'half words', false);
  expect(await asked()).toBe(
    'the index is being made again, or its build failed or was stopped: flow index update goes on with it',
  );
  rmSync(path);
  write('k.index', 'new words');
  expect(await asked()).toEqual(['new words']);
  expect(parts()).not.toEqual(before);
  for (const close of closed) close();
});
