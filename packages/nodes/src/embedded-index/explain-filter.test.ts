import type { JsonObject } from '@unroll/engine';
import { expect, test } from 'vitest';
import { readFilter } from '../lookup/read-filter.ts';
import { explainFilter } from './explain-filter.ts';
import { createIndexDatabase } from './index-database.ts';
import { IndexWriter } from './index-writer.ts';

const database = createIndexDatabase(':memory:');
new IndexWriter(database).putSource('a', 'digest', [
  { id: '1', text: 'one', fields: { price: '7', year: 2020, colour: 'red', open: true } },
  { id: '2', text: 'two', fields: { year: 'unknown' } },
]);

test.for([
  [{ colour: 'blue' }, undefined],
  [{ id: 'x' }, undefined],
  [{ year: { ge: 2020 } }, undefined],
  [{ open: false }, undefined],
  [{ color: 'red' }, 'no document has the field "color" (did you mean "colour"?)'],
  [{ weight: { gt: 3 } }, 'no document has the field "weight"'],
  [{ not: { weight: 3 } }, 'no document has the field "weight"'],
  [{ price: 7 }, 'the values of "price" are texts, and the filter asks for numbers (7)'],
  [{ year: true }, 'the values of "year" are numbers and texts, and the filter asks for truth values (true)'],
] as const)('%j: %s', ([written, told]) => {
  const read = readFilter(written as unknown as JsonObject);
  if (!('filter' in read)) throw new Error(read.problem);
  expect(explainFilter(database, read.filter)).toBe(told);
});
