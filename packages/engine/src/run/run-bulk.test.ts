import { expect, test } from 'vitest';
import type { DataRow } from '../data/data-row.ts';
import type { NodeType, PreparedNode } from '../node/node-type.ts';
import { allOf } from '../record/batches.ts';
import { createMemoryRunLog } from '../record/memory-run-log.ts';
import type { NodeRun, RowRun } from '../record/node-run.ts';
import type { RunLog } from '../record/run-log.ts';
import { runInfo } from '../testing/run-info.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import { PythonDate } from '../value/python-date.ts';
import { readyFlow } from './made-flow.fixture.ts';
import { type BulkOptions, runBulk } from './run-bulk.ts';
import type { RunnableFlow } from './run-flow.ts';

const info = runInfo();

const flowText = `
inputs:
  n: {type: int}
outputs:
  result: {type: int, reference: "\${triple.output}"}
nodes:
  - {name: double, type: python, source: {type: code, path: double.ts}, inputs: {n: "\${inputs.n}"}}
  - {name: triple, type: python, source: {type: code, path: triple.ts}, inputs: {n: "\${double.output}"}}
  - {name: total, type: python, aggregation: true, source: {type: code, path: total.ts}, inputs: {values: "\${triple.output}"}}
`;

type Body = (inputs: JsonObject, repeat: number) => JsonValue | Promise<JsonValue>;

async function flowOf(bodies: Readonly<Record<string, Body>>): Promise<RunnableFlow> {
  const type: NodeType = {
    name: 'python',
    version: 1,
    effects: 'pure',
    keys: [],
    inspect: () => ({ diagnostics: [], takesAnyInput: true, files: [] }),
    prepare: async ({ name }) => prepared(bodies[name] ?? (() => null)),
  };
  return await readyFlow(flowText, new Map([['python', type]]));
}

function prepared(body: Body): PreparedNode {
  return {
    parametersWithDefault: new Set(),
    run: async (inputs, call) => {
      try {
        return { ok: true, output: await body(inputs, call.repeat ?? 0) };
      } catch (error) {
        return { ok: false, error: { code: 'Error', message: (error as Error).message, retryable: false } };
      }
    },
  };
}

const twice: Body = ({ n }) => Number(n) * 2;
const thrice: Body = ({ n }) => Number(n) * 3;
const sum: Body = ({ values }) => (values as readonly number[]).reduce((total, value) => total + value, 0);
const rowsOf = (...numbers: readonly number[]): readonly DataRow[] =>
  numbers.map((n, line) => ({ line, values: { n } }));
const options: BulkOptions = { runId: 'r', concurrency: 2 };

test('rows run, a failing one and an unreadable one stop no other, aggregation sees the completed ones', async () => {
  const failing: Body = (inputs) => {
    if (inputs['n'] === 4) throw new Error('no four');
    return thrice(inputs, 0);
  };
  const flow = await flowOf({ double: twice, triple: failing, total: sum });
  const store = createMemoryRunLog(info);
  const data: readonly DataRow[] = [...rowsOf(1, 2, 3), { line: 3, problem: 'data.jsonl:4: no JSON' }];
  const result = await runBulk(flow, data, store, options);
  expect(result).toMatchObject({ rows: 4, completed: 2, failed: 2, canceled: 0, stopped: false });
  expect(result.aggregation.map(({ node, output }) => [node, output])).toEqual([['total', 24]]);
  expect(
    (await allOf(store.rows())).map(({ status, outputs, error }) => [status, outputs['result'], error?.message]),
  ).toEqual([
    ['Completed', 6, undefined],
    ['Failed', undefined, 'no four'],
    ['Completed', 18, undefined],
    ['Failed', undefined, 'data.jsonl:4: no JSON'],
  ]);
});

test('as many rows as asked for are in flight, and a row is pulled only when one ended', async () => {
  let ended = 0;
  let pulled = 0;
  let waiting: (() => void)[] = [];
  const inThrees: Body = async (inputs) => {
    expect(pulled - ended).toBeLessThanOrEqual(3);
    await new Promise<void>((release) => {
      waiting.push(release);
      if (waiting.length < 3) return;
      for (const one of waiting) one();
      waiting = [];
    });
    ended += 1;
    return twice(inputs, 0);
  };
  function* rows(): Generator<DataRow> {
    for (const row of rowsOf(...Array.from({ length: 21 }, (_, n) => n))) {
      pulled += 1;
      yield row;
    }
  }
  const flow = await flowOf({ double: inThrees, triple: thrice, total: sum });
  const result = await runBulk(flow, rows(), createMemoryRunLog(info), { ...options, concurrency: 3 });
  expect(result.completed).toBe(21);
});

