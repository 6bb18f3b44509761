import type { EvaluationPage } from '@unroll/project/studio-contract';
import { expect, test } from 'vitest';
import { viewFolder } from '../testing/viewed-world.ts';

const secret = 'a-very-secret-key';

test.for<readonly [string, string]>([
  ['as it is loaded', `throw new Error('refused: ${secret}');\nexport default () => 1;\n`],
  ['of a row', `export default () => {\n  throw new Error('refused', { cause: new Error('${secret}') });\n};\n`],
  ['as its message', `export default () => {\n  throw new Error('refused: ${secret}');\n};\n`],
  ['as what it says', `export default () => ({ score: null, reason: 'refused: ${secret}' });\n`],
  ['as its score', `export default () => 'refused: ${secret}';\n`],
])('what an evaluator of our own throws or says is shown without secrets: %s', async ([, text]) => {
  const own = 'flow: .\ndata: rows.jsonl\nmetrics:\n- {name: own, on: outputs.half.half, evaluator: ./own.ts}\n';
  await using viewed = await viewFolder({
    more: {
      'connections.yaml': `mine: {type: open_ai, api_key: ${secret}}\n`,
      'halve/own.eval.yaml': own,
      'halve/own.ts': text,
    },
  });
  await viewed.run('base');
  const answer = await viewed.ask('evaluation?path=halve/own.eval.yaml&run=base');
  const page = await answer.text();
  expect(page).toContain('refused');
  expect(page).not.toContain(secret);
  expect((JSON.parse(page) as EvaluationPage).path).toBe('halve/own.eval.yaml');
});
