import { expect, test } from 'vitest';
import type { NodeRun, RowRun } from '../record/node-run.ts';
import type { RunInfo, RunStore } from '../record/run-store.ts';
import { Float } from '../value/float.ts';

const info: RunInfo = {
  id: 'run-1',
  flowPath: 'flows/ask',
  flowName: 'ask',
  flowDigest: 'abc',
  startedAt: 1_000,
  nodes: [
    { name: 'a', kind: 'python' },
    { name: 'mean', kind: 'python', aggregation: true },
  ],
};

const nodeRun = (line: number, node: string, output: NodeRun['output']): NodeRun => ({
  line,
  node,
  kind: 'python',
  status: 'Completed',
  inputs: { query: '個人情報とは' },
  ...(output === undefined ? {} : { output }),
});

const rowRun = (line: number): RowRun => ({
  line,
  status: 'Completed',
  inputs: {},
  outputs: { o: line },
  startedAt: 1,
  durationMs: 2,
});

/** What every run store keeps to. `create` gives an empty store. */
export function runStoreContract(name: string, create: (info: RunInfo) => RunStore): void {
  test(`${name}: records come back in the order they were appended`, async () => {
    await using store = create(info);
    await store.append([nodeRun(0, 'b', 1), nodeRun(0, 'a', new Float(1))]);
    await store.append([nodeRun(0, 'c', null)], rowRun(0));
    expect(store.nodes(0)).toEqual([nodeRun(0, 'b', 1), nodeRun(0, 'a', new Float(1)), nodeRun(0, 'c', null)]);
    expect(store.row(0)).toEqual(rowRun(0));
  });

  test(`${name}: appending the same node of a row again changes nothing`, async () => {
    await using store = create(info);
    await store.append([nodeRun(0, 'a', 'first')]);
    await store.append([nodeRun(0, 'a', 'second')]);
    expect(store.nodes(0)).toEqual([nodeRun(0, 'a', 'first')]);
  });

  test(`${name}: rows come in line order, unknown ones are absent`, async () => {
    await using store = create(info);
    await store.append([], rowRun(3));
    await store.append([], rowRun(1));
    expect([...store.rows()].map(({ line }) => line)).toEqual([1, 3]);
    expect(store.row(2)).toBeUndefined();
    expect(store.nodes(7)).toEqual([]);
  });

  test(`${name}: repetitions of a row are rows of their own`, async () => {
    await using store = create(info);
    await store.append([nodeRun(0, 'a', 'second'), { ...nodeRun(0, 'a', 'first'), repeat: 1 }], {
      ...rowRun(0),
      repeat: 1,
    });
    await store.append([], rowRun(0));
    expect(store.nodes(0, 1)).toEqual([{ ...nodeRun(0, 'a', 'first'), repeat: 1 }]);
    expect(store.nodes(0)).toEqual([nodeRun(0, 'a', 'second')]);
    expect([...store.rows()].map(({ repeat }) => repeat)).toEqual([undefined, 1]);
  });

  test(`${name}: digests tell equal outputs and inputs without reading them`, async () => {
    await using store = create(info);
    const failed: NodeRun = {
      line: 1,
      node: 'a',
      kind: 'python',
      status: 'Failed',
      error: { code: 'E', message: 'm', retryable: false },
    };
    const fingerprint = '0123456789abcdef0123456789abcdef';
    await store.append([failed, { ...nodeRun(0, 'a', [1]), fingerprint }, nodeRun(0, 'b', [1]), nodeRun(0, 'c', [2])]);
    const digests = [...store.digests()];
    expect(digests.map(({ line, repeat, node, status }) => [line, repeat, node, status])).toEqual([
      [0, 0, 'a', 'Completed'],
      [0, 0, 'b', 'Completed'],
      [0, 0, 'c', 'Completed'],
      [1, 0, 'a', 'Failed'],
    ]);
    const [a, b, c, d] = digests;
    expect(a?.fingerprint).toBe(fingerprint);
    expect(b).not.toHaveProperty('fingerprint');
    expect(a?.outputHash).toMatch(/^[0-9a-f]{32}$/);
    expect(b?.outputHash).toBe(a?.outputHash);
    expect(c?.outputHash).not.toBe(a?.outputHash);
    expect(d?.outputHash).not.toBe(a?.outputHash);
    expect(b?.inputsHash).toBe(a?.inputsHash);
    expect(d?.inputsHash).not.toBe(a?.inputsHash);
  });

  test(`${name}: a metric logged again is overwritten`, async () => {
    await using store = create(info);
    await store.appendMetrics({ accuracy: 0.5, count: 3 });
    await store.appendMetrics({ accuracy: Number.NaN });
    expect(store.metrics()).toEqual({ accuracy: Number.NaN, count: 3 });
    expect(store.info).toEqual(info);
  });

  test(`${name}: rows are counted by how they ended`, async () => {
    await using store = create(info);
    expect(store.rowCounts()).toEqual({ Completed: 0, Failed: 0, Canceled: 0 });
    await store.append([], rowRun(0));
    await store.append([], { ...rowRun(0), repeat: 1, status: 'Failed' });
    await store.append([], rowRun(1));
    expect(store.rowCounts()).toEqual({ Completed: 2, Failed: 1, Canceled: 0 });
  });

  test(`${name}: a row that is reopened can end again, what completed in it stays`, async () => {
    await using store = create(info);
    const failed: NodeRun = { line: 0, node: 'b', kind: 'python', status: 'Failed' };
    await store.append([nodeRun(0, 'a', 1), failed], { ...rowRun(0), status: 'Failed' });
    await store.append([nodeRun(1, 'a', 1), nodeRun(0, 'mean', 1)], rowRun(1));
    await store.append([nodeRun(0, 'a', 1)], { ...rowRun(0), repeat: 1, status: 'Failed' });
    await store.appendMetrics({ mean: 1 });
    await store.reopen([{ line: 0 }]);
    expect([store.row(0), store.nodes(0), store.metrics()]).toEqual([undefined, [nodeRun(0, 'a', 1)], {}]);
    expect([...store.rows()].map(({ line, repeat = 0 }) => [line, repeat])).toEqual([
      [0, 1],
      [1, 0],
    ]);
    await store.append([nodeRun(0, 'b', 2)], rowRun(0));
    expect(store.nodes(0)).toEqual([nodeRun(0, 'a', 1), nodeRun(0, 'b', 2)]);
    expect(store.row(0)?.status).toBe('Completed');
  });
}
