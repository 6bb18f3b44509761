import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bulkWorld } from '../testing/bulk-flow.ts';

test('what is said of a run is listed, looked for, taken back, and goes with the run', async () => {
  using world = bulkWorld();
  for (const name of ['one', 'two']) await world.flow('run', 'double', '--input', 'n=1', '--name', name);
  const runs = (...argv: string[]) => world.flow('runs', ...argv);
  const ids = async (...argv: string[]) =>
    (JSON.parse((await runs('--json', ...argv)).stdout) as { readonly id: string }[]).map(({ id }) => id);
  expect(await runs('tag', 'one', 'keep', '比較')).toMatchObject({ code: 0, stdout: 'one  #keep  #比較\n' });
  expect((await runs('name', 'one', 'before', 'the new prompt')).stdout).toBe(
    'one  before the new prompt  #keep  #比較\n',
  );
  expect(JSON.parse((await runs('note', 'one', 'asked by Sato', '--json')).stdout)).toEqual({
    ...{ id: 'one', name: 'before the new prompt', tags: ['keep', '比較'], note: 'asked by Sato' },
  });
  expect(await ids('--tag', 'keep')).toEqual(['one']);
  expect((await runs('--tag', 'keep')).stdout).toMatch(/name, tags .*\n *one .*before the new prompt #keep #比較/);
  expect((await runs('--tag', 'none')).stdout).toBe('no run has the tag none: flow runs tag RUN none gives it\n');
  expect((await runs('untag', 'one', 'keep')).stdout).toBe('one  before the new prompt  #比較  asked by Sato\n');
  expect((await runs('name', 'one')).stdout).toBe('one  #比較  asked by Sato\n');
  expect(await runs('tag', 'one')).toMatchObject({ code: 2, stderr: 'error: which tags? flow runs tag RUN TAG …\n' });
  expect(await runs('tag', 'one', 'a,b')).toMatchObject({ code: 2 });
  const kept = join(world.folder, '.flow/runs/one.marks.json');
  expect(existsSync(kept)).toBe(true);
  await runs('rm', 'one');
  expect([existsSync(kept), await ids()]).toEqual([false, ['two']]);
});

test('a run that cannot be removed is told as such', async () => {
  using world = bulkWorld();
  mkdirSync(join(world.folder, '.flow/runs/one.run'), { recursive: true });
  expect(await world.flow('runs', 'rm', 'one')).toMatchObject({
    code: 2,
    stderr: 'error: run one cannot be removed: it is a folder\n',
  });
});
