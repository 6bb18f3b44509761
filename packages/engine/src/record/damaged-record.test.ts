import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runInfo } from '../testing/run-info.ts';
import { allOf, eachOf } from './batches.ts';
import { checkRunFile } from './check-run-file.ts';
import type { NodeRun, RowRun } from './node-run.ts';
import { type RunDamage, RunFileError } from './run-file-error.ts';
import type { RunReader } from './run-reader.ts';
import { createSqliteRunLog, openSqliteRunReader } from './sqlite-run-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'damaged-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A run that was shut, and the same run as a process that is killed leaves it: with a log beside it. */
const shut = join(folder, 'shut.run');
const killed = join(folder, 'killed.run');
const lines = 64;
const ended = 60;

const info = runInfo({
  nodes: ['search', 'ask', 'check', 'mean'].map((name) => ({ name, kind: 'python', aggregation: name === 'mean' })),
});

/** Numbers between 0 and 1, the same in every run of the test (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function nodesOf(line: number, random: () => number): readonly NodeRun[] {
  const text = Array.from({ length: 60 }, () => random().toString(36).slice(2)).join(' ');
  const documents = [{ text, score: random() }];
  const at = { line, startedAt: 1.7e12 + line * 3.1 };
  const fingerprint = line.toString(16).padStart(32, 'f');
  const usage = { promptTokens: 20 + line, completionTokens: 14, totalTokens: 34 + line };
  const error = { code: 'E', message: `no ${line}`, retryable: false };
  return [
    {
      ...at,
      node: 'search',
      kind: 'python',
      status: 'Completed',
      inputs: { q: line },
      output: documents,
      durationMs: 1.25,
    },
    {
      ...at,
      node: 'ask',
      kind: 'python',
      status: 'Completed',
      inputs: { documents },
      output: text,
      usage,
      fingerprint,
    },
    line % 7 === 3
      ? { ...at, node: 'check', kind: 'python', status: 'Failed', inputs: { text }, error, durationMs: 0.125 }
      : { line, node: 'check', kind: 'python', status: 'Bypassed', output: null },
  ];
}

const rowOf = (line: number, nodes: readonly NodeRun[]): RowRun => ({
  line,
  status: line % 7 === 3 ? 'Failed' : 'Completed',
  inputs: { q: line },
  outputs: { answer: nodes[1]?.output ?? null },
  startedAt: 1.7e12 + line * 3.1,
  durationMs: 1.5,
});

function checkpoint(path: string): void {
  using database = new DatabaseSync(path);
  database.exec('PRAGMA wal_checkpoint(PASSIVE)');
}

beforeAll(async () => {
  const random = randomNumbers(1);
  {
    await using store = createSqliteRunLog(shut, info);
    for (let line = 0; line < lines; line += 1) {
      const nodes = nodesOf(line, random);
      const kept = store.append(nodes, line < ended ? rowOf(line, nodes) : undefined);
      if (line % 8 === 0) await kept;
      // So that both the file and its log hold records.
      if (line === 40) checkpoint(shut);
    }
    await store.append([{ line: 0, node: 'mean', kind: 'python', status: 'Completed', output: 0.5 }]);
    await store.appendMetrics({ mean: 0.5 });
    for (const suffix of ['', '-wal']) copyFileSync(`${shut}${suffix}`, `${killed}${suffix}`);
  }
});

const readers: Readonly<Record<string, (store: RunReader) => unknown>> = {
  info: (store) => store.info,
  rows: (store) => allOf(store.rows()),
  records: (store) => allOf(store.records()),
  rowEnds: (store) => allOf(store.rowEnds()),
  readRows: (store) =>
    Array.fromAsync(eachOf(store.readRows({ nodes: ['ask'], ends: ['search', 'ask'] })), (row) => ({
      line: row.line,
      status: row.status,
      startedAt: row.startedAt,
      durationMs: row.durationMs,
      inputs: row.inputs,
      outputs: row.outputs,
      error: row.error,
      answer: row.records.get('ask')?.output,
      ends: row.nodes.map(({ node, durationMs, usage }) => ({ node, durationMs, usage })),
    })),
  digests: (store) => allOf(store.digests()),
  nodeCounts: (store) => store.nodeCounts(),
  tokens: (store) => store.tokens(),
  rowCounts: (store) => store.rowCounts(),
  nextLine: (store) => store.nextLine(),
  metrics: (store) => store.metrics(),
  ended: async (store) => [await store.row(57), await store.nodes(57), await store.row(300)],
  unended: async (store) => [await store.row(62), await store.nodes(62)],
};

interface Read {
  readonly values: unknown;
  readonly damage: readonly RunDamage[];
}

async function readWith(path: string, read: (store: RunReader) => unknown): Promise<Read> {
  const damage: RunDamage[] = [];
  try {
    await using store = openSqliteRunReader(path, { onDamage: (one) => damage.push(one) });
    return { values: await read(store), damage };
  } catch (error) {
    if (!(error instanceof RunFileError)) throw error;
    return { values: undefined, damage: [...damage, error] };
  }
}

type Reads = Readonly<Record<string, Read>>;

/** Each reader alone: what one is told must not stand for what another one is not. */
async function readEach(path: string): Promise<Reads> {
  const read: Record<string, Read> = {};
  for (const [name, reader] of Object.entries(readers)) read[name] = await readWith(path, reader);
  return read;
}

