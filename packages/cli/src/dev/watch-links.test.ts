import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { LinkWatch } from './watch-links.ts';

/** A root may list any folder: what is done here is done as another user. */
function asUser<Result>(work: () => Result): Result {
  if (process.getuid?.() !== 0) return work();
  process.seteuid?.(65_534);
  try {
    return work();
  } finally {
    process.seteuid?.(0);
  }
}

test('a link in a folder that may be passed through and not listed is told, not a failure', () => {
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
  asUser(() => links.addAllAbove(join(root, 'homes/mine')));
  expect(told).toEqual([`EACCES: permission denied, watch '${join(root, 'homes')}'`]);
});
