import { textWidth } from '@unroll/engine/text-width';
import { expect, test } from 'vitest';
import { table } from '../text/table.ts';
import { narrowed } from './narrow-table.ts';

const columns = [
  { title: 'metric', least: 16 },
  { title: 'on', least: 10, leavesAt: 1 },
  { title: 'mean', isNumber: true },
  { title: 'gate', least: 1, leavesAt: 2 },
];
const rows = [
  [
    '引用が根拠に含まれている割合',
    'function_1.function_results[-1].content',
    '74.3 %',
    '✓ min 0.7, no worse than baseline',
  ],
  ['calls', 'agent[*]', '81.1 %', ''],
].map((row) => row.map((text) => ({ text })));

function printed(width: number): string {
  const fitted = narrowed(columns, rows, width);
  return table(fitted.columns, fitted.rows, (text) => text);
}

test.for([
  [
    200,
    `metric                        on                                         mean  gate
引用が根拠に含まれている割合  function_1.function_results[-1].content  74.3 %  ✓ min 0.7, no worse than baseline
calls                         agent[*]                                 81.1 %
`,
  ],
  [
    60,
    `metric           on                  mean  gate
引用が根拠に含…  function_1.func…  74.3 %  ✓ min 0.7, no w…
calls            agent[*]          81.1 %
`,
  ],
  [
    30,
    `metric             mean  gate
引用が根拠に含…  74.3 %  ✓ m…
calls            81.1 %
`,
  ],
] as const)('in %i cells', ([width, golden]) => {
  const text = printed(width);
  expect(text).toBe(golden);
  for (const line of text.trimEnd().split('\n')) expect(textWidth(line)).toBeLessThanOrEqual(width);
});
