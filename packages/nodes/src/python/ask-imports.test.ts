import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { askImports } from './ask-imports.ts';

/** A program that calls itself Python. */
function calledPython(script: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'python-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const command = join(folder, 'python3');
  writeFileSync(command, `#!/bin/sh\n${script}\n`);
  chmodSync(command, 0o755);
  return command;
}

test.for([
  ['writes without end', 'yes garbage', 'it took more than 3 s'],
  ['has a program write without end', 'yes garbage & wait', 'it took more than 3 s'],
  ['waits for a program without end', 'sleep 20; true', 'it took more than 3 s'],
  ['says nothing', 'exit 0', 'it answered otherwise than it should'],
  ['says what nobody asked', 'echo 1', 'it answered otherwise than it should'],
] as const)('what calls itself Python and %s is told', { timeout: 30_000 }, async ([, script, message]) => {
  const command = calledPython(script);
  const settings = { command, folder: tmpdir(), environment: {}, standIns: [] };
  const asked = { files: [], entries: [], nodes: [], modules: [], tools: [], packageNodes: [] };
  expect(await askImports(asked, settings, 3000)).toEqual({ ok: false, isCertain: false, message });
});
