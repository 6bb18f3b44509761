import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestWorld } from '../testing/test-io.ts';

const shop = join(import.meta.dirname, '../../../../flows/tool-agent');

test('what the code behind tools of an agent reads counts as that of a node', async () => {
  using world = createTestWorld();
  cpSync(shop, join(world.folder, 'shop'), { recursive: true });
  const code = join(world.folder, 'shop/tools.ts');
  writeFileSync(
    code,
    `${readFileSync(code, 'utf8')}\nexport const rate = process.env[['SHOP', 'API', 'KEY'].join('_')];\n`,
  );
  const ran = async (name: string, ...more: readonly string[]): Promise<readonly string[]> => {
    const argv = ['run', 'shop', '--data', 'shop/data.jsonl', '--rows', '0-2', '--name', name, '--json', ...more];
    const { stdout, stderr } = await world.flow(...argv);
    const last = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as {
      readonly nodes?: Readonly<Record<string, { readonly completed: number; readonly cached: number }>>;
    };
    if (last.nodes === undefined) throw new Error(stderr + stdout);
    return Object.entries(last.nodes).flatMap(([node, { completed, cached }]) => (cached < completed ? [node] : []));
  };
  await ran('before');
  expect(await ran('same', '--since', 'before')).toEqual([]);
  process.env['SHOP_API_KEY'] = 'other';
  try {
    expect(await ran('after', '--since', 'before')).toEqual(['assistant_act[*]']);
  } finally {
    delete process.env['SHOP_API_KEY'];
  }
});
