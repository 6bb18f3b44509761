import { defineConfig } from 'vitest/config';
import { ClosingLineReporter } from './tests/closing-line-reporter.ts';

/** `unit` holds everything beside the code; `cases` runs the machine-checkable cases of `$CASES_DIR` (default `cases/`). */
export default defineConfig({
  test: {
    reporters: ['default', new ClosingLineReporter()],
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'packages/*/src/**/*.test.ts',
            'flows/**/*.test.ts',
            'tests/*.test.ts',
            'tests/!(cases)/**/*.test.ts',
          ],
        },
      },
      { test: { name: 'cases', include: ['tests/cases/*.test.ts'] } },
    ],
  },
});
