import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { runInfo } from '../testing/run-info.ts';
import type { JsonValue } from '../value/json.ts';
import { type CompareRunFilesOptions, compareRunFiles } from './compare-run-files.ts';
import type { NodeRun } from './node-run.ts';
import type { RowPair, RunComparison } from './run-comparison.ts';
import { continueSqliteRunLog, createSqliteRunLog, openSqliteRunReader } from './sqlite-run-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'compare-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

interface Row {
  readonly line: number;
  readonly repeat?: number;
  readonly inputs: Readonly<Record<string, JsonValue>>;
  /** By node: `output`, or with its inputs and fingerprint; `!` fails, `-` is bypassed. */
  readonly nodes: Readonly<Record<string, JsonValue | Partial<NodeRun>>>;
}

async function writeRun(rows: readonly Row[], aggregation: Readonly<Record<string, JsonValue>> = {}): Promise<string> {
  files += 1;
  const path = join(folder, `${files}.run`);
  const names = [...new Set(rows.flatMap(({ nodes }) => Object.keys(nodes)))];
  const nodes = [
    ...names.map((name) => ({ name, kind: 'python' })),
    ...Object.keys(aggregation).map((name) => ({ name, kind: 'python', aggregation: true })),
  ];
  const info = runInfo({ id: String(files), nodes });
  await using store = createSqliteRunLog(path, info);
  for (const { nodes: given, inputs, ...place } of rows) {
    const runs = Object.entries(given).map(([node, value]) => ({ ...place, node, kind: 'python', ...recordOf(value) }));
    const isFailed = runs.some(({ status }) => status === 'Failed');
    const outputs = isFailed ? {} : { out: Object.values(given).at(-1) as JsonValue };
    const ended = { status: isFailed ? 'Failed' : 'Completed', inputs, outputs, startedAt: 0, durationMs: 0 } as const;
    await store.append(runs, { ...place, ...ended });
  }
  const overRows = Object.entries(aggregation).map(([node, output]) => ({
    line: 0,
    node,
    kind: 'python',
    ...recordOf(output),
  }));
  await store.append(overRows);
  return path;
}

function recordOf(value: JsonValue | Partial<NodeRun>): Pick<NodeRun, 'status'> & Partial<NodeRun> {
  if (value === '!') return { status: 'Failed', error: { code: 'E', message: 'm', retryable: false } };
  if (value === '-') return { status: 'Bypassed' };
  return typeof value === 'object' && value !== null && 'inputs' in value
    ? ({ status: 'Completed', ...value } as NodeRun)
    : { status: 'Completed', output: value as JsonValue };
}

async function compare<T>(
  left: string,
  right: string,
  look: (comparison: RunComparison) => T,
  options: Partial<CompareRunFilesOptions> = {},
): Promise<T> {
  await using one = openSqliteRunReader(left);
  await using other = openSqliteRunReader(right);
  const names = new Set([...one.info.nodes, ...other.info.nodes].map(({ name }) => name));
  const aligned = [...names].map((name) => ({ left: name, right: name }));
  using comparison = await compareRunFiles(
    { path: left, store: one },
    { path: right, store: other },
    { aligned, ...options },
  );
  return look(comparison);
}

/** `a oi`: of node a output and inputs differ; `a Completed>Failed`; `f` the fingerprint differs, `F` it is the same. */
const told = ({ outputsDiffer, inputs, nodes }: RowPair): string => {
  const ofNodes = nodes.map(({ node, left = '', right = '', ...pair }) => {
    const marks = [
      pair.outputDiffers ? 'o' : '',
      mark(pair.inputsDiffer, 'i', '', 'x'),
      mark(pair.fingerprintDiffers, 'f', 'F', ''),
    ];
    return [node, left === right ? '' : `${left}>${right}`, marks.join('')].filter((part) => part !== '').join(' ');
  });
  return [outputsDiffer ? 'outputs' : '', inputs.join(' '), ...ofNodes].filter((part) => part !== '').join(', ');
};

