import { expect, test } from 'vitest';
import { type PromptFlowCase, readPromptFlowCases } from './promptflow/case.ts';
import { caseDifferences } from './promptflow/compare-case.ts';
import { knownFailures } from './promptflow/known-failures.ts';
import { runCase } from './promptflow/run-case.ts';

for (const one of readPromptFlowCases()) {
  const holds = knownFailures.has(one.id) ? test.fails : test;
  holds(`${one.id} (${one.mode}): ${one.why}`, { timeout: 60_000 }, () => check(one));
}

async function check(one: PromptFlowCase): Promise<void> {
  const outcome = await runCase(one);
  expect(caseDifferences(one, outcome)).toEqual([]);
}
