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

test('a line that is longer than what is read is wrong by itself', async () => {
  const long = `{"n": "${'x'.repeat(50)}`;
  const chunks = ['{"n": 1}\n', long, 'xxx', '"}\n{"n": 3}\n', `${long}"}`];
  const records = (await Array.fromAsync(readJsonLines(inChunks(chunks), 'utf-8', 30))).flat();
  expect(records).toEqual([
    { values: { n: 1 } },
    { fileLine: 2, problem: 'the line has more than 30 characters' },
    { values: { n: 3 } },
    { fileLine: 4, problem: 'the line has more than 30 characters' },
  ]);
});

test('lines that end with CR alone are told: JSONL takes them for one', async () => {
  const records = (await Array.fromAsync(readJsonLines(inChunks(['{"n": 1}\r{"n": 2}\r'])))).flat();
  const told = 'lines end with CR alone here, which ends no line of JSONL: save the file with LF';
  expect(records).toEqual([{ fileLine: 1, problem: `no JSON: Extra data: line 1 column 10 (char 9); ${told}` }]);
});

test.for<[string, unknown]>([
  ['{"a": "x,}", "b": 1 , }', { values: { a: 'x,}', b: 1 } }],
  ['{"a": {"b": "\\\\\\"",},}', { values: { a: { b: '\\"' } } }],
  ['{"a": [1,]}', { fileLine: 1, problem: 'no JSON: Expecting value: line 1 column 10 (char 9)' }],
  [
    '{,}',
    { fileLine: 1, problem: 'no JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)' },
  ],
])('a comma after the last value of an object is passed over, as in Prompt flow: %s', async ([line, record]) => {
  expect((await Array.fromAsync(readJsonLines(inChunks([line])))).flat()).toEqual([record]);
});