test('each row runs as often as asked for', async () => {
  const flow = await flowOf({ double: ({ n }, repeat) => Number(n) + repeat, triple: thrice, total: sum });
  const store = createMemoryRunLog(info);
  const result = await runBulk(flow, rowsOf(1, 2), store, { ...options, repeat: 2 });
  expect(result.rows).toBe(4);
  expect(
    (await allOf(store.rows())).map(({ line, repeat, outputs }) => [line, repeat ?? 0, outputs['result']]),
  ).toEqual([
    [0, 0, 3],
    [0, 1, 6],
    [1, 0, 6],
    [1, 1, 9],
  ]);
});

test('a stopped run goes on where it was: rows it holds are skipped, nodes it holds do not run again', async () => {
  const calls: string[] = [];
  const stop = new AbortController();
  const store = createMemoryRunLog(info);
  const counted = (name: string, body: Body): Body => {
    return (inputs, repeat) => {
      calls.push(`${name} ${inputs['n']}`);
      return body(inputs, repeat);
    };
  };
  const flow = await flowOf({ double: counted('double', twice), triple: counted('triple', thrice), total: sum });
  const first = await runBulk(flow, rowsOf(1, 2, 3), store, {
    ...options,
    concurrency: 1,
    stop: stop.signal,
    onEvent: ({ type }) => {
      if (type === 'row-ended') stop.abort();
    },
  });
  expect([first.stopped, first.rows, first.aggregation.length]).toEqual([true, 1, 0]);
  await store.append([{ line: 1, node: 'double', kind: 'python', status: 'Completed', output: 40 }]);
  const second = await runBulk(flow, rowsOf(1, 2, 3), store, { ...options, concurrency: 1 });
  expect(calls).toEqual(['double 1', 'triple 2', 'triple 40', 'double 3', 'triple 6']);
  expect(second).toMatchObject({ rows: 3, completed: 3, stopped: false });
  expect(second.aggregation[0]?.output).toBe(6 + 120 + 18);
});

test('over other data, rows that had not ended begin anew', async () => {
  const store = createMemoryRunLog(info);
  await store.append([{ line: 0, node: 'double', kind: 'python', status: 'Completed', output: 40 }]);
  const flow = await flowOf({ double: twice, triple: thrice, total: sum });
  await runBulk(flow, rowsOf(1), store, { ...options, beginsRowsAnew: true });
  expect((await store.nodes(0)).map(({ node, output }) => [node, output])).toEqual([
    ['double', 2],
    ['triple', 6],
    ['total', 6],
  ]);
});

test('a run that is given up ends its rows in flight, begins no other and goes on where it was', async () => {
  const given = new AbortController();
  const store = createMemoryRunLog(info);
  const hung: Body = (inputs) => {
    if (inputs['n'] !== 2) return twice(inputs, 0);
    queueMicrotask(() => given.abort(new Error('enough')));
    return new Promise(() => {});
  };
  const flow = await flowOf({ double: hung, triple: thrice, total: sum });
  const ended: unknown[] = [];
  const first = await runBulk(flow, rowsOf(1, 2, 3), store, {
    ...options,
    concurrency: 1,
    signal: given.signal,
    onEvent: (event) => {
      if (event.type === 'row-ended') ended.push([event.row.line, event.row.status]);
    },
  });
  expect(ended).toEqual([
    [0, 'Completed'],
    [1, 'Canceled'],
  ]);
  expect(first).toMatchObject({ stopped: true, rows: 1, completed: 1, aggregation: [] });
  const going = await flowOf({ double: twice, triple: thrice, total: sum });
  const signal = new AbortController().signal;
  const second = await runBulk(going, rowsOf(1, 2, 3), store, { ...options, concurrency: 1, signal });
  expect(second).toMatchObject({ rows: 3, completed: 3, stopped: false });
  expect(second.aggregation[0]?.output).toBe(6 + 12 + 18);
});