const mark = (differs: boolean | undefined, yes: string, no: string, unknown: string): string => {
  return differs === undefined ? unknown : differs ? yes : no;
};

const patternsOf = ({ patterns }: RunComparison): readonly string[] =>
  patterns.map((pattern) => `${pattern.rows}× ${told(pattern)}`);

test('what differs is told by node, rows of one pattern together', async () => {
  const row = (line: number, nodes: Row['nodes']): Row => ({ line, inputs: { q: line }, nodes });
  const left = await writeRun([
    row(0, { a: 1, b: { inputs: { x: 1 }, output: 1, fingerprint: 'b'.repeat(32) } }),
    row(1, { a: 1, b: { inputs: { x: 1 }, output: 1, fingerprint: 'b'.repeat(32) } }),
    row(2, { a: 1, b: { inputs: { x: 1 }, output: 1, fingerprint: 'b'.repeat(32) } }),
    row(3, { a: 1, b: '!' }),
    row(4, { a: '-', b: 1 }),
    row(5, { a: 1 }),
    row(6, { b: 1 }),
  ]);
  const right = await writeRun([
    row(0, { a: 1, b: { inputs: { x: 1 }, output: 1, fingerprint: 'b'.repeat(32) } }),
    row(1, { a: 2, b: { inputs: { x: 2 }, output: 2, fingerprint: 'c'.repeat(32) } }),
    row(2, { a: 2, b: { inputs: { x: 2 }, output: 2, fingerprint: 'c'.repeat(32) } }),
    row(3, { a: 1, b: 1 }),
    row(4, { a: 1, b: 1 }),
    row(5, { a: 1, b: 1 }),
    row(6, { b: 1, a: 1 }),
  ]);
  expect(await compare(left, right, patternsOf)).toEqual([
    '1× ',
    '2× outputs, a o, b oif',
    '1× outputs, b Failed>Completed o',
    '1× a Bypassed>Completed ox',
    '1× b >Completed ox',
    '1× a >Completed ox',
  ]);
  const pairs = await compare(left, right, ({ pairs: find, patterns }) => find([patterns[1]?.id ?? 0], 10));
  expect(pairs.map(({ left: one, right: other }) => [one.line, other.line])).toEqual([
    [1, 1],
    [2, 2],
  ]);
});

const lines = (comparison: RunComparison): string =>
  comparison
    .pairs(
      comparison.patterns.map(({ id }) => id),
      100,
    )
    .map(({ left, right }) => `${left.line}${left.repeat > 0 ? `.${left.repeat}` : ''}=${right.line}`)
    .join(' ');

const onlyIn = ({ unpaired }: RunComparison): string =>
  (['left', 'right'] as const)
    .map((side) =>
      unpaired(side, 10)
        .map(({ line }) => line)
        .join(' '),
    )
    .join(' / ');

const rowsOf = (inputs: string, repeat?: number): readonly Row[] =>
  inputs.split(' ').map((q, line) => ({
    line,
    ...(repeat === undefined ? {} : { repeat }),
    inputs: { id: q[0] ?? '', q },
    nodes: { a: 1 },
  }));

test.for([
  { why: 'the same rows', left: 'x y z', right: 'x y z', by: 'line', pairs: '0=0 1=1 2=2', only: ' / ' },
  { why: 'a row put between', left: 'x y z', right: 'x n y z', by: 'content', pairs: '0=0 1=2 2=3', only: ' / 1' },
  { why: 'a row left out', left: 'x y z', right: 'x z', by: 'content', pairs: '0=0 2=1', only: '1 / ' },
  { why: 'a row that changed', left: 'x y z', right: 'x w z', by: 'line', pairs: '0=0 1=1 2=2', only: ' / ' },
  { why: 'the same row twice', left: 'x x y', right: 'y x x', by: 'content', pairs: '0=2 1=1 2=0', only: ' / ' },
  { why: 'more rows', left: 'x', right: 'x y', by: 'line', pairs: '0=0', only: ' / 1' },
])('rows are paired by what went in, then by place: $why', async ({ left, right, by, pairs, only }) => {
  const [one, other] = [await writeRun(rowsOf(left)), await writeRun(rowsOf(right))];
  const found = await compare(one, other, (comparison) => ({
    by: comparison.pairedBy,
    pairs: lines(comparison),
    only: onlyIn(comparison),
  }));
  expect(found).toEqual({ by, pairs, only });
});

