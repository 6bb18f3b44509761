import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { isShortName } from './short-names.ts';

const root = mkdtempSync(join(tmpdir(), 'short-names-'));
afterAll(() => rmSync(root, { recursive: true }));
const files: Readonly<Record<string, string>> = {
  'tsconfig.json': `{
  // "@gone/*": ["src/*"],
  "compilerOptions": {
    "baseUrl": "./src", /* beside the flows */
    "paths": { "@lib/*": ["lib/*"], "config": ["./config.ts"], "*.data": ["data/*"], "*": ["types/*"] },
    "types": ["node"]
  }, "include": ["flows"]
}`,
  'src/lib/x.ts': '',
  'src/shared/index.ts': '',
  'other/tsconfig.json': '{"compilerOptions": {}}',
  'broken/tsconfig.json': '{"compilerOptions": {"paths": ',
};
for (const [path, text] of Object.entries(files)) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

test.for<readonly [name: string, from: string, isShort: boolean]>([
  ['@lib/x', 'flows/ask/n.ts', true],
  ['@lib', 'flows/ask/n.ts', false],
  ['config', 'flows/ask/n.ts', true],
  ['config/x', 'flows/ask/n.ts', false],
  ['words.data', 'flows/ask/n.ts', true],
  ['@gone/x', 'flows/ask/n.ts', false],
  ['node', 'flows/ask/n.ts', false],
  ['lib/x', 'flows/ask/n.ts', true],
  ['shared', 'flows/ask/n.ts', true],
  ['lib/y', 'flows/ask/n.ts', false],
  ['zod', 'flows/ask/n.ts', false],
  // The nearest alone is what a compiler reads.
  ['@lib/x', 'other/n.ts', false],
  ['@lib/x', 'broken/n.ts', false],
  ['@/x', 'other/n.ts', true],
  ['~/x', 'other/n.ts', true],
])('%s, imported by %s', ([name, from, isShort]) => {
  expect(isShortName(name, join(root, from))).toBe(isShort);
});