test('a node whose record would not give its output again is recorded when its row ends', async () => {
  const date = new PythonDate('2024-01-02') as unknown as JsonValue;
  const flow = await flowOf({ double: () => [date], triple: () => 3, total: () => 0 });
  const store = createMemoryRunLog(info);
  const recorded: Promise<number>[] = [];
  await runBulk(flow, rowsOf(1), store, {
    ...options,
    onEvent: ({ type }) => {
      if (type === 'node-started') recorded.push(store.nodes(0).then((nodes) => nodes.length));
    },
  });
  expect(await Promise.all(recorded.slice(0, 2))).toEqual([0, 0]);
  expect(new Set((await store.nodes(0)).map(({ node }) => node))).toEqual(new Set(['double', 'triple', 'total']));
});

test('a row that takes too long fails, and the rest go on', async () => {
  const hung: Body = (inputs) => (inputs['n'] === 1 ? new Promise(() => {}) : twice(inputs, 0));
  const flow = await flowOf({ double: hung, triple: thrice, total: sum });
  const store = createMemoryRunLog(info);
  const result = await runBulk(flow, rowsOf(1, 2), store, { ...options, concurrency: 1, rowTimeoutMs: 20 });
  expect(result).toMatchObject({ completed: 1, failed: 1 });
  expect((await store.row(0))?.error).toMatchObject({
    code: 'LineExecutionTimeoutError',
    message: 'Line 0 execution timeout for exceeding 0.02 seconds',
  });
});

test('a run whose time is over fails its rows in flight, starts no other and does not aggregate', async () => {
  const hung: Body = (inputs) => (inputs['n'] === 2 ? new Promise(() => {}) : twice(inputs, 0));
  const flow = await flowOf({ double: hung, triple: thrice, total: sum });
  const store = createMemoryRunLog(info);
  const result = await runBulk(flow, rowsOf(1, 2, 3), store, { ...options, concurrency: 1, timeoutMs: 500 });
  expect(result).toMatchObject({ completed: 1, failed: 1, rows: 2, stopped: true, timedOut: true, aggregation: [] });
  expect((await store.row(1))?.error).toMatchObject({
    code: 'BatchExecutionTimeoutError',
    message: 'Line 1 execution terminated due to the total batch run exceeding the batch timeout (0.5s).',
  });
  const again = await runBulk(flow, rowsOf(1, 2, 3), store, { ...options, concurrency: 1, timeoutMs: 60_000 });
  expect(again).toMatchObject({ completed: 2, failed: 1, rows: 3, stopped: false, timedOut: false });
});

test('a node over all rows that the time of the run ends, or its caller, is not recorded: the run goes on with it', async () => {
  const never = await flowOf({ double: twice, triple: thrice, total: () => new Promise(() => {}) });
  const store = createMemoryRunLog(info);
  const cut = await runBulk(never, rowsOf(1, 2), store, { ...options, timeoutMs: 200 });
  expect(cut).toMatchObject({ completed: 2, failed: 0, stopped: true, timedOut: true, aggregation: [] });
  const givenUp = new AbortController();
  const onEvent: BulkOptions['onEvent'] = (event) => {
    if (event.type === 'node-started' && event.node === 'total') givenUp.abort();
  };
  const left = await runBulk(never, rowsOf(1, 2), store, { ...options, signal: givenUp.signal, onEvent });
  expect(left).toMatchObject({ stopped: true, timedOut: false, aggregation: [] });
  const flow = await flowOf({ double: twice, triple: thrice, total: sum });
  const again = await runBulk(flow, rowsOf(1, 2), store, options);
  expect(again).toMatchObject({ stopped: false, aggregation: [{ node: 'total', status: 'Completed', output: 18 }] });
});

test('a record that cannot be written any more ends the run with its error', async () => {
  const memory = createMemoryRunLog(info);
  const full = Object.assign(Object.create(memory) as RunLog, {
    append: (nodes: readonly NodeRun[], row?: RowRun) => {
      if (row !== undefined && row.line >= 2) throw new Error('database or disk is full');
      return memory.append(nodes, row);
    },
  });
  let started = 0;
  const flow = await flowOf({
    double: (inputs) => Number(inputs['n']) + 0 * started++,
    triple: () => 3,
    total: () => 0,
  });
  const data = Array.from({ length: 50 }, (_, line): DataRow => ({ line, values: { n: line } }));
  await expect(runBulk(flow, data, full, { runId: 'r', concurrency: 1 })).rejects.toThrow('database or disk is full');
  expect([(await memory.rowCounts()).Completed, started]).toEqual([2, 3]);
});

