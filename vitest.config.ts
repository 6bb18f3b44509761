import { defineConfig } from 'vitest/config';

/** `unit` holds everything beside the code; `cases` runs the machine-checkable cases of `$CASES_DIR` (default `cases/`). */
export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['packages/*/src/**/*.test.ts', 'flows/**/*.test.ts', 'tests/*.test.ts'] } },
      { test: { name: 'cases', include: ['tests/cases/*.test.ts'] } },
    ],
  },
});
