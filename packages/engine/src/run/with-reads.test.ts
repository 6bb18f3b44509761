import { expect, test } from 'vitest';
import type { FingerprintInputs } from '../node/fingerprint-inputs.ts';
import type { NodeOutcome, PreparedNode } from '../node/node-type.ts';
import type { NodeRun } from '../record/node-run.ts';
import { type Behaviours, madeFlow, madeRun } from './made-flow.fixture.ts';
import { withReads } from './with-reads.ts';

const call = {} as Parameters<PreparedNode['run']>[1];
const outcome: NodeOutcome = { ok: true, output: 1, report: { warnings: ['w'] } };

test('what was read goes beside what else is reported, also of a node that answers later', async () => {
  const reads = { 'file a': 'digest' };
  const node: PreparedNode = { parametersWithDefault: new Set(), reads: () => reads, run: () => outcome };
  const told = { ok: true, output: 1, report: { warnings: ['w'], reads } };
  expect(withReads(node).run({}, call)).toEqual(told);
  const later = withReads({ ...node, run: async () => outcome }).run({}, call);
  expect(later).toBeInstanceOf(Promise);
  expect(await later).toEqual(told);
});

test('a node that tells nothing of reads keeps its outcome as it is', () => {
  const node: PreparedNode = { parametersWithDefault: new Set(), run: () => outcome };
  expect(withReads(node)).toBe(node);
  const silent = withReads({ ...node, reads: () => undefined as unknown as FingerprintInputs });
  expect(silent.run({}, call)).toBe(outcome);
});

/** Whether the output of the earlier run stands in for a node whose code read `before` then, and reads `now`. */
async function isTaken(
  before: FingerprintInputs | undefined,
  now: FingerprintInputs,
  node = 'name: m, type: model',
): Promise<boolean> {
  const read: Behaviours = { m: { reads: () => before ?? {}, readsNow: () => now } };
  const records: NodeRun[] = [];
  {
    await using flow = await madeFlow([node], read, { fingerprints: true });
    records.push(...(await flow.runRow({})).nodes);
  }
  const since = madeRun(records, before === undefined ? {} : { m: before });
  await using flow = await madeFlow([node], read, { since });
  const { nodes } = await flow.runRow({});
  return nodes[0]?.cache === 'hit';
}

test.for<[what: string, before: FingerprintInputs | undefined, now: FingerprintInputs, isTaken: boolean]>([
  ['nothing was read', {}, {}, true],
  ['all is as it was', { 'file a': '1', 'variable B': '2' }, { 'file a': '1', 'variable B': '2' }, true],
  ['one part is another', { 'file a': '1', 'variable B': '2' }, { 'file a': '1', 'variable B': '3' }, false],
  ['one part cannot be told any more', { 'file a': '1' }, {}, false],
  ['something is there that was not read', { 'file a': '1' }, { 'file a': '1', 'file b': '1' }, true],
  ['it did what nobody can compare', { 'unseen network': '1' }, {}, false],
  ['what it read was not told', undefined, {}, false],
])('an output is taken only where its code would read the same: %s', async ([, before, now, expected]) => {
  expect(await isTaken(before, now)).toBe(expected);
});

test('cache: true answers for what nobody can compare, and for no more', async () => {
  const asked = 'name: m, type: model, cache: true';
  expect(await isTaken({ 'unseen network': '1' }, {}, asked)).toBe(true);
  expect(await isTaken({ 'unseen network': '1', 'file a': '1' }, { 'file a': '2' }, asked)).toBe(false);
});

test('a node that was renamed takes its outputs where its code would read the same', async () => {
  const records: NodeRun[] = [];
  const readsNow = (): FingerprintInputs => ({ 'file a': 'same' });
  {
    const old: Behaviours = { old: { reads: () => ({ 'file a': 'same' }), readsNow, parts: () => ({ code: 'one' }) } };
    await using flow = await madeFlow(['name: old, type: model'], old, { fingerprints: true });
    records.push(...(await flow.runRow({})).nodes);
  }
  for (const [reads, expected] of [
    [{ old: { 'file a': 'same' } }, 'hit'],
    [{ old: { 'file a': 'other' } }, 'miss'],
  ] as const) {
    const renamed: Behaviours = { m: { reads: () => ({}), readsNow, parts: () => ({ code: 'one' }) } };
    await using flow = await madeFlow(['name: m, type: model'], renamed, { since: madeRun(records, reads) });
    expect((await flow.runRow({})).nodes[0]?.cache).toBe(expected);
  }
});

test('what nobody can compare is told by node, but where the definition says what becomes of its output', async () => {
  const reads = (): FingerprintInputs => ({ 'unseen network': '1', 'unseen child process': '1', 'file a': '1' });
  const nodes = [
    'name: a, type: model',
    'name: b, type: model, cache: true',
    'name: c, type: python',
    'name: d, type: model',
  ];
  const behaviours: Behaviours = { a: { reads }, b: { reads }, c: { reads }, d: { reads: () => ({ 'file a': '1' }) } };
  await using flow = await madeFlow(nodes, behaviours, { fingerprints: true });
  expect(flow.unseen()).toEqual({ a: ['network', 'child process'] });
  await using plain = await madeFlow(nodes, behaviours);
  expect(plain.unseen()).toEqual({});
});
