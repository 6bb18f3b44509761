import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Redactor } from '../secrets/redactor.ts';
import { withoutRoot } from '../testing/without-root.ts';
import { Float } from '../value/float.ts';
import type { JsonObject } from '../value/json.ts';
import type { DataRow } from './data-row.ts';
import { type OpenDataOptions, openData, readRows } from './open-data.ts';
import { parseLines, pickRows, sampleRows } from './select-rows.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'unroll-data-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function fileWith(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

async function rowsOf(path: string, options?: OpenDataOptions): Promise<readonly DataRow[]> {
  const opened = await openData(path, options);
  if (!opened.ok) throw new Error(opened.message);
  return await Array.fromAsync(opened.data.rows());
}

/** 質問 in Windows' Shift_JIS. */
const questionInCp932 = [0x8e, 0xbf, 0x96, 0xe2];
const utf16 = (text: string): Uint8Array => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);

describe('formats', () => {
  test.for([
    ['a.jsonl', '{"q": "a", "n": 1.0}\n\n{"q": "b"}\n', [{ q: 'a', n: new Float(1) }, { q: 'b' }]],
    ['crlf.jsonl', '{"q": "a"}\r\n{"q": "b"}\r\n', [{ q: 'a' }, { q: 'b' }]],
    ['bom.jsonl', '\uFEFF{"q": "a"}', [{ q: 'a' }]],
    ['list.json', '[{"q": "a"}, {"q": "b"}]', [{ q: 'a' }, { q: 'b' }]],
    [
      'columns.json',
      '{"q": ["a", "b"], "n": {"0": 1, "1": 2}}',
      [
        { q: 'a', n: 1 },
        { q: 'b', n: 2 },
      ],
    ],
    [
      'a.csv',
      'q,n\na,1\nb,\n',
      [
        { q: 'a', n: '1' },
        { q: 'b', n: '' },
      ],
    ],
    ['quoted.csv', '\uFEFFq,expected\r\n"line1\nline2",x\r\n', [{ q: 'line1\nline2', expected: 'x' }]],
    ['twice.csv', 'q,q\na,b\n', [{ q: 'a', 'q.1': 'b' }]],
    ['taken.csv', 'a,a,a.1,\n1,2,3,4\n', [{ a: '1', 'a.2': '2', 'a.1': '3', 'Unnamed: 3': '4' }]],
    ['short.csv', 'a,b,c\n1,2\n', [{ a: '1', b: '2', c: '' }]],
    [
      'keyed.json',
      '{"q": {"a": 1, "b": 2}, "n": {"b": 4, "a": 3}}',
      [
        { q: 1, n: 3 },
        { q: 2, n: 4 },
      ],
    ],
    ['empty-text.csv', 'q\n""\n\nb\n', [{ q: '' }, { q: 'b' }]],
    ['blank.csv', 'a,b\n1,2\n\n \n3,4\n', ['1 2', '3 4'].map((row) => ({ a: row[0], b: row[2] }))],
    ['a.tsv', 'q\tn\na, b\t1\n', [{ q: 'a, b', n: '1' }]],
    ['unknown.txt', '{"q": "a"}', [{ q: 'a' }]],
    ['empty.jsonl', '', []],
    ['empty.csv', '', []],
    ['header.csv', 'q,n\n', []],
  ] as const)('%s', async ([name, content, values]) => {
    expect(await rowsOf(fileWith(name, content))).toEqual(values.map((one, line) => ({ line, values: one })));
  });

  test.for<[name: string, content: string, note?: string]>([
    ['once.csv', 'a,b\n1,2\n'],
    ['twice.csv', 'query,query\n1,2\n', 'names the column "query" twice: the second is read as "query.1"'],
    ['twice.tsv', 'q\tn\tq\n1\t2\t3\n', 'names the column "q" twice: the second is read as "q.1"'],
    ['thrice.csv', 'a,a,a,a.1\n1,2,3,4\n', 'names the column "a" 3 times: the others are read as "a.2" and "a.3"'],
    [
      'many.csv',
      'a,a,a,a,a,a\n1,2,3,4,5,6\n',
      'names the column "a" 6 times: the others are read as "a.1", "a.2", "a.3" … and "a.5"',
    ],
    ['unnamed.csv', ',\n1,2\n'],
    ['duplicates.jsonl', '{"q": 1}\n{"q": 2}\n'],
  ])('a column that is named more than once is told: %s', async ([name, content, note]) => {
    const opened = await openData(fileWith(name, content));
    expect(opened.ok && opened.data.notes).toEqual(note === undefined ? [] : [`${name} ${note}`]);
  });

  test('a format given wins over the extension', async () => {
    expect(await rowsOf(fileWith('really.txt', 'q\na\n'), { format: 'csv' })).toEqual([
      { line: 0, values: { q: 'a' } },
    ]);
  });
});

