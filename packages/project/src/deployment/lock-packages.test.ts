import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redactor } from '@unroll/engine';
import { expect, onTestFinished, test } from 'vitest';
import { lockPackages } from './lock-packages.ts';

test('where no registry has flow itself, that is told with what takes it along', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'package.json'), '{"dependencies": {"@unroll/cli": "0.1.0"}}');
  const registry = createServer((_request, response) => response.writeHead(404).end('{"error": "not_found"}'));
  await new Promise<void>((listening) => registry.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void registry.close());
  const npm_config_registry = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
  const locked = lockPackages(folder, { ...process.env, npm_config_registry }, new Redactor());
  await expect(locked).rejects.toMatchObject({
    message: 'npm cannot write package-lock.json: its registry has no @unroll/cli',
    help: 'All else is written. With --packages FOLDER --force the packed packages of flow in FOLDER are taken along.',
  });
});
