import type { DataRow } from '@unroll/engine';

/** The first row that can be read, and all rows with it. */
export async function firstRow(
  rows: AsyncIterable<DataRow>,
): Promise<{ readonly row: DataRow; readonly all: AsyncIterable<DataRow> } | undefined> {
  const iterator = rows[Symbol.asyncIterator]();
  const passed: DataRow[] = [];
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
    passed.push(next.value);
    if ('values' in next.value) break;
  }
  const row = passed.at(-1);
  if (row === undefined) return undefined;
  const all = async function* (): AsyncGenerator<DataRow, void> {
    yield* passed;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  };
  return { row, all: all() };
}