test('names of the inputs that differ are told', async () => {
  const [one, other] = [await writeRun(rowsOf('x1 y1')), await writeRun(rowsOf('x1 y2'))];
  expect(await compare(one, other, patternsOf)).toEqual(['1× ', '1× q']);
});

test('a key pairs rows whatever went into them', async () => {
  const [one, other] = [await writeRun(rowsOf('x1 y1 z1')), await writeRun(rowsOf('z2 y1 w1'))];
  const keysOf = (inputs: string) => inputs.split(' ').map((q, line) => ({ key: q[0] ?? '', line, repeat: 0 }));
  const keys = { left: keysOf('x1 y1 z1'), right: keysOf('z2 y1 w1') };
  const look = (comparison: RunComparison) => [
    comparison.pairedBy,
    lines(comparison),
    onlyIn(comparison),
    ...patternsOf(comparison),
  ];
  expect(await compare(one, other, look, { keys })).toEqual(['key', '1=1 2=0', '0 / 2', '1× ', '1× q']);
});

test('repetitions of a row are rows of their own', async () => {
  const twice = [...rowsOf('x y', 0), ...rowsOf('x y', 1)];
  const [one, other] = [await writeRun(twice), await writeRun(twice.slice(1))];
  expect(await compare(one, other, lines)).toBe('0.1=0 1=1 1.1=1');
});

test('nodes that are called otherwise, are new or are gone', async () => {
  const left = await writeRun([{ line: 0, inputs: {}, nodes: { old: 1, gone: 1, last: 1 } }]);
  const right = await writeRun([{ line: 0, inputs: {}, nodes: { name: 2, new: 1, last: 1 } }]);
  const aligned = [{ left: 'old', right: 'name' }, { left: 'gone' }, { right: 'new' }, { left: 'last', right: 'last' }];
  expect(await compare(left, right, patternsOf, { aligned })).toEqual([
    '1× name o, gone Completed> ox, new >Completed ox',
  ]);
});

test('nodes that run over all rows are told apart', async () => {
  const rows = rowsOf('x y');
  const [one, other] = [await writeRun(rows, { score: 1 }), await writeRun(rows, { score: 2 })];
  expect(await compare(one, other, patternsOf)).toEqual(['2× ']);
  expect(await compare(one, other, ({ aggregation }) => aggregation)).toEqual([
    { node: 'score', left: 'Completed', right: 'Completed', outputDiffers: true, inputsDiffer: false },
  ]);
});

const mixedRows = (salt: string): readonly Row[] => [
  { line: 0, inputs: { q: 0 }, nodes: { a: 1, b: { inputs: { x: 1 }, output: salt, fingerprint: 'b'.repeat(32) } } },
  { line: 1, inputs: { q: 1 }, nodes: { a: 1, b: salt === '' ? '!' : 2 } },
  { line: 1, repeat: 1, inputs: { q: salt }, nodes: { a: '-' } },
  { line: 3, inputs: { q: 3 }, nodes: { b: 1, a: salt } },
];

test('rows that differ, one of them a repetition', async () => {
  const [left, right] = [await writeRun(mixedRows('')), await writeRun(mixedRows('other'))];
  expect(await compare(left, right, patternsOf)).toEqual([
    '1× outputs, b oF',
    '1× outputs, b Failed>Completed o',
    '1× q',
    '1× outputs, a o',
  ]);
});

