import { defineConfig } from 'vitest/config';

/** A model of 135 million parameters on this machine, which is installed on the first run (130 MB): docs/real-model.md. */
export default defineConfig({
  test: { include: ['tests/real-model/*.real.ts'], testTimeout: 900_000, hookTimeout: 900_000, fileParallelism: false },
});
