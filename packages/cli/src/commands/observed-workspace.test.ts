import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runObserved, write, writeObservedFlow } from '../testing/observed-flow.ts';
import { createTestWorld } from '../testing/test-io.ts';

const manifest = (file: string): string => JSON.stringify({ name: '@team/shared', exports: file });

/** A package of the workspace, which `node_modules` links to. */
test('the package.json of a package of the workspace counts, and not that above the flow; its line ends do not', async () => {
  using world = createTestWorld();
  const code = "import shared from '@team/shared';\nexport default () => shared;\n";
  writeObservedFlow(world, [{ name: 'shares', code }], 'ts');
  write(world, {
    'package.json': '{"private": true}',
    'packages/shared/package.json': `${manifest('./a.ts')}\n`,
    'packages/shared/a.ts': "export default 'a';\n",
    'packages/shared/b.ts': "export default 'b';\n",
  });
  mkdirSync(join(world.folder, 'node_modules/@team'), { recursive: true });
  symlinkSync(join(world.folder, 'packages/shared'), join(world.folder, 'node_modules/@team/shared'), 'junction');
  await runObserved(world, 'before');
  write(world, {
    'package.json': '{"private": true, "scripts": {"a": "b"}}',
    'packages/shared/package.json': `${manifest('./a.ts')}\r\n`,
    'packages/shared/a.ts': "export default 'a';\r\n",
  });
  expect((await runObserved(world, 'same', '--since', 'before')).ran).toEqual([]);
  write(world, { 'packages/shared/package.json': manifest('./b.ts') });
  expect((await runObserved(world, 'other', '--since', 'before')).ran).toEqual(['shares']);
});