test('rows that another process began, that were run again, or got a record after their end', async () => {
  const rows = mixedRows('');
  const whole = await writeRun([...rows, { line: 5, inputs: { q: 5 }, nodes: { a: 1, b: 2, c: 3 } }]);
  const path = await writeRun(rows);
  const run = (line: number, node: string, value: JsonValue | Partial<NodeRun>): NodeRun => ({
    line,
    node,
    kind: 'python',
    ...recordOf(value),
  });
  const ended = { inputs: { q: 5 }, outputs: { out: 3 }, startedAt: 0, durationMs: 0, status: 'Completed' } as const;
  {
    await using store = continueSqliteRunLog(path);
    await store.append([run(5, 'a', 1)]);
  }
  {
    await using store = continueSqliteRunLog(path);
    await store.append([run(5, 'a', 'given again, and not taken'), run(5, 'b', 2)], { line: 5, ...ended });
    await store.append([run(5, 'c', 3)]);
    await store.append([run(0, 'a', 'given again, and not taken')], { line: 0, ...ended, inputs: { q: 'not taken' } });
  }
  expect(await compare(whole, path, patternsOf)).toEqual(await compare(whole, whole, patternsOf));
  {
    await using store = continueSqliteRunLog(path);
    await store.reopen([{ line: 1 }]);
  }
  expect(await compare(whole, path, ({ onlyLeft, onlyRight }) => [onlyLeft, onlyRight])).toEqual([1, 0]);
  {
    await using store = continueSqliteRunLog(path);
    await store.append([run(1, 'b', 2)], { line: 1, ...ended, inputs: { q: 1 }, outputs: { out: 2 } });
  }
  expect(await compare(whole, path, patternsOf)).toContain('1× outputs, b Failed>Completed o');
});

test('the same digests of nodes that are called otherwise are not the same', async () => {
  const left = await writeRun([{ line: 0, inputs: {}, nodes: { a: 1, b: 2 } }]);
  const right = await writeRun([{ line: 0, inputs: {}, nodes: { b: 1, a: 2 } }]);
  expect(await compare(left, right, patternsOf)).toEqual(['1× a o, b o']);
});

const everyStatus = ['Completed', 'Bypassed', 'Failed', 'Canceled', 'NotRun'] as const;

test('how a node ended on either side, what it gave or nothing, is told apart', async () => {
  const ends: readonly (Partial<NodeRun> | undefined)[] = [
    undefined,
    ...everyStatus.map((status) => ({ status, inputs: {} })),
    { status: 'Completed', inputs: { x: 1 } },
    { status: 'Completed', inputs: {}, output: 1 },
    { status: 'Completed', inputs: {}, output: null, fingerprint: 'a'.repeat(32) },
    { status: 'Completed', inputs: {}, output: 1, fingerprint: 'a'.repeat(32) },
  ];
  const rowsWith = (end: (line: number) => Partial<NodeRun> | undefined): readonly Row[] =>
    Array.from({ length: ends.length ** 2 }, (_, line): Row => {
      const run = end(line);
      return { line, inputs: { q: line }, nodes: { last: 1, ...(run === undefined ? {} : { a: run as JsonValue }) } };
    });
  const [leftOf, rightOf] = [
    (line: number) => ends[Math.floor(line / ends.length)],
    (line: number) => ends[line % ends.length],
  ];
  // Of a node alone, so that what a row gives stays the same.
  const path = await Promise.all([writeRun(rowsWith(leftOf)), writeRun(rowsWith(rightOf))]);
  const found = await compare(...path, ({ patterns, pairs }) => {
    const nodes = new Map(patterns.map((pattern) => [pattern.id, pattern.nodes.find(({ node }) => node === 'a')]));
    const told = pairs([...nodes.keys()], 1000).map(({ pattern, left }) => [left.line, nodes.get(pattern)] as const);
    return new Map(told);
  });
  for (const line of Array.from({ length: ends.length ** 2 }, (_, at) => at)) {
    const [one, other] = [leftOf(line), rightOf(line)];
    const isOnOneSide = (one === undefined) !== (other === undefined);
    const outputDiffers = isOnOneSide || (one?.output ?? null) !== (other?.output ?? null);
    const told = found.get(line);
    expect({ one, other, isReported: told !== undefined }).toEqual({
      one,
      other,
      isReported: outputDiffers || one?.status !== other?.status,
    });
    if (told === undefined) continue;
    expect([told.left, told.right, told.outputDiffers]).toEqual([one?.status, other?.status, outputDiffers]);
    if (isOnOneSide) expect([told.inputsDiffer, told.fingerprintDiffers]).toEqual([undefined, undefined]);
  }
});

