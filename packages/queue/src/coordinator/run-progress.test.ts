import { tmpdir } from 'node:os';
import { createMemoryRunLog } from '@unroll/engine';
import { runInfo } from '@unroll/engine/testing';
import { defaultBulkSettings, type ProgressView } from '@unroll/project';
import { expect, test } from 'vitest';
import { openDatabase } from '../database/open-database.ts';
import { openRunReader } from '../record/postgres-run-reader.ts';
import { type EngineWorld, engineWorld, testHost } from '../testing/engine-world.ts';
import { type Gate, gatedFlow, startGate } from '../testing/gate-server.ts';
import { numbers } from '../testing/index.ts';
import { startWorker } from '../testing/local-worker.ts';
import type { KnownWorker } from '../work/index.ts';
import { attachRun } from './attach-run.ts';
import { detachOnEngine } from './run-on-engine.ts';
import { RunProgress } from './run-progress.ts';

const worker = (name: string, doing: KnownWorker['doing']): KnownWorker => ({
  ...{ name, host: 'h', process: 1, version: '0', silentMs: 0, doing, lacks: {} },
  works: Object.fromEntries(Object.keys(doing).map((run) => [run, 2])),
});

test('nodes in flight are those of all workers, the instances of a loop as one; paces those of connections that the run calls', async () => {
  const turn = { kind: 'llm', loop: 'search', family: 'agent' };
  const nodes = [
    { name: 'begin', kind: 'python' },
    { ...turn, name: 'agent_1', iteration: 1 },
    { ...turn, name: 'agent_2', iteration: 2 },
  ];
  const info = runInfo({ nodes });
  await using log = createMemoryRunLog(info);
  const progress = new RunProgress(
    info,
    log,
    0,
    testHost(tmpdir(), () => undefined),
  );
  const seen = [
    worker('one', { r: { nodes: { agent_1: 2, agent_2: 1 }, connections: ['azure'] } }),
    worker('two', {
      r: { nodes: { begin: 1, agent_2: 1 }, connections: ['azure', 'judge'] },
      other: { nodes: { begin: 7 }, connections: ['theirs'] },
    }),
  ];
  const paces = ['azure', 'theirs'].map((connection) => ({ connection, waitMs: 12_000 }));
  progress.workersSeen(seen, paces);
  const { groups, paces: told, rows, workers } = progress.view(1000);
  expect(groups.flatMap((group) => (group.kind === 'loop' ? [] : [[group.name, group.inFlight]]))).toEqual([
    ['begin', 1],
    ['agent', 4],
  ]);
  expect([told, rows.inFlight, workers]).toEqual([
    [{ connection: 'azure', waitMs: 12_000 }],
    4,
    [
      { name: 'one', rows: 2 },
      { name: 'two', rows: 2 },
    ],
  ]);
  progress.workersSeen([], []);
  expect(progress.view(2000)).not.toHaveProperty('paces');
});

async function heldRun(world: EngineWorld, gate: Gate): Promise<void> {
  const files = Object.entries(gatedFlow).map(([path, text]) => [path, text.replace('${process.env.GATE}', gate.url)]);
  world.write({ ...Object.fromEntries(files), 'n.jsonl': numbers(3) });
  const bulk = { ...defaultBulkSettings(world.host), flow: 'gated', data: 'n.jsonl', name: 'r' };
  await detachOnEngine({ bulk, durableNodes: false }, world.database, world.host);
}

test('who attaches to a run where the server takes no writes sees how it stands, and is told of it once', async () => {
  await using world = await engineWorld();
  await using gate = await startGate();
  await heldRun(world, gate);
  await using _worker = startWorker(world, { name: 'one' });
  gate.letThrough(1);
  await using reader = await openRunReader(world.database, 'r');
  await expect.poll(() => reader.rowCounts(), { timeout: 60_000 }).toMatchObject({ Completed: 1 });
  await using standby = await openDatabase(`${world.url}?options=-c%20default_transaction_read_only%3Don`);
  const leave = new AbortController();
  const attached = attachRun('r', standby, world.host, leave.signal);
  const rows = () => world.events.filter(({ type }) => type === 'row-ended').length;
  await expect.poll(rows, { timeout: 20_000 }).toBe(1);
  leave.abort();
  expect(await attached).toBeUndefined();
  expect(world.warnings()).toContainEqual(expect.stringContaining('takes no writes'));
  gate.open();
});

test('who attaches to a run sees which nodes are in flight', { timeout: 120_000 }, async () => {
  await using world = await engineWorld();
  await using gate = await startGate();
  await heldRun(world, gate);
  await using _worker = startWorker(world, { name: 'one' });
  await gate.whenAsked(3);
  const attached = attachRun('r', world.database, world.host, new AbortController().signal);
  const view = (): ProgressView | undefined =>
    world.events
      .flatMap((event) => (event.type === 'run-started' && event.kind === 'dataset' ? [event] : []))
      .at(-1)
      ?.progress();
  const atWork = () => view()?.groups.flatMap((group) => (group.kind === 'loop' ? [] : [[group.name, group.inFlight]]));
  await expect.poll(atWork, { timeout: 60_000 }).toEqual([
    ['ask', 3],
    ['add', 0],
    ['total', 0],
  ]);
  gate.open();
  expect(await attached).toMatchObject({ status: 'Completed' });
  expect(atWork()?.map(([, inFlight]) => inFlight)).toEqual([0, 0, 0]);
});
