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
const result = { metrics: [{ name: 'steps', summary }], firstBad: [] } as unknown as EvalResult;
const run = { line: { id: 'r' }, result, against: result, judges: new Map() } as unknown as JudgedRun;

test.for([
  ['en', '2 rows of r have no score of steps: node failed, node not run. '],
  ['ja', 'r の 2 行には steps のスコアがありません：ノードが失敗しました、ノードが実行されていません。'],
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