describe('encodings', () => {
  test.for([
    ['cp932.csv', Uint8Array.from([...questionInCp932, 0x0a, 0x61, 0x0a]), { 質問: 'a' }],
    ['utf16.csv', utf16('質問\na\n'), { 質問: 'a' }],
    ['utf8.csv', Buffer.from('質問\na\n'), { 質問: 'a' }],
  ] as const)('%s', async ([name, bytes, values]) => {
    expect(await rowsOf(fileWith(name, bytes))).toEqual([{ line: 0, values }]);
  });

  const rows = (count: number, text: string): string => `${JSON.stringify({ q: text })}\n`.repeat(count);
  const bytes = (...parts: readonly (string | readonly number[] | Uint8Array)[]): Buffer =>
    Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  /** 日本語の質問です in the encodings of Japan. */
  const cp932 = [147, 250, 150, 123, 140, 234, 130, 204, 142, 191, 150, 226, 130, 197, 130, 183];
  const euc = [198, 252, 203, 220, 184, 236, 164, 206, 188, 193, 204, 228, 164, 199, 164, 185];
  const jis = [27, 36, 66, 70, 124, 75, 92, 56, 108, 36, 78, 60, 65, 76, 100, 36, 71, 36, 57, 27, 40, 66];
  const halfKana = [0xb1, 0xb2, 0xb3, 0xb4];
  const row = (text: readonly number[]): Buffer => bytes('{"q": "', text, '"}\n');
  const many = (count: number, one: Buffer): Buffer => Buffer.concat(new Array<Buffer>(count).fill(one));
  const question = '日本語の質問です';
  const told = (encoding: string): string => `is read as ${encoding}: it is no UTF-8; --encoding says another`;
  const utf16Bytes = (text: string): Buffer => Buffer.from(text, 'utf16le');

  test.for<readonly [name: string, content: Uint8Array, texts: readonly string[], note?: string]>([
    ['ascii', bytes(rows(2, 'a')), ['a', 'a']],
    ['utf-8 with a mark', bytes('\uFEFF', rows(1, question)), [question]],
    ['utf-8, European', bytes(rows(2, 'café naïve')), ['café naïve', 'café naïve']],
    ['utf-8 with U+FFFD of its own', bytes(rows(1, 'a\uFFFD')), ['a\uFFFD']],
    ['utf-16 with a mark', utf16(rows(2, question)), [question, question]],
    ['utf-16 without', utf16Bytes(rows(2, question)), [question, question], told('UTF-16 LE')],
    ['utf-16 the other way', utf16Bytes(rows(1, question)).swap16(), [question], told('UTF-16 BE')],
    ['cp932', many(3, row(cp932)), [question, question, question], told('CP932')],
    ['cp932, one row', row(cp932), [question], told('CP932')],
    ['cp932 of half-width kana', row(halfKana), ['ｱｲｳｴ'], told('CP932')],
    ['euc-jp', many(2, row(euc)), [question, question], told('EUC-JP')],
    ['iso-2022-jp', many(2, row(jis)), [question, question], told('ISO-2022-JP')],
    [
      'utf-8, one byte of another',
      bytes(rows(2, question), row([0x93]), rows(1, question)),
      [question, question, '3: byte 0x93 at character 8 is no UTF-8', question],
    ],
    [
      'utf-8, half a character',
      bytes(rows(1, question), row([0xe6, 0x97]), rows(1, 'é')),
      [question, '2: byte 0xE6 at character 8 is no UTF-8', 'é'],
    ],
    [
      'utf-8, cut off at the end',
      bytes(rows(1, question), '{"q": "', [0xe6, 0x97]),
      [question, '2: byte 0xE6 at character 8 is no UTF-8'],
    ],
    ['latin1 in ASCII', bytes(rows(2, 'a'), row([0xe9])), ['a', 'a', '3: byte 0xE9 at character 8 is no UTF-8']],
    [
      'surrogates',
      bytes(row([0xed, 0xa0, 0x80]), rows(2, question)),
      ['1: byte 0xED at character 8 is no UTF-8', question, question],
    ],
    [
      'cp932, one byte of none',
      Buffer.concat([many(3, row(cp932)), row([0xff])]),
      [question, question, question, '4: what stands at character 8 is no CP932'],
      told('CP932'),
    ],
    [
      'cp932 in a long file of utf-8',
      bytes(rows(5000, question), row(cp932)),
      [...new Array<string>(5000).fill(question), '5001: byte 0x93 at character 8 is no UTF-8'],
    ],
    [
      'one byte first, utf-8 for megabytes after',
      bytes(row([0x82]), rows(60_000, question)),
      ['1: byte 0x82 at character 8 is no UTF-8', ...new Array<string>(60_000).fill(question)],
    ],
  ])('%s', async ([name, content, texts, note]) => {
    const path = fileWith(`${name}.jsonl`, content);
    const opened = await openData(path);
    if (!opened.ok) throw new Error(opened.message);
    const found = await Array.fromAsync(opened.data.rows());
    const shown = found.map((one) => ('values' in one ? one.values['q'] : one.problem.replace(`${name}.jsonl:`, '')));
    expect(shown).toEqual(texts);
    expect(opened.data.notes).toEqual(note === undefined ? [] : [`${name}.jsonl ${note}`]);
  });

  test('a cell, or a row of a JSON file, that does not decode fails alone', async () => {
    const csv = bytes('q,n\n', '"日本\n語",1\n', [0x93], ',2\n', '日本,3\n', '"', [0xff], '\nx",4\n語,5\n');
    expect(await rowsOf(fileWith('mixed.csv', csv))).toEqual([
      { line: 0, values: { q: '日本\n語', n: '1' } },
      { line: 1, problem: 'mixed.csv:4: byte 0x93 at character 1 is no UTF-8, in value 1 of the row' },
      { line: 2, values: { q: '日本', n: '3' } },
      { line: 3, problem: 'mixed.csv:7: byte 0xFF at character 1 is no UTF-8, in value 1 of the row' },
      { line: 4, values: { q: '語', n: '5' } },
    ]);
    expect(await rowsOf(fileWith('names.csv', bytes('日本,', [0x93], '\n日,2\n')))).toEqual([
      { line: 0, problem: 'names.csv:1: byte 0x93 at character 1 is no UTF-8, in value 2 of the row' },
    ]);
    const json = bytes('[{"q": "日本語"}, {"q": {"deep": ["日', [0x93], '"]}}, {"q": "本"}]');
    expect(await rowsOf(fileWith('mixed.json', json))).toEqual([
      { line: 0, values: { q: '日本語' } },
      { line: 1, problem: 'mixed.json: byte 0x93 at character 2 is no UTF-8, in "日�"' },
      { line: 2, values: { q: '本' } },
    ]);
  });

  test('half of a secret is told nowhere where a cell does not decode: what is left out does not depend on it', async () => {
    const redactor = new Redactor();
    redactor.learn('開け ゴマ open sesame 77');
    const json = bytes('[{"q": "', [0x93], `${'日'.repeat(45)}開け ゴマ open sesame 77"}]`);
    const [row] = await rowsOf(fileWith('secret.json', json));
    const told = redactor.message((row as { readonly problem: string }).problem);
    expect(told).toMatch(/^secret\.json: byte 0x93 at character 1 is no UTF-8, in "�日{43}… \(\d+ characters\)"$/);
  });

  test('bytes from standard input are UTF-8, and a line that is not fails alone', async () => {
    async function* given(): AsyncGenerator<Uint8Array> {
      yield bytes('{"q": "日"}\n{"q": "', [0x93]);
      yield bytes('"}\n{"q": "', [0xe6]);
      yield bytes([0x97, 0xa5], '"}\n');
    }
    expect(await Array.fromAsync(readRows(given(), 'standard input'))).toEqual([
      { line: 0, values: { q: '日' } },
      { line: 1, problem: 'standard input:2: byte 0x93 at character 8 is no UTF-8' },
      { line: 2, values: { q: '日' } },
    ]);
  });

  test('an encoding given wins over what the bytes say', async () => {
    const path = fileWith('given.csv', Uint8Array.from([0x71, 0x0a, 0xb1, 0x0a]));
    expect(await rowsOf(path, { encoding: 'cp932' })).toEqual([{ line: 0, values: { q: 'ｱ' } }]);
  });
});

