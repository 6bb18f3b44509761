import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openData } from './open-data.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'unroll-no-text-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const row = '{"q": "a"}\n';
const parquet = new Uint8Array(parquetWriteBuffer({ columnData: [{ name: 'q', data: ['a'] }] }));

test.for<[name: string, content: Uint8Array, said: string]>([
  ['book.xlsx', Buffer.concat([Buffer.from('504b030414000600', 'hex'), Buffer.alloc(100, 7)]), 'an Excel workbook'],
  ['book.csv', Buffer.concat([Buffer.from('504b030414000600', 'hex'), Buffer.alloc(100, 7)]), 'Save it as CSV'],
  ['old.xls', Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(100)]), 'an old Excel workbook'],
  ['rows.jsonl.gz', gzipSync(row), 'compressed with gzip. Unpack it'],
  ['rows.jsonl.zst', zstdCompressSync(row), 'compressed with Zstandard. Unpack it'],
  ['rows.pq', parquet, 'a Parquet file. Say --data-format parquet'],
])('%s is refused with what it is, and what to do', async ([name, content, said]) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  const opened = await openData(path);
  expect(opened).toEqual({ ok: false, message: expect.stringContaining(`${path} is `) });
  expect(opened).toEqual({ ok: false, message: expect.stringContaining(said) });
});

test('what begins alike but is text is read', async () => {
  const path = join(folder, 'text.csv');
  writeFileSync(path, 'PAR1,PK\na,b\n');
  expect(await openData(path)).toMatchObject({ ok: true });
});
