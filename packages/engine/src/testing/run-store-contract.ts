import { expect, test } from 'vitest';
import type { NodeRun, RowRun } from '../record/node-run.ts';
import { recordDigest } from '../record/record-digest.ts';
import type { RowView, RunInfo, RunStore } from '../record/run-store.ts';
import { Float } from '../value/float.ts';
import type { JsonValue } from '../value/json.ts';

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
  test(`${name}: an empty run has no rows, and every row is new`, async () => {
    await using store = create(info);
    expect([[...store.rows()], store.nodeCounts(), store.nextLine(), store.unfinishedCount()]).toEqual([[], [], 0, 0]);
  });

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

  test(`${name}: what is appended again, before a row ends or after, leaves its digests as they were`, async () => {
    await using store = create(info);
    const first = [nodeRun(0, 'a', 'first'), nodeRun(0, 'b', 1)];
    await store.append(first);
    await store.append([nodeRun(0, 'a', 'second')], rowRun(0));
    const digests = first.map(recordDigest);
    expect([...store.digests()]).toEqual(digests);
    await store.append([nodeRun(0, 'b', 2), nodeRun(0, 'a', 'third')], { ...rowRun(0), outputs: { o: 'other' } });
    expect([...store.digests()]).toEqual(digests);
    expect([store.nodes(0), store.row(0)]).toEqual([first, rowRun(0)]);
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

  test(`${name}: what a node gets from another comes back whole, a part of it too`, async () => {
    await using store = create(info);
    const long = '個人情報の保護に関する法律'.repeat(10);
    const documents = [{ text: long, score: new Float(1) }, { text: `${long}!` }];
    const found: NodeRun = { ...nodeRun(0, 'search', { documents, query: long }), inputs: { query: long } };
    const asked: NodeRun = {
      ...nodeRun(0, 'ask', { answer: long, state: documents }),
      inputs: { documents, first: documents[0] ?? null, title: `${long}!`, k: 3 },
    };
    const told: NodeRun = { ...nodeRun(0, 'tell', documents), inputs: { documents, again: asked.output ?? null } };
    const row: RowRun = { ...rowRun(0), inputs: { query: long }, outputs: { answer: long, documents, last: null } };
    await store.append([found]);
    await store.append([asked, told], row);
    expect(store.nodes(0)).toEqual([found, asked, told]);
    expect(store.row(0)).toEqual(row);
    expect([...store.rows()]).toEqual([row]);
  });

  test(`${name}: a record that was there first is what a later one is told beside, not what it refers to`, async () => {
    await using store = create(info);
    const [first, second] = ['first '.repeat(40), 'second '.repeat(40)];
    await store.append([nodeRun(0, 'a', first)], rowRun(0));
    const reader: NodeRun = { ...nodeRun(0, 'b', 1), inputs: { text: second } };
    await store.append([nodeRun(0, 'a', second), reader]);
    expect(store.nodes(0)).toEqual([nodeRun(0, 'a', first), reader]);
  });

  test(`${name}: a failure is kept with all it tells`, async () => {
    await using store = create(info);
    const failed: NodeRun = {
      ...nodeRun(0, 'a', undefined),
      status: 'Failed',
      startedAt: 1_700_000_000_000.25,
      durationMs: 12.5,
      error: { code: 'E', message: 'm', retryable: false, cause: { code: 'C', message: '因' }, trace: ['f.py:1 in g'] },
      attempts: [
        { waitedMs: 0, durationMs: 1.5, error: { code: 'RateLimitError', message: 'later', retryable: true } },
      ],
      usage: { promptTokens: 10, completionTokens: 5, totalTokens: 16 },
      logs: { stdout: 'out', stderr: '' },
      warnings: ['w'],
      cache: 'miss',
      cachedFrom: 'run-0',
    };
    const row: RowRun = {
      ...rowRun(0),
      status: 'Failed',
      outputs: {},
      error: { ...(failed.error as object as RowRun['error'] & object), node: 'a' },
    };
    await store.append([failed, { line: 0, node: 'c', kind: 'python', status: 'NotRun' }], row);
    expect(store.nodes(0)).toEqual([failed, { line: 0, node: 'c', kind: 'python', status: 'NotRun' }]);
    expect(store.row(0)).toEqual(row);
  });

  test(`${name}: what a row needs to go on comes back with a record`, async () => {
    await using store = create(info);
    const asked: NodeRun = {
      ...nodeRun(0, 'a', 'a prompt'),
      beside: { guards: [2, 7] },
      changed: { list: [new Float(1)] },
    };
    const made: NodeRun = { ...nodeRun(0, 'b', [1]), inexact: 'copied' };
    await store.append([asked]);
    await store.append([made], rowRun(0));
    expect(store.nodes(0)).toEqual([asked, made]);
  });

  test(`${name}: a record that does not give its output again is taken back with its row`, async () => {
    await using store = create(info);
    const text = 'a text that is long enough to be referred to where it comes again, and not written twice';
    const failed: NodeRun = { line: 0, node: 'b', kind: 'python', status: 'Failed', inputs: { text } };
    const shown: NodeRun = { ...nodeRun(0, 'c', text), inexact: 'shown' };
    await store.append([nodeRun(0, 'a', 1)]);
    await store.append([failed, shown], { ...rowRun(0), status: 'Failed' });
    await store.reopen([{ line: 0 }]);
    expect(store.nodes(0)).toEqual([nodeRun(0, 'a', 1)]);
    const again: NodeRun = { ...nodeRun(0, 'c', `${text}!`), inexact: 'shown' };
    await store.append([nodeRun(0, 'b', 1), again], rowRun(0));
    expect(store.nodes(0)).toEqual([nodeRun(0, 'a', 1), nodeRun(0, 'b', 1), again]);
  });

  test(`${name}: records are counted by node and how they ended, unfinished rows too`, async () => {
    await using store = create(info);
    const usage = { promptTokens: 2, completionTokens: 3, totalTokens: 5 };
    await store.append([
      { ...nodeRun(4, 'mean', 1), durationMs: 1, usage },
      { ...nodeRun(4, 'a', 1), durationMs: 2, usage },
    ]);
    await store.append([{ ...nodeRun(5, 'a', 1), durationMs: 3, usage }], { ...rowRun(5), unfinished: ['search'] });
    await store.append([{ line: 6, node: 'a', kind: 'python', status: 'Bypassed' }]);
    const counts = { durationMs: 5, promptTokens: 4, completionTokens: 6 };
    expect(store.nodeCounts()).toEqual([
      { node: 'a', status: 'Completed', records: 2, ...counts },
      { node: 'a', status: 'Bypassed', records: 1, durationMs: 0, promptTokens: 0, completionTokens: 0 },
      { node: 'mean', status: 'Completed', records: 1, durationMs: 1, promptTokens: 2, completionTokens: 3 },
    ]);
    expect([store.unfinishedCount(), store.nextLine()]).toEqual([1, 7]);
  });

  test(`${name}: ends of rows and their nodes, without their values`, async () => {
    await using store = create(info);
    const usage = { promptTokens: 2, completionTokens: 3, totalTokens: 5 };
    const failed: NodeRun = { line: 2, node: 'a', kind: 'python', status: 'Failed', durationMs: 4 };
    await store.append([failed], { ...rowRun(2), status: 'Failed' });
    await store.append([nodeRun(1, 'b', 1)]);
    const called: NodeRun = { ...nodeRun(0, 'a', 1), repeat: 1, durationMs: 7, usage };
    await store.append([called], { ...rowRun(0), repeat: 1, unfinished: ['loop'] });
    await store.append([], rowRun(0));
    const row = { status: 'Completed', startedAt: 1, durationMs: 2, isUnfinished: false, nodes: [] };
    expect([...store.rowEnds()]).toEqual([
      { ...row, line: 0, repeat: 0 },
      {
        ...row,
        line: 0,
        repeat: 1,
        isUnfinished: true,
        nodes: [{ node: 'a', kind: 'python', status: 'Completed', durationMs: 7, usage }],
      },
      {
        ...row,
        line: 2,
        repeat: 0,
        status: 'Failed',
        nodes: [{ node: 'a', kind: 'python', status: 'Failed', durationMs: 4 }],
      },
    ]);
  });

  test(`${name}: of rows only what is wanted is read`, async () => {
    await using store = create(info);
    const text = 'a text that is long enough to be referred to where it comes again, and not written twice';
    const usage = { promptTokens: 2, completionTokens: 3, totalTokens: 5 };
    const found: NodeRun = { ...nodeRun(0, 'a', { text, hits: [1] }), durationMs: 7, usage };
    const answer: NodeRun = { ...nodeRun(0, 'b', text), inputs: { text }, cache: 'hit' };
    const error = { code: 'Broken', message: 'it broke', retryable: false };
    await store.append([found, answer], { ...rowRun(0), inputs: { text }, outputs: { o: text } });
    await store.append([{ ...nodeRun(1, 'b', null), repeat: 1 }], { ...rowRun(1), repeat: 1, status: 'Failed', error });
    const end = { startedAt: 1, durationMs: 2, isUnfinished: false };
    expect([...store.readRows({ nodes: ['b', 'none'], ends: ['a'] })].map(readWhole)).toEqual([
      {
        ...{ line: 0, repeat: 0, status: 'Completed', ...end, inputs: { text }, outputs: { o: text } },
        nodes: [{ node: 'a', kind: 'python', status: 'Completed', durationMs: 7, usage }],
        records: [{ node: 'b', status: 'Completed', output: text, cache: 'hit' }],
      },
      {
        ...{ line: 1, repeat: 1, status: 'Failed', ...end, inputs: {}, outputs: { o: 1 }, error, nodes: [] },
        records: [{ node: 'b', status: 'Completed', output: null }],
      },
    ]);
    const [first] = store.readRows({ nodes: [] });
    expect([first?.nodes, first?.records.size]).toEqual([[], 0]);
    expect(store.tokens()).toEqual({ promptTokens: 2, completionTokens: 3 });
  });

  test(`${name}: outputs that others refer to are read whole, with or without those`, async () => {
    await using store = create(info);
    const text = 'a text that is long enough to be referred to where it comes again, and not written twice';
    const hits = [
      { id: 1, text },
      { id: new Float(2), text: `${text}!`, キー: [null, '"\\'] },
    ];
    const state = { finished: false, hits, json: '{"a": 1}' };
    const found: NodeRun = { ...nodeRun(0, 'a', state), inputs: { text, state } };
    const later: NodeRun = { ...nodeRun(0, 'b', state), inputs: { state, hits } };
    const outputs = { hits, text, two: hits[1] as JsonValue, none: null };
    await store.append([found, later, { ...nodeRun(0, 'c', text), inputs: { hits } }], {
      ...{ ...rowRun(0), inputs: { text } },
      outputs,
    });
    for (const nodes of [['a', 'b', 'c'], ['b'], ['c'], []]) {
      const [row] = store.readRows({ nodes });
      const expected = nodes.map((node) => [node, node === 'c' ? text : state]);
      expect([...(row?.records ?? [])].map(([node, { output }]) => [node, output])).toEqual(expected);
      expect([row?.inputs, row?.outputs]).toEqual([{ text }, outputs]);
    }
    const [row] = store.readRows({ nodes: ['b'], values: false });
    expect([row?.records.get('b')?.output, row?.inputs, row?.outputs]).toEqual([state, {}, {}]);
  });

  test(`${name}: the rows to reopen may be read from the store itself, one by one`, async () => {
    await using store = create(info);
    for (const line of [0, 1, 2]) {
      await store.append([], { ...rowRun(line), status: line === 1 ? 'Completed' : 'Failed' });
    }
    const failed = function* (): Generator<{ readonly line: number }> {
      for (const { line, status } of [...store.rowEnds()]) if (status === 'Failed') yield { line };
    };
    await store.reopen(failed());
    expect([...store.rows()].map(({ line }) => line)).toEqual([1]);
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

/** With its records as a list. */
function readWhole({ records, ...row }: RowView): unknown {
  return { ...row, records: [...records.values()] };
}
