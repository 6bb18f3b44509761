import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runObserved, writeObservedFlow } from '../testing/observed-flow.ts';
import { createTestWorld } from '../testing/test-io.ts';

test.for<readonly ['ts' | 'py', string]>([
  [
    'ts',
    "import { readlinkSync } from 'node:fs';\nexport default (_given: unknown) => readlinkSync('FOLDER/link').at(-1);\n",
  ],
  [
    'py',
    'import os\nfrom promptflow.core import tool\n\n\n@tool\ndef leads(q: str):\n    return os.readlink("FOLDER/link")[-1]\n',
  ],
])('where a link leads counts, though nothing lies there (%s)', async ([ending, code]) => {
  using world = createTestWorld();
  const link = join(world.folder, 'link');
  writeObservedFlow(world, [{ name: 'leads', code, later: {} }], ending);
  symlinkSync('nowhere-a', link);
  expect((await runObserved(world, 'before')).outputs).toEqual({ leads: 'a' });
  expect((await runObserved(world, 'same', '--since', 'before')).ran).toEqual([]);
  rmSync(link);
  symlinkSync('nowhere-b', link);
  expect((await runObserved(world, 'after', '--since', 'before')).outputs).toEqual({ leads: 'b' });
});
