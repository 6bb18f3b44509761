import { expect, test } from 'vitest';
import { lineText, placeOf } from './source-file.ts';

const file = { path: 'a.yaml', text: '質問: 👍x\r\n\n\tb: 1\nend' };

test.for([
  { offset: 0, line: 1, column: 1 },
  { offset: file.text.indexOf('x'), line: 1, column: 6 },
  { offset: file.text.indexOf('\n'), line: 1, column: 8 },
  { offset: file.text.indexOf('\n') + 1, line: 2, column: 1 },
  { offset: file.text.indexOf('b'), line: 3, column: 2 },
  { offset: file.text.indexOf('end'), line: 4, column: 1 },
  { offset: file.text.length, line: 4, column: 4 },
  { offset: file.text.length + 100, line: 4, column: 4 },
])('offset $offset is $line:$column', ({ offset, line, column }) => {
  expect(placeOf(file, offset)).toEqual({ line, column });
});

test('lines without their breaks; none beyond the end', () => {
  expect([0, 1, 2, 3, 4, 5].map((line) => lineText(file, line))).toEqual(['', '質問: 👍x', '', '\tb: 1', 'end', '']);
});

test('an empty text has one empty line', () => {
  const empty = { path: 'a.yaml', text: '' };
  expect([placeOf(empty, 0), lineText(empty, 1)]).toEqual([{ line: 1, column: 1 }, '']);
});

test('columns of a long line are those of a walk along it, between the halves of a character too', () => {
  const long = { path: 'a.yaml', text: `é\n${'a👍\uD83D質\uDC4D'.repeat(400)}\n${'👍'.repeat(700)}` };
  const offsets = Array.from({ length: long.text.length + 1 }, (_, offset) => offset).filter(
    (offset) => offset % 7 < 2,
  );
  const walked = offsets.map(
    (offset) => [...long.text.slice(long.text.lastIndexOf('\n', offset - 1) + 1, offset)].length + 1,
  );
  expect(offsets.map((offset) => placeOf(long, offset).column)).toEqual(walked);
});
