import { defineConfig } from 'vitest/config';
import { ClosingLineReporter } from './tests/closing-line-reporter.ts';

/** No test takes so long; a busy machine may. */
const testTimeout = 60_000;

/** `unit` holds everything beside the code; `cases` runs the machine-checkable cases of `$CASES_DIR` (default `cases/`). */
export default defineConfig({
  test: {
    reporters: ['default', new ClosingLineReporter()],
    projects: [
      {
        test: {
          name: 'unit',
          testTimeout,
          include: [
            'packages/*/src/**/*.test.ts',
            'flows/**/*.test.ts',
            'tests/*.test.ts',
            'tests/!(cases)/**/*.test.ts',
          ],
        },
      },
      { test: { name: 'cases', testTimeout, include: ['tests/cases/*.test.ts'] } },
    ],
  },
});