const listsOfRows = ['rows', 'records', 'rowEnds', 'readRows', 'digests'];

/** What of a read is neither what was written nor told as damaged. */
function wrongIn(read: Reads, whole: Reads): readonly string[] {
  return Object.entries(read).flatMap(([name, { values, damage }]) => {
    const expected = whole[name]?.values;
    if (damage.length === 0)
      return JSON.stringify(values) === JSON.stringify(expected) ? [] : [`${name}: other values`];
    if (!listsOfRows.includes(name) || !Array.isArray(values)) return [];
    const written = new Set((expected as readonly unknown[]).map((value) => JSON.stringify(value)));
    return values.every((value) => written.has(JSON.stringify(value))) ? [] : [`${name}: another row`];
  });
}

const isBugText = (damage: RunDamage): boolean => /bug:|undefined|\[object/.test(damage.message);

function copy(path: string, name: string): string {
  const to = join(folder, name);
  for (const suffix of ['', '-wal']) {
    rmSync(to + suffix, { force: true });
    if (existsSync(path + suffix)) copyFileSync(path + suffix, to + suffix);
  }
  rmSync(`${to}-shm`, { force: true });
  return to;
}

function flip(path: string, count: number, random: () => number): readonly number[] {
  const bytes = readFileSync(path);
  const places = Array.from({ length: count }, () => Math.floor(random() * bytes.length));
  for (const at of places) bytes[at] = (bytes[at] as number) ^ (1 << Math.floor(random() * 8));
  writeFileSync(path, bytes);
  return places;
}

/** Hundreds in all; thousands by hand, with other seeds. */
const rounds = Number(process.env['DAMAGE_ROUNDS'] ?? 100);
const logRounds = Math.ceil(rounds / 5);

test.for([
  { name: 'a run', of: shut, flips: 5, times: rounds },
  { name: 'a run', of: shut, flips: 1, times: rounds },
  { name: 'a run that was killed', of: killed, flips: 2, times: logRounds },
])('$flips flipped bits in $name: what is read was written, the rest is told', { timeout: 600_000 }, async (given) => {
  const whole = await readEach(copy(given.of, 'whole.run'));
  expect(Object.values(whole).flatMap(({ damage }) => damage)).toEqual([]);
  const random = randomNumbers(given.flips * 1000 + Number(process.env['DAMAGE_SEED'] ?? 0));
  let told = 0;
  for (let round = 0; round < given.times; round += 1) {
    const path = copy(given.of, 'flipped.run');
    const places = flip(path, given.flips, random);
    const read = await readEach(path);
    const damage = Object.values(read).flatMap((one) => one.damage);
    expect({ places, wrong: wrongIn(read, whole) }).toEqual({ places, wrong: [] });
    expect(damage.filter(isBugText)).toEqual([]);
    if (damage.length === 0) continue;
    told += 1;
    expect({ places, isFound: (await checkRunFile(path)).length > 0 }).toEqual({ places, isFound: true });
  }
  expect(told).toBeGreaterThan(0);
});

test.for([1, 5])(
  '%i flipped bits in the log of a run that was killed are told',
  { timeout: 600_000 },
  async (flips) => {
    const whole = await readEach(copy(killed, 'whole.run'));
    const random = randomNumbers(flips + Number(process.env['DAMAGE_SEED'] ?? 0));
    for (let round = 0; round < logRounds; round += 1) {
      const path = copy(killed, 'flipped.run');
      const places = flip(`${path}-wal`, flips, random);
      for (const [name, { values, damage }] of Object.entries(await readEach(path))) {
        if (damage.length === 0)
          expect({ places, name, values }).toEqual({ places, name, values: whole[name]?.values });
        expect(damage.filter(isBugText)).toEqual([]);
      }
    }
  },
);

const listOf = (read: Read | undefined): readonly unknown[] => (read?.values ?? []) as readonly unknown[];

const nodesIn = (records: Read | undefined): readonly string[] =>
  (listOf(records) as readonly { readonly nodes: readonly NodeRun[] }[]).flatMap(({ nodes }) =>
    nodes.map((node) => JSON.stringify(node)),
  );

/** As after a power failure: what was written last is not there. */
test.for([1, 7, 24, 100, 4000, 20_000, 60_000, Number.POSITIVE_INFINITY])(
  'the log of a run that was killed without its last %d bytes: rows are missing at the end, no row is another',
  async (missing) => {
    const whole = await readEach(copy(killed, 'whole.run'));
    const path = copy(killed, 'cut.run');
    truncateSync(`${path}-wal`, Math.max(0, statSync(`${path}-wal`).size - missing));
    expect(await checkRunFile(path)).toEqual([]);
    const read = await readEach(path);
    expect(Object.values(read).flatMap(({ damage }) => damage)).toEqual([]);
    for (const name of ['rows', 'readRows']) {
      const values = listOf(read[name]);
      expect([name, values]).toEqual([name, listOf(whole[name]).slice(0, values.length)]);
    }
    const written = new Set(nodesIn(whole['records']));
    expect(nodesIn(read['records']).filter((node) => !written.has(node))).toEqual([]);
    const rows = listOf(read['rows']);
    const counts = read['rowCounts']?.values as Readonly<Record<string, number>>;
    expect(rows.length).toBeGreaterThanOrEqual(40);
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(rows.length);
  },
);
