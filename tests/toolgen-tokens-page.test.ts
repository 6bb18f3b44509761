import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

test('docs/toolgen-tokens.md shows what its example prints', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'flows/toolgen-agent/tokens.ts')]);
  const page = readFileSync(join(root, 'docs/toolgen-tokens.md'), 'utf8');
  const shown = stdout
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : `    ${line.trimEnd()}`));
  expect(page).toContain(shown.join('\n'));
});
