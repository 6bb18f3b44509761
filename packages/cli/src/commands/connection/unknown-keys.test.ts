import { expect, test } from 'vitest';
import { countingWorld } from '../../testing/counting-flow.ts';
import { writeFiles } from '../../testing/write-files.ts';

const told = `connections.yaml:1:51 warning CONNECTION_FILE a connection of type open_ai has no "base_ulr"
    mine: {type: open_ai, api_key: *****************, base_ulr: *****:***********}
                                                      ~~~~~~~~
    help: did you mean "base_url"?
`;

test.for([
  ['check', 'counting'],
  ['run', 'counting', '--input', 'goal=1'],
  ['connection', 'list'],
])('a key that a connection of a sound file does not have is told, with the nearest it has: %s', async (argv) => {
  using world = countingWorld();
  writeFiles(world.folder, {
    'connections.yaml': 'mine: {type: open_ai, api_key: sk-not-a-real-key, base_ulr: https://somewhere}\n',
  });
  const { code, stdout, stderr } = await world.flow(...argv);
  expect(code).toBe(0);
  expect((stdout + stderr).split(told)).toHaveLength(2);
  expect(stdout + stderr).not.toMatch(/somewhere|not-a-real/);
});

test('a variable in a form that is not read is told as a connection is made', async () => {
  using world = countingWorld();
  const created = await world.flow(
    'connection',
    'create',
    '--name',
    'mine',
    '--set',
    'type=open_ai',
    '--set',
    'api_key=$OUR_KEY',
  );
  expect(created.stderr).toContain('warning: "api_key" names a variable in a form that is not read');
  expect(created.stderr).toContain('write ${env:OUR_KEY}\n');
});

test('a connection that bears the name of the stand-in is told as never asked, and not kept', async () => {
  using world = countingWorld();
  writeFiles(world.folder, { 'connections.yaml': 'offline: {type: open_ai, api_key: sk-not-a-real-key}\n' });
  for (const argv of [
    ['check', 'counting'],
    ['connection', 'list'],
  ]) {
    const { stdout, stderr } = await world.flow(...argv);
    const told =
      'connections.yaml:1:1 warning CONNECTION_FILE nodes that name "offline" ask the stand-in that is built in';
    expect((stdout + stderr).split(told)).toHaveLength(2);
  }
  const made = await world.flow('connection', 'create', '--name', 'offline', '--set', 'type=open_ai', 'api_key=none');
  expect(made.code).not.toBe(0);
  expect(made.stderr).toBe(
    'error: nodes that name "offline" ask the stand-in that is built in, never a connection of that name\ncall it otherwise, and name that in the nodes\n',
  );
});
