import { expect, test } from 'vitest';
import type { NodeOutcome, PreparedNode } from '../node/node-type.ts';
import { rowAlone } from '../node/row-scope.ts';
import { earlierRun } from '../record/earlier-run.ts';
import { createMemoryRunLog } from '../record/memory-run-log.ts';
import type { NodeRun } from '../record/node-run.ts';
import { runInfo } from '../testing/run-info.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import { isReusable, standingIn, withCache } from './with-cache.ts';
import { withErrorFeedback } from './with-error-feedback.ts';

class Handle {
  toJSON(): string {
    return '<object>';
  }
}

const handle = new Handle() as unknown as JsonValue;

/** Runs a node as a run would, and gives its record. */
async function record(
  node: PreparedNode,
  inputs: JsonObject,
  place: { line?: number; repeat?: number; node?: string } = {},
) {
  const { line = 0, repeat = 0, node: name = 'n' } = place;
  const signal = new AbortController().signal;
  const outcome = await node.run(inputs, {
    runId: 'r',
    line,
    repeat,
    node: name,
    signal,
    flowInputs: {},
    row: rowAlone(),
  });
  const shared = { line, ...(repeat === 0 ? {} : { repeat }), node: name, kind: 'python', inputs, ...outcome.report };
  const run: NodeRun = outcome.ok
    ? { ...shared, status: 'Completed', output: outcome.output }
    : { ...shared, status: 'Failed', error: outcome.error };
  return run;
}

function nodeGiving(give: (inputs: JsonObject) => NodeOutcome): PreparedNode {
  return { parametersWithDefault: new Set(), run: (inputs) => give(inputs) };
}

const echo = nodeGiving((inputs) => ({
  ok: true,
  output: { got: inputs['x'] ?? null },
  report: { usage: { promptTokens: 1, completionTokens: 1, totalTokens: 2 }, promptMessages: ['hi'] },
}));
const failing = nodeGiving(() => ({ ok: false, error: { code: 'E', message: 'no', retryable: false } }));

function storeWith(runs: readonly NodeRun[], nodes: readonly string[] = ['n']) {
  const info = runInfo({ id: 'before' });
  const store = createMemoryRunLog({ ...info, nodes: nodes.map((name) => ({ name, kind: 'python' })) });
  store.append(runs);
  return earlierRun(store);
}

test('a completed record with the same fingerprint stands in; tokens are not spent again', async () => {
  const before = await record(withCache(echo, { identity: 'i', isCacheable: true }), { x: 1 });
  expect(before).toMatchObject({ output: { got: 1 }, fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/) });
  expect(before).not.toHaveProperty('cache');
  const since = storeWith([before]);
  const again = await record(withCache(failing, { identity: 'i', isCacheable: true, since }), { x: 1 });
  expect(again).toEqual({
    line: 0,
    node: 'n',
    kind: 'python',
    inputs: { x: 1 },
    status: 'Completed',
    output: { got: 1 },
    promptMessages: ['hi'],
    fingerprint: before.fingerprint,
    cache: 'hit',
    cachedFrom: 'before',
  });
});

test.for<
  [
    string,
    { identity?: string; isCacheable?: boolean },
    JsonObject,
    { line?: number; repeat?: number; node?: string },
    string,
  ]
>([
  ['another row', {}, { x: 1 }, { line: 5 }, 'hit'],
  ['another input', {}, { x: 2 }, {}, 'miss'],
  ['another definition', { identity: 'j' }, { x: 1 }, {}, 'miss'],
  ['another repetition', {}, { x: 1 }, { repeat: 1 }, 'miss'],
  ['a node that writes', { isCacheable: false }, { x: 1 }, {}, 'miss'],
  ['another node that was there before', {}, { x: 1 }, { node: 'm' }, 'miss'],
  ['a node by a new name', {}, { x: 1 }, { node: 'new' }, 'hit'],
])('%s', async ([, rule, inputs, place, cache]) => {
  const before = await record(withCache(echo, { identity: 'i', isCacheable: true }), { x: 1 });
  const since = storeWith([before], ['n', 'm']);
  const node = withCache(echo, { identity: 'i', isCacheable: true, ...rule, since });
  expect((await record(node, inputs, place)).cache).toBe(cache);
});

