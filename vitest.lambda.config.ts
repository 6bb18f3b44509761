import { defineConfig } from 'vitest/config';

/** User programs on serverless-offline, which is installed on the first run: docs/user-programs.md. */
export default defineConfig({
  test: { include: ['tests/lambda/*.real.ts'], testTimeout: 120_000, hookTimeout: 900_000 },
});
