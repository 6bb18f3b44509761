import { expect, test } from 'vitest';
import { toolNamePattern } from './tool-schema.ts';
import { uniqueToolNames } from './unique-tool-names.ts';

const long = 'operation_with_a_rather_long_beginning_that_all_of_them_share_';

test.for([
  { names: ['getOrder', 'change-order!'], told: ['getOrder', 'change-order_'] },
  { names: ['a b', 'a_b', 'ab'], told: ['a_b_c8687a08', 'a_b_648fa9b3', 'ab'] },
  {
    names: [`${long}1`, `${long}10`, `${long}2_and_more`],
    told: [`${long}1`, `${long}10`, 'operation_with_a_rather_long_beginning_that_all_of_them_7323f57b'],
  },
])('$names', ({ names, told }) => {
  expect(uniqueToolNames(names)).toEqual(told);
});

test('a thousand names that differ beyond the 64th character stay apart', () => {
  const told = uniqueToolNames(Array.from({ length: 1000 }, (_, at) => `${long}${long}${at}`));
  expect(new Set(told).size).toBe(1000);
  expect(told.filter((name) => !toolNamePattern.test(name))).toEqual([]);
});
