import { defaultBulkSettings } from '@unroll/project';
import { expect, test } from 'vitest';
import { runOnEngine } from '../coordinator/run-on-engine.ts';
import { startCutProxy } from '../testing/cut-proxy.ts';
import { doubleFlow, numbers } from '../testing/double-flow.ts';
import { engineWorld } from '../testing/engine-world.ts';
import { startWorker } from '../testing/local-worker.ts';

test.for([
  ['its chunk is read', 'SELECT rows FROM', 'before'],
  ['its chunk is read', 'SELECT rows FROM', 'after'],
  ['it is looked up what is recorded', 'FROM unroll.begun_row', 'before'],
] as const)('the connection is lost while %s: the same worker tries it again', async ([, text, when]) => {
  await using world = await engineWorld();
  const { database, host, folder } = world;
  world.write({ ...doubleFlow, 'n.jsonl': numbers(6) });
  await using proxy = await startCutProxy(world.url);
  // Of a run that goes on, what is recorded is looked up.
  await database.query(
    `ALTER TABLE unroll.run_work ALTER COLUMN attempt SET DEFAULT ${text.includes('begun') ? 2 : 1}`,
  );
  const cut = proxy.cutAt(text, when);
  await using worker = startWorker({ folder, url: proxy.url });
  const bulk = { ...defaultBulkSettings(host), flow: 'double', data: 'n.jsonl', name: 'r' };
  const { result } = await runOnEngine({ bulk, durableNodes: false }, database, host, new AbortController().signal);
  await cut;
  expect(result).toMatchObject({ rows: 6, completed: 5, failed: 1, stopped: false });
  expect(worker.lines.filter((line) => line.includes('is left'))).toEqual([]);
  expect(world.warnings().filter((warning) => warning.includes('went silent'))).toEqual([]);
});
