import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { ClosingLineReporter } from './tests/closing-line-reporter.ts';

/** No test and no hook takes so long; a busy machine may. What programs keep of their user is not kept with the developer's. */
const limits = {
  // Files share what is imported: loading it for each anew took as long as the tests. State that a test leaves behind is a bug.
  isolate: false,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  env: { XDG_STATE_HOME: join(tmpdir(), 'unroll-test-state') },
};

/** `unit` holds everything beside the code; `cases` runs the machine-checkable cases of `$CASES_DIR` (default `cases/`). */
export default defineConfig({
  test: {
    // Many tests wait for processes that they start: on two cores one file at a time leaves a core idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    reporters: ['default', new ClosingLineReporter()],
    projects: [
      {
        test: {
          name: 'unit',
          ...limits,
          include: [
            'packages/*/src/**/*.test.ts',
            'flows/**/*.test.ts',
            'tests/*.test.ts',
            'tests/!(cases)/**/*.test.ts',
          ],
        },
      },
      { test: { name: 'cases', ...limits, include: ['tests/cases/*.test.ts'] } },
    ],
  },
});
