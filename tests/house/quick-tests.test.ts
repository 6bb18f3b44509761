import { expect, test } from 'vitest';
import { quickTests } from './quick-tests.ts';

test.each([
  ['a test itself', ['tests/floors.test.ts'], []],
  [
    'code with tests of its name',
    ['packages/engine/src/run/with-budget.ts'],
    ['packages/engine/src/run/with-budget.test.ts'],
  ],
  [
    'a page',
    ['docs/cli.md'],
    ['tests/architecture-page.test.ts', 'tests/doc-links.test.ts', 'tests/documented-commands.test.ts'],
  ],
  ['a test that was removed', ['packages/engine/src/run/gone.test.ts'], []],
  ['what has no test', ['pnpm-lock.yaml'], []],
])('%s', (_, changed, tests) => {
  expect(quickTests(changed)).toEqual(['tests/floors.test.ts', ...tests].sort());
});

test('code without a test of its name: those of its folder and of its nearest users', () => {
  const tests = quickTests(['packages/evals/src/evaluators/retrieval.ts']);
  expect(tests).toContain('packages/evals/src/evaluators/evaluators.test.ts');
  expect(tests.some((file) => file.startsWith('packages/evals/src/score-run/'))).toBe(true);
});

test.each([
  ['packages/project/src/serving/closed-run.ts', 'packages/project/src/records/'],
  ['packages/studio/src/pages/run/run-actions.tsx', 'packages/studio/src/'],
])('code in a folder without tests, %s: those of the folder around', (file, found) => {
  expect(quickTests([file]).filter((test) => test.startsWith(found)).length).toBeGreaterThan(0);
});
