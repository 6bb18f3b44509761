import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { stagePackages } from './stage-packages.ts';

/** `pnpm check-packages`: what npm would publish, read by publint, and its types by Are The Types Wrong. */
const folder = mkdtempSync(join(tmpdir(), 'unroll-packages-'));
const attw = join(
  dirname(createRequire(import.meta.url).resolve('@arethetypeswrong/cli/package.json')),
  'dist/index.js',
);
try {
  const names = stagePackages(folder);
  for (const name of names) await lint(join(folder, name));
  for (const name of names.filter((candidate) => candidate !== 'cli'))
    execFileSync(process.execPath, [attw, '--pack', join(folder, name), '--profile', 'esm-only', '--quiet'], {
      stdio: 'inherit',
    });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function lint(pkgDir: string): Promise<void> {
  const { messages, pkg } = await publint({ pkgDir, strict: true });
  for (const message of messages) process.stderr.write(`${pkgDir}: ${formatMessage(message, pkg) ?? message.code}\n`);
  if (messages.length > 0) process.exitCode = 1;
}
