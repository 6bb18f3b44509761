import { defineConfig } from 'vitest/config';

/** The contract of search indexes against a real service of Azure AI Search: docs/azure-ai-search.md. */
export default defineConfig({
  test: { include: ['tests/azure/*.real.ts'], testTimeout: 120_000, hookTimeout: 120_000 },
});
