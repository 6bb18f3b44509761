import type { EvalResult } from '@unroll/evals';
import { expect, test } from 'vitest';
import { evaluationVerdict } from './evaluation-verdict.ts';
import type { JudgedRun } from './judged-run.ts';

const summary = {
  ...{ mean: 2, scored: 9, errors: 2 },
  unscored: [
    { reason: 'node failed', count: 1, rows: [{ line: 4, repeat: 0 }] },
    { reason: 'node not run', count: 1, rows: [{ line: 5, repeat: 0 }] },
    { reason: 'never finished', count: 1 },
  ],
};
const other = { ...summary, errors: 1, unscored: [{ reason: 'row failed', count: 1, rows: [{ line: 4, repeat: 0 }] }] };
const metrics = [
  { name: 'steps', summary },
  { name: 'cited', summary: other },
  { name: 'found', summary },
];
const result = { metrics, firstBad: [] } as unknown as EvalResult;
const run = { line: { id: 'r' }, result, against: result, judges: new Map() } as unknown as JudgedRun;

test.for([
  [
    'en',
    '2 rows of r have no score of steps, found: node failed, node not run. 1 row of r has no score of cited: row failed. ',
  ],
  [
    'ja',
    'r の 2 行には steps、found のスコアがありません：ノードが失敗しました、ノードが実行されていません。r の 1 行には cited のスコアがありません：行が失敗しました。',
  ],
] as const)('rows without a score are told with each reason: %s', ([language, text]) => {
  const { details } = evaluationVerdict([run], language);
  const said = details.map(({ parts }) => parts.map((part) => part.text).join('')).join('');
  expect(said).toBe(text);
});

test.for([
  ['en', "is measured otherwise than when the baseline was accepted: the settings in eval.yaml, the evaluator's file"],
  ['ja', 'は、ベースラインの承認時とは測り方が異なります'],
] as const)('a metric measured otherwise than for the baseline is told: %s', ([language, text]) => {
  const compared = { ...result, metrics: [], comparison: { measuredOtherwise: ['steps'] } } as unknown as EvalResult;
  const { details } = evaluationVerdict([{ ...run, result: compared, against: compared }], language);
  const said = details.map(({ parts }) => parts.map((part) => part.text).join('')).join('');
  expect(said).toContain(`steps ${text}`);
});

test.for([
  ['en', 'Worse by group: lang ja (right 0.9 → 0.4). '],
  ['ja', 'グループごとの悪化：lang ja (right 0.9 → 0.4)。'],
] as const)('groups that got worse are told: %s', ([language, text]) => {
  const comparison = { verdict: 'worse', before: 0.9, after: 0.4 };
  const slices = [{ column: 'lang', slices: [{ value: 'ja', lines: [], metrics: [{ name: 'right', comparison }] }] }];
  const right = { name: 'right', kind: 'number', summary: { ...summary, errors: 0, unscored: [] } };
  const compared = { ...result, metrics: [right], slices } as unknown as EvalResult;
  const { details } = evaluationVerdict([{ ...run, result: compared, against: compared }], language);
  expect(details.map(({ parts }) => parts.map((part) => part.text).join('')).join('')).toContain(text);
});
