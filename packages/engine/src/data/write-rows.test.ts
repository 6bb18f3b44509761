import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Float } from '../value/float.ts';
import type { JsonObject } from '../value/json.ts';
import { openData } from './open-data.ts';
import { type RowFormat, type WriteRowsOptions, writeRows } from './write-rows.ts';

const rows: readonly JsonObject[] = [
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

test('a text that a spreadsheet would take for a formula is marked as text in CSV; numbers are not; raw keeps it', async () => {
  const texts = [
    '=cmd|x',
    '+1+1',
    '-2+3',
    '@SUM(A1)',
    '\tx',
    '\rx',
    '-5',
    '+1.5e3',
    'a=b',
    '',
    '-',
    '＝cmd|x',
    '＠SUM(1)',
    '\n=x',
  ];
  const risky = texts.map((text) => ({ line_number: -1, outputs: { a: text, n: new Float(-2) } }));
  const cells = async (options?: WriteRowsOptions): Promise<readonly string[]> => {
    const parts = await Array.fromAsync(writeRows(risky, 'csv', options));
    return parts.slice(1).map(String);
  };
  expect(await cells()).toEqual([
    `-1,'=cmd|x,-2.0\n`,
    `-1,'+1+1,-2.0\n`,
    `-1,'-2+3,-2.0\n`,
    `-1,'@SUM(A1),-2.0\n`,
    `-1,'\tx,-2.0\n`,
    `-1,"'\rx",-2.0\n`,
    '-1,-5,-2.0\n',
    '-1,+1.5e3,-2.0\n',
    '-1,a=b,-2.0\n',
    '-1,,-2.0\n',
    `-1,'-,-2.0\n`,
    `-1,'＝cmd|x,-2.0\n`,
    `-1,'＠SUM(1),-2.0\n`,
    `-1,"'\n=x",-2.0\n`,
  ]);
  expect((await cells({ isRaw: true }))[0]).toBe('-1,=cmd|x,-2.0\n');
  const named = await Array.fromAsync(writeRows([{ '=x': 1 }], 'csv'));
  expect(named[0]).toBe("'=x\n");
});

test('columns of the data stand on their own as inputs and outputs do, and compute nothing', async () => {
  const rows = [{ line_number: 0, data: { lang: 'ja', note: '=cmd()' }, inputs: { q: 'a' }, outputs: {} }];
  const parts = await Array.fromAsync(writeRows(rows, 'csv'));
  expect(parts.join('')).toBe("line_number,data.lang,data.note,inputs.q\n0,ja,'=cmd(),a\n");
});
