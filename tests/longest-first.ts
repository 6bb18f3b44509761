import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Each takes a minute and more on two cores; whichever is begun last runs beside an idle core. */
const longest: readonly string[] = [
  'tests/installed-equals-sources.test.ts',
  'tests/built-flow.test.ts',
  'tests/packages.test.ts',
  'packages/cli/src/commands/python/python.test.ts',
  'packages/cli/src/commands/observed-python-corners.test.ts',
  'packages/cli/src/commands/observed-python.test.ts',
  'tests/gate-story.test.ts',
  'packages/cli/src/commands/lost-record.test.ts',
  'tests/cases/promptflow-serve.test.ts',
];

/** Begins the longest test files first also where no earlier run told how long they take, as in CI. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean => longest.some((file) => moduleId.endsWith(file));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
