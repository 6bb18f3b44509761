import { allOf } from '@unroll/engine';
import { defaultBulkSettings } from '@unroll/project';
import { expect, test } from 'vitest';
import { doubleFlow, numbers } from '../testing/double-flow.ts';
import { type EngineWorld, engineWorld } from '../testing/engine-world.ts';
import { startWorker } from '../testing/local-worker.ts';
import { runOnEngine } from './run-on-engine.ts';

const never = new AbortController().signal;

function bulk(world: EngineWorld, flow: string, data: string, name: string) {
  const settings = { ...defaultBulkSettings(world.host), flow, data, name };
  return { bulk: settings, durableNodes: false };
}

async function rowsOf({ project }: EngineWorld, run: string): Promise<readonly string[]> {
  await using store = await project.runs.open(run);
  const rows = await allOf(store.rows());
  return rows.map(({ line, status, inputs, outputs, error }) =>
    JSON.stringify({ line, status, inputs, outputs, error }),
  );
}

test('one worker, one run: the same rows, outputs, metrics and failures as in process', async () => {
  await using world = await engineWorld();
  world.write({ ...doubleFlow, 'n.jsonl': numbers(60) });
  await using _worker = startWorker(world);
  const outcome = await runOnEngine(bulk(world, 'double', 'n.jsonl', 'there'), world.database, world.host, never);
  const here = await world.project.runDataset('double', { data: 'n.jsonl', name: 'here' }).result;
  expect(await rowsOf(world, 'there')).toEqual(await rowsOf(world, 'here'));
  expect(outcome.result).toMatchObject({ rows: 60, completed: 59, failed: 1, stopped: false, metrics: here.metrics });
  expect(outcome.view.failures).toEqual(here.view.failures);
  expect(await world.project.diff('here', 'there')).toMatchObject({ isSame: true });
});
