import { expect, test } from 'vitest';
import { createTestWorld } from './testing/test-io.ts';
import { writeFiles } from './testing/write-files.ts';

const flow = 'inputs: {x: {type: string, default: a}}\noutputs: {}\nnodes: []\n';
const runs = 'azureml://subscriptions/s/runs/r';

test.for([
  { argv: ['run', 'azureml:my-flow:1'], says: 'azureml:my-flow:1 is no folder here' },
  { argv: ['run', 'f', '--data', 'azureml:questions:1'], says: 'azureml:questions:1 is no file here' },
  { argv: ['run', 'f', '--data', 'https://example.org/q.jsonl'], says: 'https://example.org/q.jsonl is no file here' },
  { argv: ['run', 'f', '--run', runs], says: `${runs} is no run here` },
  { argv: ['show', runs], says: `${runs} is no run here` },
  { argv: ['run', '--file', 'runs/flow.yaml'], says: 'azureml:my-flow:1 is no folder here' },
  { argv: ['run', '--file', 'runs/data.yaml'], says: 'azureml://datastores/d/paths/q.jsonl is no file here' },
  { argv: ['run', '--file', 'runs/run.yaml'], says: `${runs} is no run here` },
])('$argv tells what to do instead', async ({ argv, says }) => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'f/flow.dag.yaml': flow,
    'runs/flow.yaml': 'flow: azureml:my-flow:1\ndata: q.jsonl\n',
    'runs/data.yaml': 'flow: ../f\ndata: azureml://datastores/d/paths/q.jsonl\n',
    'runs/run.yaml': `flow: ../f\nrun: ${runs}\n`,
  });
  const { code, stderr } = await world.flow(...argv);
  expect(code).toBe(2);
  expect(stderr).toContain(`error: ${says}`);
  expect(stderr).toMatch(/\nDownload it/);
});
