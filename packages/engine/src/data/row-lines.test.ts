import { expect, test } from 'vitest';
import type { DataRow } from './data-row.ts';
import { mapRows } from './map-rows.ts';
import { RowLines } from './row-lines.ts';

/** `7` is a row with that `line_number`, `-` one without, `!` one that cannot be read. */
function rowsOf(written: string): readonly DataRow[] {
  return written.split(' ').map((one, line) => {
    if (one === '!') return { line, problem: 'no JSON' };
    return { line, values: one === '-' ? {} : { line_number: Number(one) } };
  });
}

test.for([
  ['- - -', '0 1 2'],
  ['5 - 0', '5 1 0'],
  ['1 -', '1 0?'],
  ['2 - - -', '2 1 0? 3'],
  ['7 7 7', '7 1? 2?'],
  ['0 0 1', '0 1? 2?'],
  ['- ! 0', '0 1 2?'],
  ['1 !', '1 0?'],
  ['4294967296 4294967296', '4294967296 1?'],
  ['9007199254740991 -1 0.5', '9007199254740991 1 2'],
] as const)('rows %s have the lines %s', ([written, lines]) => {
  const all = new RowLines();
  const found = rowsOf(written).map((row) => all.add(row));
  expect(found.map(({ line, wanted }) => `${line}${wanted === undefined ? '' : '?'}`).join(' ')).toBe(lines);
});

test('no two of many rows have the same line', () => {
  const all = new RowLines();
  let number = 1;
  const rows = Array.from({ length: 20_000 }, (_, line): DataRow => {
    number = (number * 48_271) % 2_147_483_647;
    return { line, values: number % 3 === 0 ? {} : { line_number: number % 30_000 } };
  });
  expect(new Set(rows.map((row) => all.add(row).line)).size).toBe(rows.length);
});

test('a row whose line is that of another is told, and does not run', async () => {
  async function* given(): AsyncGenerator<DataRow> {
    for (const row of rowsOf('- 0 !')) yield 'values' in row ? { ...row, values: { ...row.values, q: row.line } } : row;
  }
  expect(await Array.fromAsync(mapRows(given(), { q: '${data.q}' }))).toEqual([
    { line: 0, values: { q: 0 } },
    { line: 1, problem: 'line 1 of input data has the line_number 0, which is that of a row before it' },
    { line: 2, problem: 'no JSON' },
  ]);
});
