import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteRunReader } from '@unroll/engine';
import { freshEngine, storeRun } from '@unroll/queue/testing';
import { expect, test } from 'vitest';
import { createTestWorld, type Said, type TestWorld } from '../../testing/test-io.ts';

const repository = join(import.meta.dirname, '../../../../..');

interface Sample {
  readonly flow: string;
  /** Of which something is asked. */
  readonly node: string;
  /** A flow whose turns are events of Bedrock. */
  readonly isTraced?: boolean;
}

const samples: readonly Sample[] = [
  { flow: 'privacy-agent', node: 'agent[*]' },
  { flow: 'tool-agent', node: 'format_input' },
  { flow: 'bedrock-agent', node: 'agent[*]', isTraced: true },
  { flow: 'toolgen-agent', node: 'start' },
  { flow: 'user-programs', node: 'operator' },
];

const commandsOf = ({ flow, node, isTraced = false }: Sample): readonly (readonly string[])[] => [
  ['show', 'one'],
  ['show', 'one', '--json'],
  ['show', 'one', '--row', '1'],
  ['show', 'one', '--row', '1', '--json'],
  ['show', 'one', '--node', node],
  ['show', 'on', '--row', '7'],
  ['why', 'two', '--against', 'one', '--row', '1'],
  ['why', 'two', '--against', 'one', '--json'],
  ['diff', 'one', 'two'],
  ['diff', 'one', 'two', '--json'],
  ['diff'],
  ['export', 'latest', '--format', 'csv'],
  ['export', 'one', '--nodes'],
  ['graph', join('flows', flow), '--run', 'one'],
  ['eval', join('evals', flow), '--run', 'one'],
  ['eval', join('evals', flow), '--run', 'one', '--against', 'two', '--json'],
  ['gate', join('evals', flow), '--run', 'two', '--json'],
  ...(isTraced ? [['trace', 'one', '--row', '1']] : []),
];

/** Where the record is, is all that may be told otherwise. */
function withoutPlace({ code, stdout, stderr }: Said): Said {
  const plain = (text: string): string =>
    text.replaceAll(/postgres:\/\/\S+?#(one|two)\b|pulled\/(one|two)\.run/g, 'RECORD');
  return { code, stdout: plain(stdout), stderr: plain(stderr) };
}

function sampleWorld({ flow }: Sample): TestWorld {
  const world = createTestWorld();
  for (const folder of ['flows', 'evals']) {
    cpSync(join(repository, folder, flow), join(world.folder, folder, flow), {
      recursive: true,
      filter: (path) => !/(?:^|\/)(?:\.flow|__pycache__)(?:\/|$)/.test(path.slice(repository.length)),
    });
  }
  return world;
}

test.for(samples)(
  '$flow: every command says of runs of an engine what it says of their files',
  {
    timeout: 280_000,
  },
  async (sample) => {
    using world = sampleWorld(sample);
    await using engine = await freshEngine();
    const { folder } = world;
    const data = join('flows', sample.flow, 'data.jsonl');
    for (const [name, rows] of [
      ['one', '0-2'],
      ['two', '1-3'],
    ] as const) {
      const made = await world.flow('run', join('flows', sample.flow), '--data', data, '--rows', rows, '--name', name);
      expect(made.stderr).not.toContain('error');
      await using run = openSqliteRunReader(join(folder, '.flow/runs', `${name}.run`));
      await storeRun(run, engine.database);
    }
    const inFolder = (environment: Readonly<Record<string, string>>): TestWorld =>
      createTestWorld({ folder, environment });
    using here = inFolder({ FLOW_RUNS: 'pulled' });
    using there = inFolder({ FLOW_RUNS: 'none', FLOW_ENGINE: engine.url });
    for (const name of ['one', 'two']) {
      expect(await here.flow('pull', name, '--engine', engine.url)).toMatchObject({ code: 0 });
    }
    for (const command of commandsOf(sample)) {
      const [fromFile, fromEngine] = [await here.flow(...command), await there.flow(...command)];
      const told = withoutPlace(fromEngine);
      expect([command, told]).toEqual([command, withoutPlace(fromFile)]);
      expect([command, told.stdout + told.stderr]).not.toEqual([command, '']);
    }
  },
);