describe('what cannot be read is a row with its place', () => {
  test.for([
    [
      'bad.jsonl',
      '{"q": "a"}\n\n{"q": \n[1]\n{"q": "c"}',
      [
        undefined,
        'bad.jsonl:3: no JSON: Expecting value: line 1 column 6 (char 5)',
        'bad.jsonl:4: a row must be a JSON object, this is a list',
        undefined,
      ],
    ],
    [
      'marks.jsonl',
      '\uFEFF{"q": 1}\n\uFEFF{"q": 2}\n\u3000{"q": 3}\n\f{"q": 4}\n{"q": 5}\f\n',
      [
        undefined,
        'marks.jsonl:2: no JSON: Unexpected UTF-8 BOM (decode using utf-8-sig): line 1 column 1 (char 0)',
        'marks.jsonl:3: no JSON: Expecting value: line 1 column 1 (char 0)',
        'marks.jsonl:4: no JSON: Expecting value: line 1 column 1 (char 0)',
        'marks.jsonl:5: no JSON: Extra data: line 1 column 9 (char 8)',
      ],
    ],
    ...['{"q": [1, 2], "n": {"0": 1, "2": 3}}', '{"q": {"a": 1}, "n": {"b": 1}}', '{"q": [1], "n": 1.0}'].map(
      (content) => ['columns.json', content, [`columns.json: ${differentColumns}`]] as const,
    ),
    ['bad.json', '[{"q": 1}, 2]', [undefined, 'bad.json: a row must be a JSON object, this is a number']],
    [
      'ragged.csv',
      'q,n\na,1,2\nb,3\n',
      ['ragged.csv:2: the row has 3 values, the first line names 2 columns', undefined],
    ],
    ['no.parquet', 'PAR?', ['no.parquet: no Parquet file that can be read: parquet file invalid (footer != PAR1)']],
  ] as const)('%s', async ([name, content, problems]) => {
    const rows = await rowsOf(fileWith(name, content));
    expect(rows.map((row) => ('problem' in row ? row.problem : undefined))).toEqual(problems);
    expect(rows.map(({ line }) => line)).toEqual(problems.map((_, line) => line));
  });

  test('a path that is not there, an empty folder', async () => {
    mkdirSync(join(folder, 'nothing'));
    expect(await openData(join(folder, 'nowhere'))).toMatchObject({ ok: false });
    expect(await openData(join(folder, 'nothing'))).toMatchObject({ ok: false });
  });
});

