import { expect, test } from 'vitest';
import { write } from '../testing/observed-flow.ts';
import { createTestWorld } from '../testing/test-io.ts';

test('a flex flow runs each time, and why says so', async () => {
  using world = createTestWorld();
  write(world, {
    'flow/flow.flex.yaml': 'entry: entry:answer\n',
    'flow/entry.py': 'def answer(q: str) -> str:\n    return open("FOLDER/outside/" + "read.txt").read()\n',
    'outside/read.txt': 'a',
    'rows.jsonl': '{"q": "one"}\n',
  });
  const run = (name: string, ...more: readonly string[]) =>
    world.flow('run', 'flow', '--data', 'rows.jsonl', '--name', name, '--json', ...more);
  expect((await run('before')).code).toBe(0);
  write(world, { 'outside/read.txt': 'b' });
  expect((await run('after', '--since', 'before')).code).toBe(0);
  const { stdout: shown } = await world.flow('show', 'after', '--row', '0', '--json');
  expect(JSON.parse(shown)).toMatchObject({ outputs: { output: 'b' } });
  const { stdout: why } = await world.flow('why', 'after', '--row', '0', '--json');
  expect(JSON.parse(why)).toMatchObject({ nodes: { answer: { ran: true, reason: 'always' } } });
});
