import { expect, test } from 'vitest';
import { readDelimited } from './read-delimited.ts';

/** Character by character, so that a line end of two characters comes in two pieces. */
async function valuesOf(text: string): Promise<readonly unknown[]> {
  async function* pieces(): AsyncGenerator<string, void> {
    yield* text;
  }
  return await Array.fromAsync(readDelimited(pieces(), ','), (record) =>
    'values' in record ? record.values : record.problem,
  );
}

test.for([
  ['CRLF, then LF, as files laid end to end have', 'q,n\r\na,1\nb,2\n'],
  ['LF, then CRLF', 'q,n\na,1\r\nb,2\r\n'],
  ['LF, then CR', 'q,n\na,1\rb,2'],
  ['all of them, and blank lines', 'q,n\r\n\r\na,1\r\r\n\nb,2\n\r'],
])('a row ends with its line, whichever way the lines before it ended: %s', async ([, text]) => {
  expect(await valuesOf(text as string)).toEqual([
    { q: 'a', n: '1' },
    { q: 'b', n: '2' },
  ]);
});

test.for(['\r\n', '\n', '\r'])('a row is told with its line, also behind line ends in quotes: %j', async (end) => {
  const lines = ['a,b', '"x', 'y', 'z",1', '2,3,4', '"', '",5', '6,7,8'];
  async function* pieces(): AsyncGenerator<string, void> {
    yield* lines.join(end);
  }
  const records = await Array.fromAsync(readDelimited(pieces(), ','));
  expect(records.map((record) => ('problem' in record ? record.fileLine : undefined))).toEqual([
    undefined,
    5,
    undefined,
    8,
  ]);
});

test('line ends in quotes belong to the text', async () => {
  expect(await valuesOf('q\n"a\r\nb\rc\nd"\r\n"e\n"')).toEqual([{ q: 'a\r\nb\rc\nd' }, { q: 'e\n' }]);
});

test('a quote that another row closes makes no row of all that lies between', async () => {
  expect(await valuesOf('a,b\n"x,2\ny,3\n"z,4\nw,5\n')).toEqual([
    'a value begins with a quote that is closed within it, not at its end: 3 lines are read as one row',
    { a: 'w', b: '5' },
  ]);
  expect(await valuesOf('a,b\n"""Yes""\nhe said",1\n"x" y,2\n')).toEqual([
    { a: '"Yes"\nhe said', b: '1' },
    { a: '"x" y', b: '2' },
  ]);
});
