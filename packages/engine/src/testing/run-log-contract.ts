import assert from 'node:assert/strict';
import { allOf, firstOf } from '../record/batches.ts';
import type { NodeRun, RowRun } from '../record/node-run.ts';
import { recordDigest } from '../record/record-digest.ts';
import type { RunInfo } from '../record/run-info.ts';
import type { RunLog } from '../record/run-log.ts';
import type { RowView, RunReader } from '../record/run-reader.ts';
import { Float } from '../value/float.ts';
import type { JsonValue } from '../value/json.ts';
import { isPlainObject } from '../value/plain-object.ts';

/** One thing that is promised. Run under any test runner: it rejects with an AssertionError where the promise is not kept. */
export interface ContractCase {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** How the contract makes logs; what it made it closes. */
export interface RunLogMaker {
  /** An empty log of its own for each call, though all have the same id. */
  readonly create: (info: RunInfo) => RunLog | Promise<RunLog>;
  /** What was appended to a log that is open, as somebody else reads it. */
  readonly open: (log: RunLog) => RunReader | Promise<RunReader>;
}

/** What every implementation of `RunLog` and `RunReader` keeps to. */
export function runLogContract({ create, open }: RunLogMaker): readonly ContractCase[] {
  return Object.entries(casesOf(create, open)).map(([name, run]) => ({ name, run }));
}

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

const casesOf = (
  create: RunLogMaker['create'],
  open: RunLogMaker['open'],
): Readonly<Record<string, () => Promise<void>>> => ({
  'what is durable is read by others while the log is open': async () => {
    await using store = await create(info);
    await store.append([nodeRun(0, 'a', 1)]);
    await store.append([nodeRun(1, 'a', 2)], rowRun(1));
    await store.appendMetrics({ mean: 1.5 });
    await using reader = await open(store);
    same(reader.info, info);
    same([await reader.nodes(0), await reader.nodes(1)], [[nodeRun(0, 'a', 1)], [nodeRun(1, 'a', 2)]]);
    same([await allOf(reader.rows()), await reader.metrics()], [[rowRun(1)], { mean: 1.5 }]);
  },

  'what was appended and is not waited for is read by the log itself': async () => {
    await using store = await create(info);
    const appended = Array.from({ length: 40 }, (_, line) => store.append([nodeRun(line, 'a', line)], rowRun(line)));
    same((await allOf(store.rows())).length, 40);
    same([await store.nodes(39), await store.nextLine()], [[nodeRun(39, 'a', 39)], 40]);
    await Promise.all(appended);
    await store.ensureKept();
  },

  'many rows come in batches, none of them empty, and a reader may leave after the first': async () => {
    await using store = await create(info);
    const lines = Array.from({ length: 300 }, (_, line) => line);
    await Promise.all(lines.map((line) => store.append([nodeRun(line, 'a', line)], rowRun(line))));
    const sizes: number[] = [];
    for await (const batch of store.records()) sizes.push(batch.length);
    same([sizes.every((size) => size > 0), sizes.reduce((sum, size) => sum + size, 0)], [true, 300]);
    assert.ok(sizes.length > 1, 'records with their values do not come all at once');
    for (const batches of [() => store.rows(), () => store.rowEnds(), () => store.digests()]) {
      same((await firstOf<{ readonly line: number }>(batches()))?.line, 0);
      same(
        (await allOf<{ readonly line: number }>(batches())).map(({ line }) => line),
        lines,
      );
    }
  },

  'an empty run has no rows, and every row is new': async () => {
    await using store = await create(info);
    same(
      [await allOf(store.rows()), await store.nodeCounts(), await store.nextLine(), await store.unfinishedCount()],
      [[], [], 0, 0],
    );
  },

  'records come back in the order they were appended': async () => {
    await using store = await create(info);
    await store.append([nodeRun(0, 'b', 1), nodeRun(0, 'a', new Float(1))]);
    await store.append([nodeRun(0, 'c', null)], rowRun(0));
    same(await store.nodes(0), [nodeRun(0, 'b', 1), nodeRun(0, 'a', new Float(1)), nodeRun(0, 'c', null)]);
    same(await store.row(0), rowRun(0));
  },

  'appending the same node of a row again changes nothing': async () => {
    await using store = await create(info);
    await store.append([nodeRun(0, 'a', 'first')]);
    await store.append([nodeRun(0, 'a', 'second')]);
    same(await store.nodes(0), [nodeRun(0, 'a', 'first')]);
  },

  'what is appended again, before a row ends or after, leaves its digests as they were': async () => {
    await using store = await create(info);
    const first = [nodeRun(0, 'a', 'first'), nodeRun(0, 'b', 1)];
    await store.append(first);
    await store.append([nodeRun(0, 'a', 'second')], rowRun(0));
    const digests = first.map(recordDigest);
    same(await allOf(store.digests()), digests);
    await store.append([nodeRun(0, 'b', 2), nodeRun(0, 'a', 'third')], { ...rowRun(0), outputs: { o: 'other' } });
    same(await allOf(store.digests()), digests);
    same([await store.nodes(0), await store.row(0)], [first, rowRun(0)]);
  },

  'rows come in line order, unknown ones are absent': async () => {
    await using store = await create(info);
    await store.append([], rowRun(3));
    await store.append([], rowRun(1));
    same(
      (await allOf(store.rows())).map(({ line }) => line),
      [1, 3],
    );
    same(await store.row(2), undefined);
    same(await store.nodes(7), []);
  },

  'repetitions of a row are rows of their own': async () => {
    await using store = await create(info);
    await store.append([nodeRun(0, 'a', 'second'), { ...nodeRun(0, 'a', 'first'), repeat: 1 }], {
      ...rowRun(0),
      repeat: 1,
    });
    await store.append([], rowRun(0));
    same(await store.nodes(0, 1), [{ ...nodeRun(0, 'a', 'first'), repeat: 1 }]);
    same(await store.nodes(0), [nodeRun(0, 'a', 'second')]);
    same(
      (await allOf(store.rows())).map(({ repeat }) => repeat),
      [undefined, 1],
    );
  },

  'digests tell equal outputs and inputs without reading them': async () => {
    await using store = await create(info);
    const failed: NodeRun = {
      line: 1,
      node: 'a',
      kind: 'python',
      status: 'Failed',
      error: { code: 'E', message: 'm', retryable: false },
    };
    const fingerprint = '0123456789abcdef0123456789abcdef';
    await store.append([failed, { ...nodeRun(0, 'a', [1]), fingerprint }, nodeRun(0, 'b', [1]), nodeRun(0, 'c', [2])]);
    const digests = await allOf(store.digests());
    same(
      digests.map(({ line, repeat, node, status }) => [line, repeat, node, status]),
      [
        [0, 0, 'a', 'Completed'],
        [0, 0, 'b', 'Completed'],
        [0, 0, 'c', 'Completed'],
        [1, 0, 'a', 'Failed'],
      ],
    );
    const [a, b, c, d] = digests;
    same(a?.fingerprint, fingerprint);
    same(b?.fingerprint, undefined);
    assert.match(a?.outputHash ?? '', /^[0-9a-f]{32}$/);
    same(b?.outputHash, a?.outputHash);
    assert.notEqual(c?.outputHash, a?.outputHash);
    assert.notEqual(d?.outputHash, a?.outputHash);
    same(b?.inputsHash, a?.inputsHash);
    assert.notEqual(d?.inputsHash, a?.inputsHash);
  },

  'a metric logged again is overwritten': async () => {
    await using store = await create(info);
    await store.appendMetrics({ accuracy: 0.5, count: 3 });
    await store.appendMetrics({ accuracy: Number.NaN });
    same(await store.metrics(), { accuracy: Number.NaN, count: 3 });
    same(store.info, info);
  },

  'rows are counted by how they ended': async () => {
    await using store = await create(info);
    same(await store.rowCounts(), { Completed: 0, Failed: 0, Canceled: 0 });
    await store.append([], rowRun(0));
    await store.append([], { ...rowRun(0), repeat: 1, status: 'Failed' });
    await store.append([], rowRun(1));
    same(await store.rowCounts(), { Completed: 2, Failed: 1, Canceled: 0 });
  },

  'what a node gets from another comes back whole, a part of it too': async () => {
    await using store = await create(info);
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
    same(await store.nodes(0), [found, asked, told]);
    same(await store.row(0), row);
    same(await allOf(store.rows()), [row]);
  },

  'a record that was there first is what a later one is told beside, not what it refers to': async () => {
    await using store = await create(info);
    const [first, second] = ['first '.repeat(40), 'second '.repeat(40)];
    await store.append([nodeRun(0, 'a', first)], rowRun(0));
    const reader: NodeRun = { ...nodeRun(0, 'b', 1), inputs: { text: second } };
    await store.append([nodeRun(0, 'a', second), reader]);
    same(await store.nodes(0), [nodeRun(0, 'a', first), reader]);
  },

  'a failure is kept with all it tells': async () => {
    await using store = await create(info);
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
    same(await store.nodes(0), [failed, { line: 0, node: 'c', kind: 'python', status: 'NotRun' }]);
    same(await store.row(0), row);
  },

  'each thing that a record may tell is kept where it tells nothing else': async () => {
    await using store = await create(info);
    const told: readonly Partial<NodeRun>[] = [
      { error: { code: 'E', message: 'm', retryable: false } },
      { attempts: [{ waitedMs: 0, durationMs: 1.5, error: { code: 'E', message: 'm', retryable: true } }] },
      { usage: { promptTokens: 1, completionTokens: 2, totalTokens: 3 } },
      { promptMessages: [{ role: 'user', content: '質問' }] },
      { logs: { stdout: 'out', stderr: '' } },
      { warnings: ['w'] },
      { metrics: { m: 1 } },
      { logprobs: { content: [] } },
      { cache: 'hit' },
      { cachedFrom: 'run-0' },
      { oracle: true },
      { notKept: 'it holds a secret' },
      { redacted: ['output'] },
      { beside: { guards: [2] } },
      { changed: { q: 1 } },
      { inexact: 'shown' },
    ];
    const runs = told.map((one, line): NodeRun => ({ ...nodeRun(line, 'a', 1), ...one }));
    for (const [line, run] of runs.entries()) await store.append([run], rowRun(line));
    for (const [line, run] of runs.entries()) same(await store.nodes(line), [run]);
  },

  'what a row needs to go on comes back with a record': async () => {
    await using store = await create(info);
    const asked: NodeRun = {
      ...nodeRun(0, 'a', 'a prompt'),
      beside: { guards: [2, 7] },
      changed: { list: [new Float(1)] },
    };
    const made: NodeRun = { ...nodeRun(0, 'b', [1]), inexact: 'copied' };
    await store.append([asked]);
    await store.append([made], rowRun(0));
    same(await store.nodes(0), [asked, made]);
  },

  'a node that is given one value twice is read as it was': async () => {
    await using store = await create(info);
    const text = 'a text that is long enough to be referred to where it comes again, and not written twice';
    const list = [text, { text }];
    const run: NodeRun = { ...nodeRun(0, 'a', 'x'), inputs: { q: text, again: text, list, same: list } };
    await store.append([run], rowRun(0));
    same(await store.nodes(0), [run]);
  },

  'a record that does not give its output again is taken back with its row': async () => {
    await using store = await create(info);
    const text = 'a text that is long enough to be referred to where it comes again, and not written twice';
    const failed: NodeRun = { line: 0, node: 'b', kind: 'python', status: 'Failed', inputs: { text } };
    const shown: NodeRun = { ...nodeRun(0, 'c', text), inexact: 'shown' };
    await store.append([nodeRun(0, 'a', 1)]);
    await store.append([failed, shown], { ...rowRun(0), status: 'Failed' });
    await store.reopen([{ line: 0 }]);
    same(await store.nodes(0), [nodeRun(0, 'a', 1)]);
    const again: NodeRun = { ...nodeRun(0, 'c', `${text}!`), inexact: 'shown' };
    await store.append([nodeRun(0, 'b', 1), again], rowRun(0));
    same(await store.nodes(0), [nodeRun(0, 'a', 1), nodeRun(0, 'b', 1), again]);
  },

  'what a row keeps does not lean on what is taken back with it': async () => {
    await using store = await create(info);
    const text = 'a text that is long enough to be referred to where it comes again, and not written twice';
    const error = { code: 'E', message: 'm', retryable: false };
    const failed: NodeRun = { line: 0, node: 'b', kind: 'python', status: 'Failed', inputs: { text }, error };
    const beside: NodeRun = { ...nodeRun(0, 'c', 1), inputs: { text } };
    await store.append([failed, beside], { ...rowRun(0), status: 'Failed' });
    await store.reopen([{ line: 0 }]);
    same(await store.nodes(0), [beside]);
  },

  'records are counted by node and how they ended, unfinished rows too': async () => {
    await using store = await create(info);
    const usage = { promptTokens: 2, completionTokens: 3, totalTokens: 5 };
    await store.append([
      { ...nodeRun(4, 'mean', 1), durationMs: 1, usage },
      { ...nodeRun(4, 'a', 1), durationMs: 2, usage },
    ]);
    await store.append([{ ...nodeRun(5, 'a', 1), durationMs: 3, usage }], { ...rowRun(5), unfinished: ['search'] });
    await store.append([{ line: 6, node: 'a', kind: 'python', status: 'Bypassed' }]);
    const counts = { durationMs: 5, promptTokens: 4, completionTokens: 6 };
    same(await store.nodeCounts(), [
      { node: 'a', status: 'Completed', records: 2, ...counts },
      { node: 'a', status: 'Bypassed', records: 1, durationMs: 0, promptTokens: 0, completionTokens: 0 },
      { node: 'mean', status: 'Completed', records: 1, durationMs: 1, promptTokens: 2, completionTokens: 3 },
    ]);
    same([await store.unfinishedCount(), await store.nextLine()], [1, 7]);
  },

  'ends of rows and their nodes, without their values': async () => {
    await using store = await create(info);
    const usage = { promptTokens: 2, completionTokens: 3, totalTokens: 5 };
    const failed: NodeRun = { line: 2, node: 'a', kind: 'python', status: 'Failed', durationMs: 4 };
    await store.append([failed], { ...rowRun(2), status: 'Failed' });
    await store.append([nodeRun(1, 'b', 1)]);
    const called: NodeRun = { ...nodeRun(0, 'a', 1), repeat: 1, durationMs: 7, usage };
    await store.append([called], { ...rowRun(0), repeat: 1, unfinished: ['loop'] });
    await store.append([], rowRun(0));
    const row = { status: 'Completed', startedAt: 1, durationMs: 2, isUnfinished: false, nodes: [] };
    same(await allOf(store.rowEnds()), [
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
  },

  'of rows only what is wanted is read': async () => {
    await using store = await create(info);
    const text = 'a text that is long enough to be referred to where it comes again, and not written twice';
    const usage = { promptTokens: 2, completionTokens: 3, totalTokens: 5 };
    const found: NodeRun = { ...nodeRun(0, 'a', { text, hits: [1] }), durationMs: 7, usage };
    const answer: NodeRun = { ...nodeRun(0, 'b', text), inputs: { text }, cache: 'hit' };
    const error = { code: 'Broken', message: 'it broke', retryable: false };
    await store.append([found, answer], { ...rowRun(0), inputs: { text }, outputs: { o: text } });
    await store.append([{ ...nodeRun(1, 'b', null), repeat: 1 }], { ...rowRun(1), repeat: 1, status: 'Failed', error });
    const end = { startedAt: 1, durationMs: 2, isUnfinished: false };
    same((await allOf(store.readRows({ nodes: ['b', 'none'], ends: ['a'] }))).map(readWhole), [
      {
        line: 0,
        repeat: 0,
        status: 'Completed',
        ...end,
        inputs: { text },
        outputs: { o: text },
        nodes: [{ node: 'a', kind: 'python', status: 'Completed', durationMs: 7, usage }],
        records: [{ node: 'b', status: 'Completed', output: text, cache: 'hit' }],
      },
      {
        line: 1,
        repeat: 1,
        status: 'Failed',
        ...end,
        inputs: {},
        outputs: { o: 1 },
        error,
        nodes: [],
        records: [{ node: 'b', status: 'Completed', output: null }],
      },
    ]);
    const first = await firstOf(store.readRows({ nodes: [] }));
    same([first?.nodes, first?.records.size], [[], 0]);
    same(await store.tokens(), { promptTokens: 2, completionTokens: 3 });
  },

  'outputs that others refer to are read whole, with or without those': async () => {
    await using store = await create(info);
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
      ...rowRun(0),
      inputs: { text },
      outputs,
    });
    for (const nodes of [['a', 'b', 'c'], ['b'], ['c'], []]) {
      const row = await firstOf(store.readRows({ nodes }));
      const expected = nodes.map((node) => [node, node === 'c' ? text : state]);
      same(
        [...(row?.records ?? [])].map(([node, { output }]) => [node, output]),
        expected,
      );
      same([row?.inputs, row?.outputs], [{ text }, outputs]);
    }
    const row = await firstOf(store.readRows({ nodes: ['b'], values: false }));
    same([row?.records.get('b')?.output, row?.inputs, row?.outputs], [state, {}, {}]);
  },

  'rows that are reopened are not there any more, others are': async () => {
    await using store = await create(info);
    for (const line of [0, 1, 2]) {
      await store.append([], { ...rowRun(line), status: line === 1 ? 'Completed' : 'Failed' });
    }
    const ended = await allOf(store.rowEnds());
    await store.reopen(ended.filter(({ status }) => status === 'Failed'));
    same(
      (await allOf(store.rows())).map(({ line }) => line),
      [1],
    );
  },

  'a row that is reopened can end again, what completed in it stays': async () => {
    await using store = await create(info);
    const failed: NodeRun = { line: 0, node: 'b', kind: 'python', status: 'Failed' };
    await store.append([nodeRun(0, 'a', 1), failed], { ...rowRun(0), status: 'Failed' });
    await store.append([nodeRun(1, 'a', 1), nodeRun(0, 'mean', 1)], rowRun(1));
    await store.append([nodeRun(0, 'a', 1)], { ...rowRun(0), repeat: 1, status: 'Failed' });
    await store.appendMetrics({ mean: 1 });
    await store.reopen([{ line: 0 }]);
    same([await store.row(0), await store.nodes(0), await store.metrics()], [undefined, [nodeRun(0, 'a', 1)], {}]);
    same(
      (await allOf(store.rows())).map(({ line, repeat = 0 }) => [line, repeat]),
      [
        [0, 1],
        [1, 0],
      ],
    );
    await store.append([nodeRun(0, 'b', 2)], rowRun(0));
    same(await store.nodes(0), [nodeRun(0, 'a', 1), nodeRun(0, 'b', 2)]);
    same((await store.row(0))?.status, 'Completed');
  },

  'of a row that begins anew nothing stays': async () => {
    await using store = await create(info);
    await store.append([nodeRun(0, 'a', 1)]);
    await store.append([nodeRun(1, 'a', 1)], { ...rowRun(1), status: 'Failed' });
    await store.reopen([0, 1].map((line) => ({ line, isAnew: true })));
    same([await store.nodes(0), await store.nodes(1), await store.row(1)], [[], [], undefined]);
    await store.append([nodeRun(0, 'a', 2)], rowRun(0));
    same([await store.nodes(0), (await store.row(0))?.status], [[nodeRun(0, 'a', 2)], 'Completed']);
  },
});

/** Fields that are there with nothing in them are as good as none. */
function same(actual: unknown, expected: unknown): void {
  assert.deepStrictEqual(withoutUndefined(actual), withoutUndefined(expected));
}

function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (value === null || typeof value !== 'object') return value;
  if (!isPlainObject(value)) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutUndefined(field)]));
}

/** With its records as a list. */
function readWhole({ records, ...row }: RowView): unknown {
  return { ...row, records: [...records.values()] };
}
