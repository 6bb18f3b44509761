import { expect, test } from 'vitest';
import { keptUnits } from './kept-units.ts';

test.for([
  ['57 行が失敗、1,971 トークン', '57\u00a0行が失敗、1,971\u00a0トークン'],
  ['直近 9 件中 6 件', '直近 9\u00a0件中 6\u00a0件'],
  ['agent_1 のため 3 つ', 'agent_1 のため 3 つ'],
  ['9 rows', '9 rows'],
])('%j', ([text = '', kept]) => {
  expect(keptUnits(text)).toBe(kept);
});