const differentColumns =
  'a JSON file must be a list of objects, or an object whose values are columns of the same length and with the same keys';

test('a folder that links to itself is read once', async () => {
  fileWith('looped/a.jsonl', '{"q": 1}\n');
  mkdirSync(join(folder, 'aside'));
  fileWith('aside/b.jsonl', '{"q": 2}\n');
  symlinkSync(join(folder, 'looped'), join(folder, 'looped', 'again'));
  symlinkSync(join(folder, 'aside'), join(folder, 'looped', 'linked'));
  const rows = await rowsOf(join(folder, 'looped'));
  expect(rows).toEqual([1, 2].map((q, line) => ({ line, values: { q } })));
});

test('folders that many links lead to are read once', async () => {
  for (let at = 1; at < 40; at += 1) mkdirSync(join(folder, `linked/${at}`), { recursive: true });
  for (let at = 1; at < 39; at += 1)
    for (const name of ['left', 'right']) symlinkSync(`../${at + 1}`, join(folder, `linked/${at}`, name));
  fileWith('linked/39/a.jsonl', '{"q": 1}\n');
  expect(await rowsOf(join(folder, 'linked/1'))).toEqual([{ line: 0, values: { q: 1 } }]);
});

test.each([
  ['list.json', '[\n{"q": 1},\n{"q": 1, "q": 2}]', 'list.json:3 names "q" twice'],
  ['columns.json', '{"q": [1], "q": [2]}', 'columns.json:1 names "q" twice'],
])('a key that an object of a JSON file names twice is told: %s', async (name, content, told) => {
  const warned: string[] = [];
  await rowsOf(fileWith(name, content), { warn: (message) => warned.push(message) });
  expect(warned).toEqual([`${told} in one object: the last is taken, here and on lines like it`]);
});