test('what failed, was fed back, or is no JSON is never taken', async () => {
  const rule = { identity: 'i', isCacheable: true };
  const failed = await record(withCache(failing, rule), { x: 1 });
  expect(failed.fingerprint).toBeDefined();
  const fedBack = await record(
    withErrorFeedback(withCache(failing, rule), { stateInput: 'state', messageInput: 'message' }),
    { state: { query: 'q', function_results: [] }, message: { function_call: { name: 'f', arguments: '{}' } } },
  );
  expect(fedBack).toMatchObject({ status: 'Completed', notKept: 'the node failed, and its failure was fed back' });
  expect(fedBack).not.toHaveProperty('fingerprint');
  const given = await record(withCache(echo, rule), { x: { deep: [handle] } });
  expect(given).toMatchObject({ notKept: 'its input "x" is no JSON' });
  const gave = await record(
    withCache(
      nodeGiving(() => ({ ok: true, output: [handle] })),
      rule,
    ),
    { x: 1 },
  );
  expect(gave).toMatchObject({ notKept: 'its output is no JSON' });
  expect([given.fingerprint, gave.fingerprint]).toEqual([undefined, undefined]);
  const since = storeWith([failed]);
  expect((await record(withCache(echo, { ...rule, since }), { x: 1 })).cache).toBe('miss');
});

test('what another connection answered is something else, for each connection and model', async () => {
  const answeredBy = (connection: string, model: string): PreparedNode =>
    nodeGiving(() => ({
      ok: true,
      output: 1,
      report: { attempts: [{ waitedMs: 0, durationMs: 1, fallback: { connection, model } }] },
    }));
  const own = nodeGiving(() => ({ ok: true, output: 1 }));
  const nodes = [own, answeredBy('b', 'm'), answeredBy('b', 'm2'), answeredBy('c', 'm'), answeredBy('b', 'm')];
  const records = await Promise.all(
    nodes.map((node) => record(withCache(node, { identity: 'i', isCacheable: true }), { x: 1 })),
  );
  const prints = records.map(({ fingerprint }) => fingerprint);
  expect(new Set(prints).size).toBe(4);
  expect(prints[4]).toBe(prints[1]);
  expect(records.map(({ notKept }) => notKept)).toEqual([
    undefined,
    ...['b', 'b', 'c', 'b'].map((name) => `connection "${name}" answered in the place of its own`),
  ]);
});

test('only a node that may be answered from an earlier run has a record that stands in for it', async () => {
  const before = await record(withCache(echo, { identity: 'i', isCacheable: true }), { x: 1 });
  const since = storeWith([before]);
  const signal = new AbortController().signal;
  const call = { runId: 'r', line: 0, node: 'n', signal, flowInputs: {}, row: rowAlone() };
  const found = (rule: object) =>
    standingIn(echo, { identity: 'i', isCacheable: true, since, ...rule }, { x: 1 }, call);
  expect(await found({})).toEqual(before);
  expect(await found({ isCacheable: false })).toBeUndefined();
  expect(await found({ since: undefined })).toBeUndefined();
});

test('a rendered prompt stands for the inputs', async () => {
  const node = { ...echo, rendered: (inputs: JsonObject): JsonValue => String(inputs['x']).trim() };
  const prints = await Promise.all(
    ['a', ' a ', 'b'].map(
      async (x) => (await record(withCache(node, { identity: 'i', isCacheable: true }), { x })).fingerprint,
    ),
  );
  expect(prints[0]).toBe(prints[1]);
  expect(prints[0]).not.toBe(prints[2]);
  const unrendered = withCache({ ...node, rendered: () => undefined }, { identity: 'i', isCacheable: true });
  const told = await record(unrendered, { x: 'a' });
  expect([told.fingerprint, told.notKept]).toEqual([undefined, 'its prompt cannot be rendered']);
});

test.for<
  ['pure' | 'reads' | 'may write' | 'writes', 'writes' | 'reads unseen' | undefined, boolean | undefined, boolean]
>([
  ['pure', undefined, undefined, true],
  ['may write', undefined, undefined, true],
  ['may write', undefined, false, false],
  ['writes', undefined, undefined, false],
  ['writes', undefined, true, false],
  ['may write', 'writes', undefined, false],
  ['reads', 'reads unseen', undefined, false],
  ['reads', 'reads unseen', true, true],
  ['reads', 'reads unseen', false, false],
])('of a type that %s, a node that %s, cache: %s may be taken: %s', ([type, node, cache, expected]) => {
  const prepared = node === undefined ? {} : { effects: node };
  const settings = cache === undefined ? {} : { cache };
  expect(isReusable({ effects: type }, prepared, { settings })).toBe(expected);
});
