import type { EvalResult } from '@unroll/evals';
import { expect, test } from 'vitest';
import { createStyle } from '../text/style.ts';
import { familiesText, firstBadText } from './print-views.ts';

const plain = createStyle(false);
const nothing: EvalResult = {
  version: 1,
  name: 'e',
  run: { id: 'r', flow: 'f', startedAt: 0 },
  metrics: [],
  firstBad: [],
  families: [],
  rows: { total: 4, completed: 4, failed: 0, unfinished: 0, repeats: 1 },
};

test('failing rows stand under the node that was wrong first', () => {
  const firstBad = [
    {
      node: 'function_1',
      kind: 'faq_recall',
      rows: 7,
      examples: [3, 4, 8, 9, 12].map((line) => ({ line, repeat: 0, expected: ['faq-001'], actual: ['[faq-002] …'] })),
    },
    { node: 'agent_2', kind: 'failed', rows: 1, examples: [{ line: 20, repeat: 2, reason: 'RateLimit: too many' }] },
    { node: 'outputs.answer', kind: 'grounded', rows: 1, examples: [{ line: 21, repeat: 0 }] },
    { node: 'row', kind: 'mine', rows: 1, examples: [{ line: 22, repeat: 0, actual: { answer: 'No.' } }] },
  ];
  expect(firstBadText({ ...nothing, firstBad }, 'r', plain)).toBe(`
went wrong first at
  function_1  faq_recall  7 rows: 3, 4, 8, 9, 12 …
    expected ["faq-001"], got ["[faq-002] …"]
    flow show r --row 3 --node function_1
  agent_2  failed  1 row: 20/2
    RateLimit: too many
    flow show r --row 20/2 --node agent_2
  outputs.answer  grounded  1 row: 21
    flow show r --row 21
  row  mine  1 row: 22
    got {answer: "No."}
    flow show r --row 22
`);
  expect(firstBadText(nothing, 'r', plain)).toBe('');
});

test.for([
  { expected: '12', actual: 12, told: 'expected "12", got 12: a text is not the same as a number, a list or true' },
  {
    expected: true,
    actual: 'true',
    told: 'expected true, got "true": a text is not the same as a number, a list or true',
  },
  { expected: 'a', actual: 'b', told: 'expected a, got b' },
  { expected: 12, actual: 13, told: 'expected 12, got 13' },
])('a text is told from what reads the same: $told', ({ expected, actual, told }) => {
  const group = { node: 'outputs.n', kind: 'right', rows: 1, examples: [{ line: 0, repeat: 0, expected, actual }] };
  expect(firstBadText({ ...nothing, firstBad: [group] }, 'r', plain)).toContain(`    ${told}\n`);
});

test('an agent by iteration: what a further one gains and takes', () => {
  const families = [
    {
      family: 'function',
      iterations: [
        { iteration: 1, ran: 4, finished: 0, rightByNow: 1, tokens: 1200, cost: 0.012 },
        { iteration: 2, ran: 4, finished: 3, rightByNow: 3, tokens: 2000, cost: 0.02 },
        { iteration: 3, ran: 1, finished: 0, rightByNow: 2, tokens: 900, cost: 0.009 },
      ],
      stopped: { right: 2, tooEarly: 1, tooLate: 0, never: 1 },
      lostLater: 1,
      recommendedTimes: 2,
    },
  ];
  expect(familiesText({ ...nothing, families }, plain)).toBe(`
function by iteration
  iteration  ran  finished  right by now  gain  tokens    cost  for each more right
  1            4         0             1    +1   1,200  $0.012               $0.012
  2            4         3             3    +2   2,000   $0.02                $0.01
  3            1         0             2    -1     900  $0.009
  stopped right 2, too early 1, too late 0, never 1
  right at some iteration and lost later: 1
  recommended times: 2
`);
});

test('a cost of an iteration that is partial says so, and no price is told for what it gained', () => {
  const iterations = [
    { iteration: 1, ran: 4, finished: 2, rightByNow: 2, tokens: 1200, cost: 0.012, isCostPartial: true },
  ];
  const text = familiesText({ ...nothing, families: [{ family: 'function', iterations }] }, plain);
  expect(text).toMatch(/ \$0\.012 \(partial\) +600 tokens$/m);
});