test('a folder is its files one after the other, in order of path', async () => {
  fileWith('many/b.jsonl', '{"q": 3}\n');
  fileWith('many/a.jsonl', '{"q": 1}\n{"q": 2}\n');
  fileWith('many/deep/c.csv', 'q\n4\n');
  const rows = await rowsOf(join(folder, 'many'));
  expect(rows).toEqual([1, 2, 3, '4'].map((q, line) => ({ line, values: { q } })));
});

test('hidden files and what lies in hidden folders are no data', async () => {
  fileWith('hiding/.flow/runs/r.run', 'SQLite');
  fileWith('hiding/deep/.git/x.jsonl', '{"q": 9}\n');
  fileWith('hiding/.hidden.jsonl', '{"q": 9}\n');
  fileWith('hiding/deep/a.jsonl', '{"q": 1}\n');
  expect(await rowsOf(join(folder, 'hiding'))).toEqual([{ line: 0, values: { q: 1 } }]);
});

test('files that lie beside the data of a folder are passed over, and it is said', async () => {
  fileWith('beside/README.md', '# Questions\n');
  writeFileSync(
    join(folder, 'beside/a.png'),
    Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4', 'base64'),
  );
  expect(await openData(join(folder, 'beside'))).toEqual({
    ok: false,
    message: `the folder ${join(folder, 'beside')} holds no data: README.md and a.png are passed over: their names say no format, and they are no JSONL`,
  });
  fileWith('beside/questions', '\ufeff\n{"q": 1}\n');
  fileWith('beside/more.txt', '{"q": 2}\nbroken\n');
  fileWith('beside/z.csv', 'q\n3\n');
  const opened = await openData(join(folder, 'beside'));
  expect(opened.ok && opened.data.notes).toEqual([
    'README.md and a.png are passed over: their names say no format, and they are no JSONL',
  ]);
  const rows = await rowsOf(join(folder, 'beside'));
  expect(rows.map((row) => ('values' in row ? row.values['q'] : row.problem.split(':')[0]))).toEqual([
    2,
    'more.txt',
    1,
    '3',
  ]);
});

test('a folder of more files than may be open is read', async () => {
  for (let at = 0; at < 300; at += 1) fileWith(`files/${at}.jsonl`, '{"q": 1}\n');
  const script = `
    const { openData } = await import(${JSON.stringify(import.meta.resolve('./open-data.ts'))});
    const opened = await openData(${JSON.stringify(join(folder, 'files'))});
    console.log(opened.ok && opened.data.count);`;
  const command = 'ulimit -n 128 && exec "$0" --input-type=module --eval "$1"';
  expect(execFileSync('sh', ['-c', command, process.execPath, script], { encoding: 'utf8' })).toBe('300\n');
});

test('values of a file are changed with the folder it lies in', async () => {
  fileWith('pictures/one.jsonl', '{"q": "x"}\n{"q": \n');
  fileWith('pictures/deep/two.jsonl', '{"q": "y"}\n');
  const located = (values: JsonObject, at: string): JsonObject => ({ q: join(at, String(values['q'])) });
  const rows = await rowsOf(join(folder, 'pictures'), { located });
  expect(rows.map((row) => ('values' in row ? row.values['q'] : 'broken'))).toEqual([
    join(folder, 'pictures/deep/y'),
    join(folder, 'pictures/x'),
    'broken',
  ]);
});

