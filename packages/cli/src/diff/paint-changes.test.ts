import type { ValueChange } from '@unroll/evals';
import { expect, test } from 'vitest';
import { createStyle } from '../text/style.ts';
import { paintChanges } from './paint-changes.ts';

const plain = (changes: readonly ValueChange[], limit = 9): readonly string[] =>
  paintChanges(changes, { style: createStyle(false), limit, columns: 60 });

const long = '個人情報の保護に関する法律は、'.repeat(12);
const lines = Array.from({ length: 12 }, (_, index) => `line ${index} of a long text`).join('\n');

const cases: readonly { readonly change: ValueChange; readonly told: string }[] = [
  { change: { path: 'a', left: 'one two', right: 'one three' }, told: 'a: one [-two-]{+three+}' },
  { change: { path: 'a', left: 'a b', right: 'a\u00a0b' }, told: 'a: a[-\\u0020-]{+\\u00a0+}b' },
  { change: { path: 'a', left: 1, right: null }, told: 'a: [-1-] → {+null+}' },
  { change: { path: 'a', left: 1, right: '1' }, told: 'a: [-1-] → {+"1"+}' },
  { change: { path: '', right: { b: 1 } }, told: '{+{b: 1}+}' },
  { change: { path: 'a', left: ['x'] }, told: 'a: [-["x"]-]' },
  { change: { path: 'a', left: 'x\ny', right: 'x\nz' }, told: 'a: \n  x\n  [-y-]{+z+}' },
  {
    change: { path: 'a', left: `${long}甲${long}`, right: `${long}乙${long}` },
    told: 'a: …個人情報の保護に関する法律は、個人情報の保護に関する法律は、[-甲-]{+乙+}個人情報の保護に関する法律は、個人情報の保護に関する法律は、…',
  },
  {
    change: { path: 'a', left: `${lines}\nold\n${lines}`, right: `${lines}\nnew\n${lines}` },
    told: 'a: \n  …\n  line 10 of a long text\n  line 11 of a long text\n  [-old-]{+new+}\n  line 0 of a long text\n  line 1 of a long text\n  …',
  },
];

test.for(cases)('$told', ({ change, told }) => {
  expect(plain([change])).toEqual([told]);
});

test('more places than the limit are counted', () => {
  const changes = [1, 2, 3].map((right): ValueChange => ({ path: `p${right}`, right }));
  expect(plain(changes, 1)).toEqual(['p1: {+1+}', '… 2 more places']);
});
