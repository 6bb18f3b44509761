import { expect, test } from 'vitest';
import { bulkWorld, callsOf } from '../testing/bulk-flow.ts';

const engine = ['--engine', 'postgres://ada@127.0.0.1:9/flows'];
const overData = ['run', 'double', '--data', 'n.jsonl'];
const one = ['run', 'double', '--input', 'n=1'];

/** What an option asks for that means nothing to this run is said, not passed over: before anything runs, all at once. */
test.for([
  {
    argv: [...one, ...engine, '--detach'],
    says: [
      '--engine is for a run over data on workers: --data, and --engine or FLOW_ENGINE',
      '--detach is for a run over data on workers: --data, and --engine or FLOW_ENGINE',
    ],
  },
  {
    argv: [...one, '--concurrency', '4', '--quiet', '--sample', '2'],
    says: [
      '--sample is for a new run over data: --data or --run',
      '--concurrency is for a run over data: --data or --run',
      '--quiet is for a run over data: --data or --run',
    ],
  },
  { argv: [...one, '--from', 'r'], says: ['--from is for one node: --node'] },
  { argv: [...one, '--force'], says: ['--force is for a run that goes on in process: --resume'] },
  { argv: ['run', 'double', '--node', 'add', ...engine], says: ['--engine is for a run over data on workers'] },
  { argv: [...overData, '--durable-nodes'], says: ['--durable-nodes is for a run over data on workers'] },
  {
    argv: [...overData, '--node', 'add'],
    says: ['--node is for one row, and --data, --run and --resume are for many'],
  },
  {
    argv: ['run', '--resume', 'r', '--name', 's', '--sample', '2'],
    says: ['--sample is for a new run over data', '--name is for a run that begins, without --resume'],
  },
  {
    argv: ['run', '--resume', 'r', ...engine, '--env', 'A=1', '--no-cache'],
    says: [
      '--env is for',
      '--no-cache is for a run in process, or one that begins: on workers a run goes on as it was begun',
    ],
  },
])('flow $argv is refused', async ({ argv, says }) => {
  using world = bulkWorld();
  const { code, stdout, stderr } = await world.flow(...argv);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  const told = stderr.split('\n').filter((line) => line.includes(' is for '));
  expect(told).toEqual(says.map((text) => expect.stringContaining(text)));
  expect(callsOf(world.folder)).toEqual([]);
});

test('an engine of the environment says nothing of one row: it runs here', async () => {
  using world = bulkWorld({ environment: { FLOW_ENGINE: 'postgres://ada@127.0.0.1:9/flows' } });
  expect(await world.flow(...one)).toMatchObject({ code: 0, stderr: '' });
});