test('the number of rows is known for JSONL, and the digest is that of the bytes', async () => {
  const path = fileWith('counted.jsonl', '{"q": 1}\n\n{"q": 2}');
  const opened = await openData(path);
  expect(opened).toMatchObject({ ok: true, data: { count: 2, path } });
  expect(opened.ok && opened.data.digest).toMatch(/^[0-9a-f]{64}$/);
});

test('rows come from standard input as they arrive', async () => {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('{"q": "日');
    yield Buffer.from('本"}\n{"q"');
    yield Buffer.from(': 2}');
  }
  const rows = await Array.fromAsync(readRows(bytes(), 'standard input'));
  expect(rows).toEqual([
    { line: 0, values: { q: '日本' } },
    { line: 1, values: { q: 2 } },
  ]);
});

describe('choice of rows', () => {
  async function* numbered(count: number): AsyncGenerator<DataRow> {
    for (let line = 0; line < count; line += 1) yield { line, values: {} };
  }

  test.for([
    ['0-2,5', [0, 1, 2, 5]],
    ['7', [7]],
    ['8-', [8, 9]],
    [' 1 , 3 - 4 ', [1, 3, 4]],
  ] as const)('rows %s', async ([text, lines]) => {
    const isTaken = parseLines(text);
    expect(isTaken).toBeDefined();
    const rows = await Array.fromAsync(pickRows(numbered(10), isTaken ?? (() => false)));
    expect(rows.map(({ line }) => line)).toEqual(lines);
  });

  test.for(['a', '-3', '1-2-3', ''])('%s names no rows', (text) => {
    expect(parseLines(text)).toBeUndefined();
  });

  test('a seed draws the same rows again, another seed others', async () => {
    const draw = async (seed: number): Promise<readonly number[]> =>
      (await sampleRows(numbered(1000), 20, seed)).map(({ line }) => line);
    const first = await draw(7);
    expect(first).toHaveLength(20);
    expect(new Set(first).size).toBe(20);
    expect([...first].sort((one, other) => one - other)).toEqual(first);
    expect(await draw(7)).toEqual(first);
    expect(await draw(8)).not.toEqual(first);
    expect(await draw(7)).not.toEqual(Array.from({ length: 20 }, (_, line) => line));
  });
});

/** Two rows written by pyarrow 26: a date, a timestamp of microseconds, bytes, and an integer of 64 bits. */
const typedParquet =
  'UEFSMRUAFRwVHCwVBBUAFQYVBhwAAAACAAAABAEqUQAA/////xUAFSwVLCwVBBUAFQYVBhwAAAACAAAABAEBAAAAAAAAAP//////////FQAVLB' +
  'UsLBUEFQAVBhUGHAAAAAIAAAAEAQIAAAAA/wYAAADlkIzmhI8VABUsFSwsFQQVABUGFQYcAAAAAgAAAAQBAAAAAAAAAEABAAAAAAAAABUEGVw1' +
  'ABgGc2NoZW1hFQgAFQIlAhgDZGF5JQxMbAAAABUEJQIYAmF0JRRMjBIcLAAAAAAAFQwlAhgFYnl0ZXMAFQQlAhgDYmlnABYEGRwZTCYAHBUCGS' +
  'UGABkYA2RheRUAFgQWQhZCJghJHBUAFQAVAgA8KQYZJgAEAAAAJgAcFQQZJQYAGRgCYXQVABYEFlIWUiZKSRwVABUAFQIAPCkGGSYABAAAACYA' +
  'HBUMGSUGABkYBWJ5dGVzFQAWBBZSFlImnAFJHBUAFQAVAgA8FhAZBhkmAAQAAAAmABwVBBklBgAZGANiaWcVABYEFlIWUibuAUkcFQAVABUCAD' +
  'wpBhkmAAQAAAAWuAIWBCYIFrgCACggcGFycXVldC1jcHAtYXJyb3cgdmVyc2lvbiAyNi4wLjEZTBwAABwAABwAABwAAABCAQAAUEFSMQ==';

