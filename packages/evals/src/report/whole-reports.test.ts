import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EvalResult } from '../eval-result/eval-result.ts';
import { stringifyJunit } from './stringify-junit.ts';
import { stringifyMarkdown } from './stringify-markdown.ts';

/** An evaluation with metrics of every kind: numbers, families, gates, what nothing stands at, iterations, first bad nodes. */
const path = join(import.meta.dirname, '../score-run/whole-result.golden.json');
const result = JSON.parse(readFileSync(path, 'utf8')) as EvalResult;

test.for([
  ['junit.xml', stringifyJunit],
  ['md', stringifyMarkdown],
] as const)('the report of a whole evaluation: %s', async ([kind, print]) => {
  await expect(print(result)).toMatchFileSnapshot(join(import.meta.dirname, `whole-report.golden.${kind}`));
});
