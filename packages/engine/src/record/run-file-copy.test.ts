import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { zstdDecompressSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { runInfo } from '../testing/run-info.ts';
import { allOf } from './batches.ts';
import { checkRunFile } from './check-run-file.ts';
import type { NodeRun, RowRun } from './node-run.ts';
import { copyIntoRunFile, type RunFileCopy } from './run-file-copy.ts';
import { createSqliteRunLog, openSqliteRunReader } from './sqlite-run-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'run-file-copy-'));
afterAll(() => rmSync(folder, { recursive: true }));

const info = runInfo({
  nodes: [
    { name: 'a', kind: 'python' },
    { name: 'b', kind: 'llm' },
  ],
  nodeReads: { a: { 'environment HOME': 'e' } },
});

/** Noise does not compress, so that segments are as large as what they hold: of a few bytes, near their limit, and above it. */
const sizes = [3, 40_000, 70_000, 9, 200_000, 60_000, 60_000, 60_000];
const noise = sizes.map((size) =>
  randomBytes(Math.ceil(size * 0.75))
    .toString('base64')
    .slice(0, size),
);

const nodeRun = (line: number, node: string, output: string): NodeRun => ({
  line,
  node,
  kind: node === 'a' ? 'python' : 'llm',
  status: 'Completed',
  inputs: { n: line },
  output,
  startedAt: 10 + line,
  durationMs: 2,
  ...(node === 'a' ? {} : { usage: { promptTokens: 3, completionTokens: line, totalTokens: 3 + line } }),
});
const rowRun = (line: number): RowRun => ({
  line,
  status: 'Completed',
  inputs: { n: line },
  outputs: { o: noise[line] ?? '' },
  startedAt: 1,
  durationMs: 2,
});

async function recorded(): Promise<string> {
  const path = join(folder, 'first.run');
  await using log = createSqliteRunLog(path, info);
  for (const [line, text] of noise.entries())
    await log.append([nodeRun(line, 'a', text), nodeRun(line, 'b', `${text}!`)], rowRun(line));
  await log.appendMetrics({ score: 0.5 });
  return path;
}

const from = await recorded();

interface Changes {
  readonly digits?: (digits: string, line: number) => string | undefined;
  /** The segment that is told to be damaged. */
  readonly damaged?: number;
}

/** Copies a record table by table, as a store that keeps records in the same form gives them. */
async function copied(to: string, changes: Changes = {}): Promise<void> {
  using database = new DatabaseSync(from, { readOnly: true });
  await copyIntoRunFile(to, info, async (copy) => {
    const all = <Row>(sql: string): readonly Row[] => database.prepare(sql).all() as unknown as readonly Row[];
    for (const { id, name, kind } of all<NodeName>('SELECT * FROM nodes ORDER BY id')) copy.addNodeName(id, name, kind);
    const places = new Map<number, number>();
    for (const segment of all<Segment>('SELECT * FROM segments ORDER BY id'))
      places.set(segment.id, addSegment(copy, segment, changes));
    copy.isAlive();
    const moved = (place: number): number => (places.get(Math.floor(place / 2 ** 32)) ?? 0) + (place % 2 ** 32);
    for (const end of all<NodeEnd>('SELECT * FROM node_ends ORDER BY line, repeat, node')) addNode(copy, end, moved);
    const rows =
      'SELECT *, lower(hex(digests)) AS digits FROM row_ends JOIN row_digests ON row = line * 1048576 + repeat';
    for (const end of all<RowEnd>(rows)) addRow(copy, end, moved, changes);
    for (const { name, value } of all<Metric>('SELECT * FROM metrics')) copy.addMetric(name, value);
  });
}

interface NodeName {
  readonly id: number;
  readonly name: string;
  readonly kind: string;
}
interface Segment {
  readonly id: number;
  readonly bytes: Uint8Array;
}
interface Metric {
  readonly name: string;
  readonly value: string;
}
type End = Readonly<Record<'line' | 'repeat' | 'status' | 'started_at' | 'duration_ms' | 'place' | 'size', number>>;
type NodeEnd = End & Readonly<Record<'node' | 'prompt_tokens' | 'completion_tokens', number>>;
type RowEnd = End & { readonly unfinished: number; readonly digits: string };

function addSegment(copy: RunFileCopy, { id, bytes }: Segment, { damaged }: Changes): number {
  return copy.addSegment(id === damaged ? undefined : zstdDecompressSync(bytes), bytes);
}

function addNode(copy: RunFileCopy, end: NodeEnd, moved: (place: number) => number): void {
  const { line, repeat, node, status, started_at: at, duration_ms: ms, place, size } = end;
  const { prompt_tokens: prompt, completion_tokens: completion } = end;
  copy.addNodeEnd([line, repeat, node, status, at, ms, prompt, completion, moved(place), size]);
}

function addRow(copy: RunFileCopy, end: RowEnd, moved: (place: number) => number, { digits }: Changes): void {
  const { line, repeat, status, started_at: at, duration_ms: ms, unfinished, place, size } = end;
  const given = digits === undefined ? end.digits : digits(end.digits, line);
  copy.addRowEnd([line, repeat, status, at, ms, unfinished, moved(place), size], given);
}

async function contentOf(path: string): Promise<unknown> {
  await using reader = openSqliteRunReader(path);
  return {
    info: reader.info,
    records: await allOf(reader.records()),
    digests: await allOf(reader.digests()),
    tokens: await reader.tokens(),
    counts: await reader.nodeCounts(),
    rows: await reader.rowCounts(),
    metrics: await reader.metrics(),
  };
}

const whole = await contentOf(from);

test.for<readonly [what: string, changes: Changes]>([
  ['as they are', {}],
  ['with no digests of rows', { digits: () => undefined }],
  ['with digests of some rows', { digits: (digits, line) => (line % 2 === 0 ? digits : undefined) }],
  [
    'with digests of rows that have other nodes',
    { digits: (digits, line) => (line === 3 ? digits.slice(0, 66) : digits) },
  ],
])('records copied %s read as where they come from, and nothing in the file is damaged', async ([what, changes]) => {
  const to = join(folder, `${what}.run`);
  writeFileSync(to, 'what was there before');
  await copied(to, changes);
  expect(await contentOf(to)).toEqual(whole);
  expect(await checkRunFile(to)).toEqual([]);
  expect(readdirSync(folder).filter((name) => name.endsWith('.new'))).toEqual([]);
});

test('what was damaged where it comes from is damaged in the file, and nothing else is', async () => {
  const to = join(folder, 'damaged.run');
  await copied(to, { damaged: 2 });
  const damage = await checkRunFile(to);
  expect(damage.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^segment 2 /),
    expect.stringMatching(/^row 2 /),
  ]);
});

test('segments of a few bytes are gathered, of which each is at most 128 KB', async () => {
  const to = join(folder, 'gathered.run');
  await copied(to);
  using database = new DatabaseSync(to, { readOnly: true });
  const segments = database.prepare('SELECT bytes FROM segments ORDER BY id').all() as { bytes: Uint8Array }[];
  const held = segments.map(({ bytes }) => zstdDecompressSync(bytes).length);
  expect(held.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(980_000);
  expect(held.filter((size) => size > 210_000)).toEqual([]);
});

test('what fails while it is filled leaves neither a file nor a part of one', async () => {
  const to = join(folder, 'failed.run');
  const failing = copyIntoRunFile(to, info, () => Promise.reject(new Error('the store is gone')));
  await expect(failing).rejects.toThrow(new Error('the store is gone'));
  expect(readdirSync(folder).filter((name) => name.includes('failed'))).toEqual([]);
});

test('a folder that is not there is told as a file that cannot be written', async () => {
  const failing = copyIntoRunFile(join(folder, 'nowhere/r.run'), info, async () => {});
  await expect(failing).rejects.toThrow(/r\.run/);
});
