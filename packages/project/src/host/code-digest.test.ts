import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { codeDigest } from './code-digest.ts';

function digestWith(file: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'packages-'));
  for (const [path, content] of Object.entries({ 'engine/src/run.ts': 'run', [file]: text })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const digest = codeDigest(folder, 'src');
  rmSync(folder, { recursive: true });
  return digest;
}

test.for([
  { file: 'engine/src/run.ts', counts: true },
  { file: 'queue/src/worker/run-rows.ts', counts: true },
  { file: 'nodes/src/python/worker/observe.py', counts: true },
  { file: 'server/src/http/app.ts', counts: true },
  { file: 'studio/src/pages/run.ts', counts: false },
  { file: 'queue/src/testing/fresh-engine.ts', counts: false },
  { file: 'engine/src/run.test.ts', counts: false },
  { file: 'engine/dist/run.js', counts: false },
])('$file is code that decides records: $counts', ({ file, counts }) => {
  expect(digestWith(file, 'one') !== digestWith(file, 'other')).toBe(counts);
});
