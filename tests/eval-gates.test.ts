import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestWorld } from '../packages/cli/src/testing/test-io.ts';

const folder = join(import.meta.dirname, '../evals');
const evals = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());

test.for(evals.map(({ name }) => name))('the gates of %s are met', async (name) => {
  using world = createTestWorld();
  const { code, stdout } = await world.flow('eval', join(folder, name), '--json');
  const { metrics } = JSON.parse(stdout) as { metrics: readonly { name: string; gate?: { passed: boolean } }[] };
  expect(metrics.filter(({ gate }) => gate?.passed === false).map((metric) => metric.name)).toEqual([]);
  expect(metrics.some(({ gate }) => gate !== undefined)).toBe(true);
  expect(code).toBe(0);
});
