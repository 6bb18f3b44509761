import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestWorld } from '../packages/cli/src/testing/test-io.ts';

const root = join(import.meta.dirname, '..');
const guide = (name: string): string => readFileSync(join(root, 'docs/guide', `${name}.md`), 'utf8');
const rows = ['flows/privacy-agent', '--data', 'flows/privacy-agent/data.jsonl'] as const;

test('the guides tell the tokens and the forecast of the sample flow as they are', { timeout: 120_000 }, async () => {
  using world = createTestWorld();
  cpSync(join(root, 'flows'), join(world.folder, 'flows'), {
    recursive: true,
    filter: (path) => !/[\\/]\.flow$/.test(path),
  });
  const ran = await world.flow('run', ...rows);
  const [, tokens = 'none'] = /^agent\[\*\] .* ([\d,]+)$/m.exec(ran.stdout) ?? [];
  for (const page of ['changed-only', 'bulk-runs']) {
    expect(guide(page)).toMatch(new RegExp(`^ *agent\\[\\*\\] .* ${tokens}$`, 'm'));
    expect(guide(page)).toContain(`60 rows completed, ${tokens} tokens`);
  }
  const plans = [await world.flow('plan', ...rows), await world.flow('plan', ...rows, '--since', 'latest')];
  const told = plans.flatMap(({ stdout }) =>
    stdout.split('\n').filter((line) => /\d/.test(line) && !/-\d{6}-/.test(line)),
  );
  expect(told.length).toBeGreaterThan(10);
  for (const line of told) expect(guide('plan')).toContain(`    ${line}\n`);
});
