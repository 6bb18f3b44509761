import { expect, test } from 'vitest';
import { RowNames } from './row-names.ts';

test.for([
  ['q', 'line 0: own'],
  ['given', 'line 0: input'],
  ['none', ''],
  // No row has what every object inherits.
  ['__proto__', ''],
  ['constructor', ''],
])('rows are known by the column or input of a name: %s', ([key, told]) => {
  const names = new RowNames(key);
  names.take({ line: 0, inputs: { given: 'input', q: 'no' } }, { q: 'own' });
  const { keys } = names.result();
  expect(keys?.lines.map((line, at) => `line ${line}: ${keys.values[at]}`).join()).toBe(told);
});
