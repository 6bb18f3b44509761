import { globSync } from 'node:fs';

/**
 * Which tests `pnpm mutate` runs for the code of a folder: those of the folder itself, and those of its nearest users, named
 * here. All tests of the project would notice a little more, and take a minute for each change.
 */
export function mutationTests(folder: string): readonly string[] {
  const further = Object.entries(users).flatMap(([used, files]) => (`${folder}/`.startsWith(`${used}/`) ? files : []));
  return globSync([`${folder}/**/*.test.ts`, ...further], { exclude: tooSlow }).sort();
}

const engine = 'packages/engine/src';
const evals = 'packages/evals/src';

const users: Readonly<Record<string, readonly string[]>> = {
  [`${engine}/plan`]: [
    'tests/cases/dag.test.ts',
    'tests/{wrong-flows,flow-language-page,plain-data,loop-flow}.test.ts',
  ],
  [`${engine}/record`]: [`${engine}/run/*.test.ts`, `${evals}/diff-runs/*.test.ts`],
  [`${engine}/run`]: ['tests/cases/{dag,node-records,bulk}.test.ts', 'tests/included-files.test.ts'],
  [`${evals}/attribute-changes`]: [`${evals}/{diff-runs,explain-run,first-bad}/*.test.ts`],
  [`${evals}/compare-scores`]: [`${evals}/{baseline,judge-gates}/*.test.ts`],
  [`${evals}/compare-values`]: [`${evals}/diff-runs/*.test.ts`],
  [`${evals}/diff-runs`]: [`${evals}/{compare-values,explain-run,first-bad,attribute-changes}/*.test.ts`],
  [`${evals}/eval-file`]: [`${evals}/{score-run,iterations}/*.test.ts`, 'tests/eval-page.test.ts'],
  [`${evals}/evaluators`]: [`${evals}/{score-run,scorers}/*.test.ts`],
  [`${evals}/explain-run`]: [`${evals}/{diff-runs,first-bad}/*.test.ts`],
  [`${evals}/first-bad`]: [`${evals}/{diff-runs,explain-run}/*.test.ts`],
  [`${evals}/iterations`]: [`${evals}/score-run/*.test.ts`],
  [`${evals}/report`]: ['packages/cli/src/eval/*.test.ts'],
  [`${evals}/score-run`]: [`${evals}/{evaluators,iterations,eval-file,scorers}/*.test.ts`],
  [`${evals}/scorers`]: [`${evals}/{evaluators,score-run}/*.test.ts`, 'tests/cases/tool-metrics.test.ts'],
  [`${evals}/statistics`]: [`${evals}/{scorers,judge-gates}/*.test.ts`],
};

/** Simulations, which take minutes where each step of the code is counted. */
const tooSlow: string[] = [`${evals}/compare-scores/{verdict-and-interval,simulated-runs}.test.ts`];
