import { defineConfig } from 'vitest/config';

/** The page of Prompt flow's own server as a client of `flow serve`; its package is installed on the first run (2 MB): docs/serve.md. */
export default defineConfig({
  test: {
    include: ['tests/promptflow-page/*.real.ts'],
    globalSetup: ['packages/cli/src/testing/build-flow.ts'],
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
});
