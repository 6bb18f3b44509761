import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withoutRoot } from '@unroll/engine/testing';
import { expect, onTestFinished, test } from 'vitest';
import { LinkWatch } from './watch-links.ts';

test('a link in a folder that may be passed through and not listed is told, not a failure', async () => {
  const root = mkdtempSync(join(tmpdir(), 'watch-links-'));
  onTestFinished(() => {
    chmodSync(join(root, 'homes'), 0o755);
    rmSync(root, { recursive: true });
  });
  chmodSync(root, 0o755);
  mkdirSync(join(root, 'homes'));
  symlinkSync('..', join(root, 'homes/mine'));
  chmodSync(join(root, 'homes'), 0o111);
  const told: string[] = [];
  using links = new LinkWatch(
    () => undefined,
    ({ message }) => told.push(message),
  );
  await withoutRoot(() => links.addAllAbove(join(root, 'homes/mine')));
  expect(told).toEqual([`EACCES: permission denied, watch '${join(root, 'homes')}'`]);
});
