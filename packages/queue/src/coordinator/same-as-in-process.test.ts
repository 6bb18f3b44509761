import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { allOf, type NodeRun, type RowRecords } from '@unroll/engine';
import { defaultBulkSettings } from '@unroll/project';
import { expect, test } from 'vitest';
import { doubleFlow, numbers } from '../testing/double-flow.ts';
import { type EngineWorld, engineWorld } from '../testing/engine-world.ts';
import { startWorker } from '../testing/local-worker.ts';
import { runOnEngine } from './run-on-engine.ts';

const repository = join(import.meta.dirname, '../../../..');

const pythonFlow = {
  'mean/flow.dag.yaml': `inputs:
  n: {type: int}
outputs:
  half: {type: double, reference: "\${half.output}"}
nodes:
  - {name: half, type: python, source: {type: code, path: half.py}, inputs: {n: "\${inputs.n}"}}
  - {name: mean, type: python, aggregation: true, source: {type: code, path: mean.py}, inputs: {halves: "\${half.output}"}}
`,
  'mean/half.py':
    'from promptflow.core import tool\n\n\n@tool\ndef half(n: int) -> float:\n    print("halves", n)\n    return n / 2\n',
  'mean/mean.py':
    'from promptflow.core import log_metric, tool\n\n\n@tool\ndef mean(halves: list) -> float:\n    log_metric("count", len(halves))\n    return sum(halves) / len(halves)\n',
};

/** Texts with what PostgreSQL's own texts do not hold, a NUL and halves of pairs, wherever a flow may put some. */
const oddFlow = {
  'odd/flow.dag.yaml': `inputs:
  n: {type: int}
outputs:
  o: {type: string, reference: "\${odd.output}"}
nodes:
  - {name: odd, type: python, source: {type: code, path: odd.ts}, inputs: {n: "\${inputs.n}"}}
  - {name: count, type: python, aggregation: true, source: {type: code, path: count.ts}, inputs: {all: "\${odd.output}"}}
`,
  'odd/odd.ts': String.raw`export function odd({ n }: { n: number }, { environment }: { environment: Record<string, string> }) {
  if (n === 3) throw new Error('no \u0000 \ud800 \u001a0000');
  return 'a\u0000\ud800' + n + (environment['X\u0000\udc00\u001ay'] ?? '\u001a0000');
}
`,
  'odd/count.ts': String.raw`export function count({ all }: { all: string[] }, { logMetric }: { logMetric: (name: string, value: number) => void }) {
  logMetric('count\u0000\ud800 \u001a0000 数', all.length);
  return all.length;
}
`,
};

/** Of a record, all but when and how long. */
function lasting({ startedAt: _at, durationMs: _took, attempts, ...run }: NodeRun): unknown {
  return { ...run, attempts: attempts?.length };
}

async function recordsOf({ project }: EngineWorld, run: string): Promise<readonly unknown[]> {
  await using store = await project.runs.open(run);
  const records: readonly RowRecords[] = await allOf(store.records());
  return records.map(({ row: { startedAt: _at, durationMs: _took, ...row }, nodes }) => {
    return { row, nodes: nodes.map(lasting).sort(byNode) };
  });
}

/** Nodes that run beside each other end in any order. */
function byNode(one: unknown, other: unknown): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
}

const sample = (name: string, file = 'flow.dag.yaml') => ({
  flow: `flows/${name}/${file}`,
  data: `flows/${name}/data.jsonl`,
  write: (world: EngineWorld) =>
    cpSync(join(repository, 'flows', name), join(world.folder, 'flows', name), {
      recursive: true,
      filter: (path) => !/(?:^|\/)(?:\.flow|__pycache__)(?:\/|$)/.test(path.slice(repository.length)),
    }),
});

const made = (name: string, files: Readonly<Record<string, string>>) => ({
  flow: name,
  data: 'n.jsonl',
  write: (world: EngineWorld) => world.write({ ...files, 'n.jsonl': numbers(12) }),
});

test.for([
  sample('privacy-agent'),
  sample('privacy-agent', 'flow.python.dag.yaml'),
  sample('tool-agent'),
  made('double', doubleFlow),
  made('mean', pythonFlow),
  made('odd', oddFlow),
])('$flow: records on two workers equal those in process', { timeout: 120_000 }, async ({ flow, data, write }) => {
  await using world = await engineWorld();
  write(world);
  await using _one = startWorker(world, { name: 'one' });
  await using _two = startWorker(world, { name: 'two' });
  const bulk = { ...defaultBulkSettings(world.host), flow, data, name: 'there' };
  const there = await runOnEngine({ bulk, durableNodes: true }, world.database, world.host, AbortSignal.any([]));
  const here = await world.project.runDataset(flow, { data, name: 'here' }).result;
  expect(await recordsOf(world, 'there')).toEqual(await recordsOf(world, 'here'));
  expect([there.result.metrics, there.status, there.view.rows]).toEqual([
    here.result.metrics,
    here.status,
    here.view.rows,
  ]);
  expect(await world.project.diff('here', 'there')).toMatchObject({ isSame: true });
});