test('values of Parquet lose nothing: a day is no moment, microseconds stay, bytes that are no text are base64', async () => {
  const rows = await rowsOf(fileWith('typed.parquet', Buffer.from(typedParquet, 'base64')));
  expect(rows.map((row) => ('values' in row ? row.values : row.problem))).toEqual([
    { day: '2026-11-21', at: '1970-01-01 00:00:00.000001', bytes: 'AP8=', big: 4611686018427387904n },
    { day: '1969-12-31', at: '1969-12-31 23:59:59.999999', bytes: '同意', big: 1 },
  ]);
});

describe('depth', () => {
  const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  const shallow = '{"q": "a"}';

  test.for([999, 1000, 1001, 20_000, 1_000_000])(
    'of rows %d deep, those beyond the limit fail alone',
    async (depth) => {
      const limit = 'nested deeper than 1000 levels';
      const isRead = depth <= 1000;
      const lines = await rowsOf(fileWith(`${depth}.jsonl`, [shallow, nested(depth), shallow].join('\n')));
      expect(lines.map((row) => 'values' in row)).toEqual([true, isRead, true]);
      const list = await rowsOf(fileWith(`${depth}.json`, `[${[shallow, nested(depth), shallow].join(',')}]`));
      expect(list.map((row) => 'values' in row)).toEqual([true, isRead, true]);
      if (isRead) return;
      expect(lines[1]).toEqual({ line: 1, problem: `${depth}.jsonl:2: ${limit} (character 5001)` });
      expect(list[1]).toEqual({ line: 1, problem: `${depth}.json: a row is ${limit}` });
    },
  );

  // The column is a level of its row.
  test.for([998, 999, 1000, 1001])(
    'of a Parquet column of JSON, %d deep in a row, those beyond the limit fail alone',
    async (depth) => {
      const data = [shallow, nested(depth), shallow].map((text): unknown => JSON.parse(text));
      const written = parquetWriteBuffer({ columnData: [{ name: 'j', data, type: 'JSON' }] });
      const rows = await rowsOf(fileWith(`${depth}.parquet`, new Uint8Array(written)));
      expect(rows.map((row) => 'values' in row)).toEqual([true, depth < 1000, true]);
      if (depth < 1000) return;
      expect(rows[1]).toEqual({ line: 1, problem: `${depth}.parquet: a row is nested deeper than 1000 levels` });
    },
  );
});

test('a pipe is no data: its rows can be read only once', async () => {
  const path = join(folder, 'pipe.jsonl');
  execFileSync('mkfifo', [path]);
  expect(await openData(path)).toEqual({
    ok: false,
    message: `${path} is no file: rows are read more than once, which a pipe or a device cannot give. Write them to a file first`,
  });
});

const isLinux = process.platform === 'linux';

test.runIf(isLinux)('what the kernel writes as it is read is no data, though it says that it is a file', async () => {
  expect(await openData('/proc/version')).toMatchObject({ ok: false, message: expect.stringMatching(/is no file: /) });
});

test('a folder, or a file, that may not be read is told, with the part that stands in the way', async () => {
  const shut = join(folder, 'holder', 'shut');
  mkdirSync(shut, { recursive: true });
  const file = fileWith('holder/shut.jsonl', '{}\n');
  chmodSync(shut, 0o000);
  chmodSync(file, 0o000);
  chmodSync(folder, 0o755);
  await withoutRoot(async () => {
    const unread = (path: string): object => ({ ok: false, message: `${path} cannot be read: permission denied` });
    expect(await openData(join(folder, 'holder'))).toEqual(unread(shut));
    expect(await openData(file)).toEqual(unread(file));
  });
  chmodSync(shut, 0o755);
});

test('a row whose values are changed ends its batch: they may be as large as the pictures it names', async () => {
  const path = fileWith(
    'located.jsonl',
    '{"n": 1}\n{"n": 2, "p": "a.png"}\n{"n": 3}\n{"n": 4, "p": "b.png"}\n{"n": 5}\n',
  );
  const located = (values: JsonObject): JsonObject => ('p' in values ? { ...values, p: 'found' } : values);
  const opened = await openData(path, { located });
  if (!opened.ok) throw new Error(opened.message);
  const batches = await Array.fromAsync(opened.data.batches());
  expect(batches.map((batch) => batch.map(({ line }) => line))).toEqual([[0, 1], [2, 3], [4]]);
});