test('a run that has ended is not aggregated again', async () => {
  const store = createMemoryRunLog(info);
  let totals = 0;
  const flow = await flowOf({ double: () => 2, triple: () => 3, total: () => (totals += 1) });
  const data: readonly DataRow[] = [{ line: 0, values: { n: 1 } }];
  const run = () => runBulk(flow, data, store, { runId: 'r', concurrency: 1 });
  const first = await run();
  const again = await run();
  expect([totals, again.aggregation]).toEqual([1, first.aggregation]);
});

test('rows that answer at once leave room for timers: an interrupt is heard', async () => {
  const flow = await flowOf({ double: () => 2, triple: () => 3, total: () => 0 });
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 1);
  const data = (function* (): Generator<DataRow> {
    for (let line = 0; line < 1e9; line += 1) yield { line, values: { n: line } };
  })();
  const memory = createMemoryRunLog(info);
  const forgetful = Object.assign(Object.create(memory) as RunLog, { append: async () => undefined });
  const { stopped } = await runBulk(flow, data, forgetful, { runId: 'r', concurrency: 4, stop: stop.signal });
  expect(stopped).toBe(true);
});

test('data that cannot be read on ends the run once the rows in flight have ended, and they are recorded', async () => {
  const flow = await flowOf({ double: async (inputs) => twice(inputs, 0), triple: thrice, total: sum });
  const store = createMemoryRunLog(info);
  function* broken(): Generator<DataRow> {
    yield* rowsOf(1, 2);
    throw new Error('the disk went away');
  }
  await expect(runBulk(flow, broken(), store, { ...options, concurrency: 3 })).rejects.toThrow('the disk went away');
  expect(await store.rowCounts()).toEqual({ Completed: 2, Failed: 0, Canceled: 0 });
});

test('rows do not wait for their records to be kept, and row-ended comes when they are', async () => {
  const flow = await flowOf({ double: twice, triple: thrice, total: sum });
  const memory = createMemoryRunLog(info);
  const kept = Promise.withResolvers<void>();
  let recorded = 0;
  const store = Object.assign(Object.create(memory) as RunLog, {
    append: (nodes: readonly NodeRun[], row?: RowRun) => {
      const appended = memory.append(nodes, row);
      if (row === undefined) return appended;
      recorded += 1;
      if (recorded === 3) kept.resolve();
      return kept.promise;
    },
  });
  const seen: string[] = [];
  await runBulk(flow, rowsOf(1, 2, 3), store, {
    ...options,
    concurrency: 1,
    onEvent: (event) => {
      if (event.type === 'row-started') seen.push(`started ${event.line}`);
      if (event.type === 'row-ended') seen.push(`ended ${event.row.line}`);
    },
  });
  expect(seen).toEqual(['started 0', 'started 1', 'started 2', 'ended 0', 'ended 1', 'ended 2']);
});

test('a record that cannot be kept ends the run with its error, told late or at once', async () => {
  const flow = await flowOf({ double: twice, triple: thrice, total: sum });
  for (const late of [true, false]) {
    const full = new Error('the disk is full');
    const append = (): Promise<void> => {
      if (late) return Promise.reject(full);
      throw full;
    };
    const running = runBulk(flow, rowsOf(1, 2, 3, 4), Object.assign(createMemoryRunLog(info), { append }), options);
    await expect(running).rejects.toBe(full);
  }
});

test.for([
  [999, 'Completed'],
  [1000, 'Completed'],
  [1001, 'Failed'],
  [20_000, 'Failed'],
] as const)('a node whose output is %d levels deep: %s', async ([depth, status]) => {
  const nested = (n: JsonValue): JsonValue => {
    let value: JsonValue = n;
    for (let level = 0; level < depth; level += 1) value = [value];
    return n === 1 ? value : n;
  };
  const flow = await flowOf({ double: ({ n = 0 }) => nested(n), triple: () => 7 });
  const store = createMemoryRunLog(info);
  await runBulk(
    flow,
    [
      { line: 0, values: { n: 1 } },
      { line: 1, values: { n: 2 } },
    ],
    store,
    { runId: 'r', concurrency: 1 },
  );
  expect((await allOf(store.rows())).map((row) => row.status)).toEqual([status, 'Completed']);
  const told = `the output of node 'double' is nested deeper than 1000 levels, which is the limit`;
  expect((await store.row(0, 0))?.error?.message).toBe(status === 'Failed' ? told : undefined);
});
