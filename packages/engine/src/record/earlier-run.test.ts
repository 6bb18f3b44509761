import { expect, test } from 'vitest';
import { runInfo } from '../testing/run-info.ts';
import { earlierRun } from './earlier-run.ts';
import { createMemoryRunLog } from './memory-run-log.ts';
import type { NodeRun, RowRun } from './node-run.ts';
import { RunDamageError } from './run-file-error.ts';
import type { RunReader } from './run-reader.ts';

const row = (line: number, repeat?: number): RowRun => ({
  line,
  status: 'Completed',
  inputs: {},
  outputs: {},
  startedAt: 1,
  durationMs: 1,
  ...(repeat === undefined ? {} : { repeat }),
});

/** `a@1=f` is a completed record of node `a` in row 1 with the fingerprint `f`; `!` failed, `~` does not give its output again. */
function storeOf(written: string, nodes = ['a', 'b']): RunReader {
  const store = createMemoryRunLog(
    runInfo({
      nodes: nodes.map((name) => ({ name, kind: 'llm', aggregation: false })),
      nodeReads: { a: { file: '1' } },
    }),
  );
  const lines = new Map<number, NodeRun[]>();
  for (const [, node = '', line, fingerprint, mark] of written.matchAll(/(\w)@(\d+)=(\w+)([!~]?)/g)) {
    const run = { line: Number(line), node, kind: 'llm', output: `${node}@${line}` };
    const ofRow = lines.get(run.line) ?? [];
    lines.set(run.line, ofRow);
    ofRow.push({
      ...run,
      ...(fingerprint === 'none' ? {} : { fingerprint: fingerprint as string }),
      status: mark === '!' ? 'Failed' : 'Completed',
      ...(mark === '~' ? { inexact: 'shown' as const } : {}),
    } as NodeRun);
  }
  for (const [line, runs] of lines) void store.append(runs, row(line));
  return store;
}

test.for<[what: string, written: string, node: string, line: number, found: string | undefined]>([
  ['the same node in the same row', 'a@0=f, a@1=f', 'a', 1, 'a@1'],
  ['the same node in another row', 'a@0=g, a@1=f', 'a', 0, 'a@1'],
  ['not another node, where the run had one of that name', 'a@0=f, b@0=g', 'b', 0, undefined],
  ['another node, where the run had none of that name', 'a@0=f, b@0=g', 'c', 0, 'a@0'],
  ['none that failed, in this row or another', 'a@0=f!, a@1=f!', 'a', 0, undefined],
  ['one that completed beside one that failed', 'a@0=f!, a@1=f', 'a', 0, 'a@1'],
  ['one that completed, where a later one failed', 'a@0=g, a@1=f, a@2=f!', 'a', 0, 'a@1'],
  ['in its row the record of the node, behind another of the same fingerprint', 'b@1=f, a@1=f, a@2=g', 'a', 2, 'a@1'],
  ['none of another fingerprint', 'a@0=g', 'a', 0, undefined],
  ['none without a fingerprint', 'a@0=none', 'a', 0, undefined],
  ['among others of the same fingerprint, that of the node', 'a@1=f, b@1=f, a@2=g', 'a', 2, 'a@1'],
  ['among others of the same fingerprint, that of the other node', 'b@1=f, a@1=f, b@2=g', 'b', 2, 'b@1'],
])('%s', async ([, written, node, line, found]) => {
  const run = earlierRun(storeOf(written));
  for (let times = 0; times < 2; times += 1) {
    expect((await run.find('f', { node, line, repeat: 0 }))?.output).toBe(found);
  }
});

test('what it was, and the record of a place', async () => {
  const run = earlierRun(storeOf('a@0=f, b@0=g!, a@1=f~'));
  expect([run.runId, run.nodeReads, run.hasNode('a'), run.hasNode('z')]).toEqual([
    'r',
    { a: { file: '1' } },
    true,
    false,
  ]);
  expect((await run.at({ node: 'a', line: 0, repeat: 0 }))?.output).toBe('a@0');
  expect(await run.at({ node: 'b', line: 0, repeat: 0 })).toBeUndefined();
  expect(await run.at({ node: 'a', line: 1, repeat: 0 })).toBeUndefined();
  expect(await run.at({ node: 'a', line: 9, repeat: 0 })).toBeUndefined();
});

test('more rows than are kept at hand give the same', async () => {
  const lines = Array.from({ length: 200 }, (_, line) => line);
  const store = storeOf(lines.map((line) => `a@${line}=f`).join(', '));
  let read = 0;
  const run = earlierRun({ ...counted(store, () => (read += 1)) } as RunReader);
  for (const line of [...lines, ...lines])
    expect((await run.find('f', { node: 'a', line, repeat: 0 }))?.output).toBe(`a@${line}`);
  expect(read).toBe(400);
  for (let times = 0; times < 10; times += 1) await run.find('f', { node: 'a', line: 199, repeat: 0 });
  expect(read).toBe(400);
});

function counted(store: RunReader, onNodes: () => void): Partial<RunReader> {
  return {
    info: store.info,
    digests: () => store.digests(),
    nodes: async (line: number, repeat?: number) => {
      onNodes();
      return await store.nodes(line, repeat);
    },
  };
}

test('rows that cannot be read count as none where damage is told, and are thrown where it is not', async () => {
  const damage = new RunDamageError({ message: 'row 0 is damaged', row: { line: 0, repeat: 0 } });
  const damaged = {
    info: storeOf('a@0=f').info,
    digests: async function* () {},
    nodes: async () => {
      throw damage;
    },
  } as unknown as RunReader;
  const told: unknown[] = [];
  const at = { node: 'a', line: 0, repeat: 0 };
  expect(await earlierRun(damaged, (one) => told.push(one)).find('f', at)).toBeUndefined();
  expect(told).toEqual([damage]);
  await expect(earlierRun(damaged).find('f', at)).rejects.toThrow('row 0 is damaged');
  const broken = {
    ...damaged,
    nodes: async () => {
      throw new Error('bug: another');
    },
  } as unknown as RunReader;
  await expect(earlierRun(broken, () => undefined).find('f', at)).rejects.toThrow('bug: another');
});

test('a record of a repetition in another row is found', async () => {
  const info = runInfo();
  const store = createMemoryRunLog({ ...info, nodes: [{ name: 'a', kind: 'llm' }] });
  for (const [repeat, output] of [
    [0, 'first'],
    [2, 'third'],
  ] as const) {
    const run: NodeRun = {
      line: 1,
      repeat,
      node: 'a',
      kind: 'llm',
      status: 'Completed',
      output,
      fingerprint: `f${repeat}`,
    };
    await store.append([run], row(1, repeat));
  }
  const earlier = earlierRun(store);
  const find = async (fingerprint: string) =>
    (await earlier.find(fingerprint, { node: 'a', line: 7, repeat: 2 }))?.output;
  expect([await find('f2'), await find('f0'), await find('f1')]).toEqual(['third', 'first', undefined]);
});
