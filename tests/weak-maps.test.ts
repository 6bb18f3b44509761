import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { needlesslyAllowed, weakMapsIn } from './house/weak-maps.ts';

const root = new URL('..', import.meta.url).pathname;

test('nothing of a row or of a flow hangs on the identity of an object', () => {
  const files = globSync('packages/*/src/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  expect(texts.size).toBeGreaterThan(500);
  expect([...texts].flatMap(([file, text]) => weakMapsIn(file, text))).toEqual([]);
  expect(needlesslyAllowed(texts)).toEqual([]);
});

test.each(['new WeakMap<object, number>()', 'new WeakMap()', 'new WeakSet<NodeCall>()'])('%s is refused', (made) => {
  expect(weakMapsIn('packages/nodes/src/llm/a.ts', `const rows = ${made};\n`)).toEqual([
    'packages/nodes/src/llm/a.ts: keep it in a slot of the row or of the flow (ScopeSlot), not in a WeakMap',
  ]);
});
