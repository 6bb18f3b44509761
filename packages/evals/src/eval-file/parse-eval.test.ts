import { formatDiagnostics } from '@unroll/engine';
import { expect, test } from 'vitest';
import { evaluators } from '../evaluators/evaluators.ts';
import { parseEval } from './parse-eval.ts';

test('a number with a point is a number, in gates and parameters', () => {
  const text = `flow: f
data: d.jsonl
seed: 7.0
metrics:
- name: near
  on: outputs.answer
  evaluator: number
  expected: 3
  tolerance: 1.0
  gate: {min: 1.0}
- name: found
  on: outputs.answer
  evaluator: recall
  expected: "\${row.ids}"
  k: 3.0
`;
  const { spec, diagnostics } = parseEval({ path: 'eval.yaml', text }, { evaluators });
  expect(formatDiagnostics(diagnostics)).toBe('');
  expect(spec).toMatchObject({
    seed: 7,
    metrics: [{ gate: { min: 1 }, parameters: { tolerance: 1 } }, { parameters: { k: 3 } }],
  });
});
