import { join } from 'node:path';
import { openSqliteRunReader } from '@unroll/engine';
import { doubleFlow, freshEngine, numbers, storeRun } from '@unroll/queue/testing';
import { expect, test } from 'vitest';
import { createTestWorld, type TestWorld } from '../../testing/test-io.ts';
import { writeFiles } from '../../testing/write-files.ts';

/** Runs `both` and `here` in the folder with two rows, `both` and `there` at the engine with one. */
async function twoPlaces() {
  const engine = await freshEngine();
  const world = createTestWorld();
  writeFiles(world.folder, { ...doubleFlow, 'n.jsonl': numbers(2) });
  const run = async (name: string, rows: string, folder: string): Promise<void> => {
    const argv = ['run', 'double', '--data', 'n.jsonl', '--rows', rows, '--name', name, '--runs-dir', folder, '--json'];
    expect((await world.flow(...argv)).code).toBe(0);
  };
  for (const name of ['both', 'here']) await run(name, '0-1', '.flow/runs');
  for (const name of ['there', 'both']) {
    await run(name, '0', 'elsewhere');
    await using made = openSqliteRunReader(join(world.folder, 'elsewhere', `${name}.run`));
    await storeRun(made, engine.database);
  }
  const withVariable = (address: string): TestWorld =>
    createTestWorld({ folder: world.folder, environment: { FLOW_ENGINE: address } });
  return {
    url: engine.url,
    shown: engine.database.shown,
    ...{ world, withVariable },
    async [Symbol.asyncDispose]() {
      world[Symbol.dispose]();
      await engine[Symbol.asyncDispose]();
    },
  };
}

test('which run a name means, where an engine keeps runs too', { timeout: 120_000 }, async () => {
  await using places = await twoPlaces();
  const { url, shown } = places;
  using world = places.withVariable(url);
  const shows = async (...argv: readonly string[]): Promise<unknown> => {
    const { code, stdout, stderr } = await world.flow('show', ...argv, '--json');
    return code === 2 ? stderr : [JSON.parse(stdout).run_id, JSON.parse(stdout).rows.completed];
  };
  expect({
    'of both, with FLOW_ENGINE': await shows('both'),
    'of both, with --engine': await shows('both', '--engine', url),
    'at the engine alone': await shows('there'),
    'the start of its name': await shows('the'),
    'here alone, with --engine': await shows('here', '--engine', url),
    'the newest, with FLOW_ENGINE': await shows('latest'),
    'the newest, with --engine': await shows('latest', '--engine', url),
    'the newest where none is here': await shows('--runs-dir', 'none'),
    'by its place': await shows(`${shown}#there`),
    nowhere: await shows('thee'),
  }).toEqual({
    'of both, with FLOW_ENGINE': ['both', 2],
    'of both, with --engine': ['both', 1],
    'at the engine alone': ['there', 1],
    'the start of its name': ['there', 1],
    'here alone, with --engine': ['here', 2],
    'the newest, with FLOW_ENGINE': ['here', 2],
    'the newest, with --engine': ['both', 1],
    'the newest where none is here': ['both', 1],
    'by its place': ['there', 1],
    nowhere: `error: there is no run thee here, nor at ${shown}\ndid you mean "there"? flow runs lists those here, flow runs --engine those there.\n`,
  });
  const next = (await world.flow('show', 'there', '--engine', url)).stdout;
  expect(next).toContain(`flow show there --engine ${shown} --row 0`);
});

test.for(['attach', 'stop', 'pull'])('flow %s tells which runs there are', { timeout: 60_000 }, async (command) => {
  await using places = await twoPlaces();
  const { shown, url } = places;
  using world = places.withVariable(url);
  const lists = 'flow runs --engine lists them.';
  expect(await world.flow(command, 'nope')).toEqual({
    code: 2,
    stdout: '',
    stderr: `error: there is no run nope at ${shown}\n${lists}\n`,
  });
  expect((await world.flow(command, 'bothh')).stderr).toContain(`did you mean "both"? ${lists}`);
});

test('an engine that is not reached is in nobody’s way who asks for a run that is here', {
  timeout: 60_000,
}, async () => {
  await using places = await twoPlaces();
  using world = places.withVariable('postgres://nobody@127.0.0.1:1/flows');
  expect(await world.flow('show', 'both', '--json')).toMatchObject({ code: 0, stderr: '' });
  const { code, stderr } = await world.flow('show', 'there');
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining(
      'error: there is no run there, and there is no PostgreSQL at postgres://nobody@127.0.0.1:1/flows',
    ),
  ]);
  const wanted = await world.flow('eval', 'some', '--engine', places.url);
  expect([wanted.code, wanted.stderr]).toEqual([2, expect.stringContaining('--engine says where a run is kept')]);
});

test('runs of an engine are listed and removed as those of the folder', { timeout: 60_000 }, async () => {
  await using places = await twoPlaces();
  const { world, url, shown } = places;
  const lines = async (...argv: readonly string[]): Promise<readonly { readonly id: string }[]> =>
    JSON.parse((await world.flow('runs', '--json', ...argv)).stdout);
  const byId = (runs: readonly { readonly id: string }[]) =>
    runs.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  expect(byId(await lines('--engine', url))).toEqual(byId(await lines('--runs-dir', 'elsewhere')));
  expect(await world.flow('runs', 'rm', 'both', 'there', '--engine', url)).toEqual({
    ...{ code: 0, stderr: '' },
    stdout: 'removed both\nremoved there\n',
  });
  expect((await world.flow('runs', '--engine', url)).stdout).toContain(`no runs at ${shown} yet`);
  expect((await lines()).length).toBe(2);
});
