import { expect, test } from 'vitest';
import { filtersOf, rowQuery, toggledFilter } from './row-query.ts';

const failed = { by: 'status', is: 'Failed' } as const;
const text = (is: string) => ({ by: 'text', is }) as const;

test('what cannot be read of a filter is left out', () => {
  const query = new URLSearchParams([
    ['filter', JSON.stringify(failed)],
    ['filter', '{"by":'],
    ['filter', '"status"'],
    ['filter', 'null'],
  ]);
  expect(filtersOf(query)).toEqual([failed]);
});

test('a row keeps what tells which rows and against what, and nothing of the look', () => {
  const query = new URLSearchParams([
    ['colour', 'time'],
    ['sort', '-tokens'],
    ['filter', JSON.stringify(text('同意 & "x"'))],
    ['at', '7'],
    ['against', 'right'],
  ]);
  expect(Object.fromEntries(rowQuery(query))).toEqual({
    against: 'right',
    sort: '-tokens',
    filter: '{"by":"text","is":"同意 & \\"x\\""}',
  });
});

test.for([
  { name: 'put in', before: [], toggled: failed, after: [failed] },
  { name: 'taken out', before: [text('a'), failed], toggled: failed, after: [text('a')] },
  { name: 'another text', before: [text('a'), failed], toggled: text('b'), after: [failed, text('b')] },
])('a filter is $name', ({ before, toggled, after }) => {
  expect(toggledFilter(before, toggled)).toEqual(after.map((one) => JSON.stringify(one)));
});