test('of nodes that run over all rows it is told what went in, and which run has none', async () => {
  const rows = rowsOf('x y');
  const overRows = (inputs: JsonValue, fingerprint: string): JsonValue =>
    ({ inputs, output: 1, fingerprint }) as JsonValue;
  const [one, other, none] = [
    await writeRun(rows, { score: overRows({ n: 1 }, 'a'.repeat(32)) }),
    await writeRun(rows, { score: overRows({ n: 2 }, 'b'.repeat(32)) }),
    await writeRun(rows),
  ];
  const aggregation = (comparison: RunComparison) => comparison.aggregation;
  const both = { node: 'score', left: 'Completed', right: 'Completed', outputDiffers: false };
  expect(await compare(one, other, aggregation)).toEqual([{ ...both, inputsDiffer: true, fingerprintDiffers: true }]);
  expect(await compare(one, one, aggregation)).toEqual([{ ...both, inputsDiffer: false, fingerprintDiffers: false }]);
  expect(await compare(one, none, aggregation)).toEqual([{ node: 'score', left: 'Completed', outputDiffers: true }]);
  expect(await compare(none, one, aggregation)).toEqual([{ node: 'score', right: 'Completed', outputDiffers: true }]);
});

test.for([
  [
    'left',
    'UPDATE row_digests SET checksum = checksum + 1 WHERE row = 1048576',
    'not all digests of rows are as they were written',
  ],
  [
    'right',
    'UPDATE row_digests SET checksum = checksum + 1 WHERE row = 1048576',
    'not all digests of rows are as they were written',
  ],
  ['left', 'UPDATE row_digests SET digests = zeroblob(40) WHERE row = 1048576', undefined],
  ['right', 'UPDATE row_digests SET digests = zeroblob(40) WHERE row = 1048576', undefined],
] as const)('a pair whose row in the %s run is damaged is left out, and told once (%s)', async ([side, sql, table]) => {
  const [left, right] = [await writeRun(rowsOf('x y z')), await writeRun(rowsOf('x y z'))];
  const path = side === 'left' ? left : right;
  {
    using database = new DatabaseSync(path);
    database.exec(sql);
  }
  const told: string[] = [];
  const onDamage = ({ message }: { readonly message: string }): void => {
    told.push(message);
  };
  await using one = openSqliteRunReader(left);
  await using other = openSqliteRunReader(right);
  const aligned = [{ left: 'a', right: 'a' }];
  const files = [
    { path: left, store: one },
    { path: right, store: other },
  ] as const;
  {
    using found = await compareRunFiles({ ...files[0], onDamage }, { ...files[1], onDamage }, { aligned });
    expect([patternsOf(found), found.left, found.right]).toEqual([['2× '], 3, 3]);
    expect([found.onlyLeft, found.onlyRight]).toEqual([0, 0]);
  }
  const row = `row 1 of the run record ${path} cannot be read: a record of it is damaged`;
  expect(told).toEqual(table === undefined ? [row] : [`the run record ${path} is damaged: ${table}`, row]);
  await expect(compareRunFiles(...files, { aligned })).rejects.toThrow(path);
});
