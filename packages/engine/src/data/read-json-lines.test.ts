import { expect, test } from 'vitest';
import { readJsonLines } from './read-json-lines.ts';

async function* inChunks(chunks: readonly string[]): AsyncGenerator<string> {
  yield* chunks;
}

test.for<[string, readonly string[]]>([
  ['one chunk', ['{"n": 1}\n\n{"n": 2}\n{"n":\n{"n": 4}']],
  ['chunks that end within lines', ['{"n"', ': 1', '}\n\n{"n": 2', '}\n{"n":', '\n{"n": 4', '}']],
  ['chunks that end with lines', ['{"n": 1}\n', '\n', '{"n": 2}\n', '{"n":\n', '{"n": 4}\n']],
])('lines are put together again from %s', async ([, chunks]) => {
  const records = (await Array.fromAsync(readJsonLines(inChunks(chunks)))).flat();
  expect(records.map((record) => ('values' in record ? record.values['n'] : record.fileLine))).toEqual([1, 2, 4, 4]);
});
