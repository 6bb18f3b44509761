import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Float } from '../value/float.ts';
import type { Values } from '../value/json.ts';
import { openData } from './open-data.ts';
import { type RowFormat, type WriteRowsOptions, writeRows } from './write-rows.ts';

const rows: readonly Values[] = [
  { line_number: 0, status: 'Completed', inputs: { q: '個人情報とは、何ですか' }, outputs: { a: 'say "yes"', n: 1 } },
  { line_number: 1, status: 'Failed', inputs: { q: 'x\ny' }, outputs: {}, error: { code: 'E', message: 'm' } },
  { line_number: 2, status: 'Completed', inputs: { q: '' }, outputs: { a: null, n: new Float(2), tags: ['a', 1] } },
];

async function textOf(format: RowFormat, options?: WriteRowsOptions): Promise<string> {
  const parts = await Array.fromAsync(writeRows(rows, format, options));
  return parts.join('');
}

test('JSONL is the rows as they are', async () => {
  expect(
    await textOf('jsonl'),
  ).toBe(`{"line_number":0,"status":"Completed","inputs":{"q":"個人情報とは、何ですか"},"outputs":{"a":"say \\"yes\\"","n":1}}
{"line_number":1,"status":"Failed","inputs":{"q":"x\\ny"},"outputs":{},"error":{"code":"E","message":"m"}}
{"line_number":2,"status":"Completed","inputs":{"q":""},"outputs":{"a":null,"n":2.0,"tags":["a",1]}}
`);
});

test('CSV is flat, and Excel reads it where it has a mark', async () => {
  const text = `line_number,status,inputs.q,outputs.a,outputs.n,error,outputs.tags
0,Completed,個人情報とは、何ですか,"say ""yes""",1,,
1,Failed,"x
y",,,"{""code"":""E"",""message"":""m""}",
2,Completed,,,2.0,,"[""a"",1]"
`;
  expect(await textOf('csv')).toBe(text);
  expect(await textOf('csv', { hasMark: true })).toBe(`\uFEFF${text}`);
});

test('Parquet is read back as it was written, numbers as numbers', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'unroll-parquet-'));
  try {
    const path = join(folder, 'rows.parquet');
    const [bytes = ''] = await Array.fromAsync(writeRows(rows, 'parquet'));
    writeFileSync(path, bytes);
    const opened = await openData(path);
    expect(opened.ok && opened.data.count).toBe(3);
    const read = opened.ok ? await Array.fromAsync(opened.data.rows()) : [];
    expect(read.map((row) => ('values' in row ? row.values : row.problem))).toEqual([
      {
        line_number: 0,
        status: 'Completed',
        'inputs.q': '個人情報とは、何ですか',
        'outputs.a': 'say "yes"',
        'outputs.n': new Float(1),
        error: null,
        'outputs.tags': null,
      },
      {
        line_number: 1,
        status: 'Failed',
        'inputs.q': 'x\ny',
        'outputs.a': null,
        'outputs.n': null,
        error: '{"code":"E","message":"m"}',
        'outputs.tags': null,
      },
      {
        line_number: 2,
        status: 'Completed',
        'inputs.q': '',
        'outputs.a': null,
        'outputs.n': new Float(2),
        error: null,
        'outputs.tags': '["a",1]',
      },
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
