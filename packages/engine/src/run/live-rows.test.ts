// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates

import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Image, imageValue } from '../image/image.ts';
import type { NodeOutcome } from '../node/node-type.ts';
import { createMemoryRunLog } from '../record/memory-run-log.ts';
import type { NodeRun } from '../record/node-run.ts';
import { createSqliteRunLog } from '../record/sqlite-run-log.ts';
import { runInfo } from '../testing/run-info.ts';
import type { JsonValue } from '../value/json.ts';
import { type OnPiece, RemoteValue } from '../value/remote-value.ts';
import { type Behaviours, madeFlow, writtenFlow } from './made-flow.fixture.ts';
import { runBulk } from './run-bulk.ts';
import type { NodeEvent, RunEvent } from './run-event.ts';

/** An object that lives elsewhere: its attributes are asked for one path at a time. */
class Remote extends RemoteValue {
  readonly isStream = false;
  readonly asked: string[] = [];
  toJSON = (): string => '<object>';
  give = async (): Promise<never> => Promise.reject(new Error('bug: an object is no stream'));
  taken = async (): Promise<JsonValue> => this.toJSON();
  async read(path: string) {
    this.asked.push(path);
    if (path === 'gone') return { ok: false, error: { type: 'AttributeError', message: 'no gone' } } as const;
    if (path === 'broken') return { ok: false, error: { type: 'ValueError', message: 'unlucky' } } as const;
    return { ok: true, value: `read ${path}` as JsonValue } as const;
  }
}

/** A stream of pieces, two texts where no others are given. */
class Pieces extends RemoteValue {
  readonly isStream = true;
  private readonly left: JsonValue[];
  constructor(pieces: readonly JsonValue[] = ['one ', 'two']) {
    super();
    this.left = [...pieces];
  }
  toJSON = (): string => '<stream>';
  read = async (): Promise<never> => Promise.reject(new Error('bug: nobody reads in a stream'));
  async give(onPiece?: OnPiece) {
    const rest = this.left.splice(0);
    for (const piece of rest) typeof piece === 'string' ? onPiece?.(piece) : onPiece?.(String(piece), piece);
    return { ok: true, value: rest.join('') } as const;
  }
  taken = async (): Promise<JsonValue> => ['one ', 'two'];
}

const asValue = (value: RemoteValue): JsonValue => value as unknown as JsonValue;

test('what nodes, conditions and outputs read in a value that lives elsewhere is asked for before they start', async () => {
  const remote = new Remote();
  const nodes = [
    'name: a, type: pure',
    'name: b, type: pure, inputs: {x: "${a.output.name}", y: "${a.output.list[0]}", z: "${a.output.k.deep}"}',
    'name: c, type: pure, activate: {when: "${a.output.name}", is: other}',
    'name: d, type: pure, activate: {when: "${a.output.name}", is: read name}',
  ];
  await using flow = await madeFlow(nodes, { a: { output: () => asValue(remote) } });
  const { row, nodes: records } = await flow.runRow({});
  expect(row.error).toBeUndefined();
  expect(records[1]?.inputs).toEqual({ x: 'read name', y: 'read list.[0]', z: 'read k.deep' });
  expect(records.slice(1).map(({ status }) => status)).toEqual(['Completed', 'Bypassed', 'Completed']);
  expect(row.outputs).toEqual({ o: 'd' });
});

test.for([
  ['gone', 'InvalidReferenceProperty'],
  ['broken', 'ValueError'],
] as const)('what cannot be read in it fails the row with the node that asked: %s', async ([path, code]) => {
  const nodes = ['name: a, type: pure', `name: b, type: pure, inputs: {x: "\${a.output.${path}}"}`];
  await using flow = await madeFlow(nodes, { a: { output: () => asValue(new Remote()) } });
  expect((await flow.runRow({})).row).toMatchObject({ status: 'Failed', error: { node: 'b', code } });
});

test('a stream that is an output is joined, told piece by piece where that is asked for, and recorded once it has ended', async () => {
  const events: NodeEvent[] = [];
  await using flow = await madeFlow(['name: a, type: pure'], { a: { output: () => asValue(new Pieces()) } });
  const onEvent = (event: NodeEvent): void => void events.push(event);
  const { row } = await flow.runRow({}, { line: 2, onEvent, streaming: { nodes: 'answers', tokens: false } });
  expect(row.outputs).toEqual({ o: 'one two' });
  expect(events.filter(({ type }) => type === 'text')).toEqual([
    { type: 'text', line: 2, node: 'a', text: 'one ', output: 'o' },
    { type: 'text', line: 2, node: 'a', text: 'two', output: 'o' },
  ]);
  const ended = events.flatMap((event) => (event.type === 'node-ended' ? [event.run] : []));
  expect(ended).toMatchObject([{ line: 2, node: 'a', status: 'Completed', output: ['one ', 'two'] }]);
});

test('before the first piece of a stream all other outputs are told, and pieces that are no texts as they are', async () => {
  const events: NodeEvent[] = [];
  const text = `outputs:
  o: {type: string, reference: "\${a.output}"}
  n: {type: int, reference: "\${b.output}"}
nodes:
- {name: a, type: pure, source: {type: code, path: x.ts}}
- {name: b, type: pure, source: {type: code, path: x.ts}}
`;
  const behaviours: Behaviours = { a: { output: () => asValue(new Pieces([7])) }, b: { output: () => 5 } };
  await using flow = await writtenFlow(text, behaviours);
  const onEvent = (event: NodeEvent): void => void events.push(event);
  const { row } = await flow.runRow({}, { onEvent, streaming: { nodes: 'answers', tokens: false } });
  expect(Object.entries(row.outputs)).toEqual([
    ['o', '7'],
    ['n', 5],
  ]);
  expect(events.filter(({ type }) => type === 'text' || type === 'streams-begin')).toEqual([
    { type: 'streams-begin', line: 0, outputs: { n: 5 }, streams: ['o'] },
    { type: 'text', line: 0, node: 'a', text: '7', output: 'o', item: 7 },
  ]);
});

test('what several places read in it is asked for once in each; of a row that failed nothing is asked for its outputs', async () => {
  const remote = new Remote();
  const text = (last: string): string => `outputs: {o: {type: string, reference: "\${a.output.answer}"}}
nodes:
- {name: a, type: pure, source: {type: code, path: x.ts}}
- {name: b, type: ${last}, source: {type: code, path: x.ts}, inputs: {x: "\${a.output.name}", q: "\${a.output}"}}
`;
  const fails = (): NodeOutcome => ({ ok: false, error: { code: 'E', message: 'no', retryable: false } });
  const behaviours: Behaviours = { a: { output: () => asValue(remote) } };
  await using sound = await writtenFlow(text('pure'), behaviours);
  expect((await sound.runRow({})).row).toMatchObject({ status: 'Completed', outputs: { o: 'read answer' } });
  expect(remote.asked).toEqual(['name', 'answer']);
  remote.asked.length = 0;
  await using failing = await writtenFlow(text('model'), { ...behaviours, b: { run: fails } });
  expect((await failing.runRow({})).row).toMatchObject({ status: 'Failed', outputs: {}, error: { node: 'b' } });
  expect(remote.asked).toEqual(['name']);
});

test('a row that is stopped while it waits for what a node reads ends as stopped, and starts no more', async () => {
  const stop = new AbortController();
  class Slow extends Remote {
    override async read(path: string) {
      stop.abort();
      return super.read(path);
    }
  }
  const nodes = ['name: a, type: pure', 'name: b, type: pure, inputs: {x: "${a.output.name}"}'];
  await using flow = await madeFlow(nodes, { a: { output: () => asValue(new Slow()) } });
  const { row, nodes: records } = await flow.runRow({}, { signal: stop.signal });
  expect(row).toMatchObject({ status: 'Canceled', outputs: {} });
  expect(records.map(({ status }) => status)).toEqual(['Completed', 'NotRun']);
});

test('a stream that nobody reads to its end is recorded with what it gave, also where its row failed', async () => {
  const nodes = ['name: a, type: pure', 'name: b, type: model, inputs: {n: 1}'];
  const fails = (): NodeOutcome => ({ ok: false, error: { code: 'E', message: 'no', retryable: false } });
  await using flow = await madeFlow(nodes, { a: { output: () => asValue(new Pieces()) }, b: { run: fails } });
  const events: NodeEvent[] = [];
  const { row, nodes: records } = await flow.runRow({}, { onEvent: (event) => events.push(event) });
  expect(row.status).toBe('Failed');
  expect(records[0]).toMatchObject({ node: 'a', status: 'Completed', output: ['one ', 'two'], inexact: 'copied' });
  const ended = events.flatMap((event) => (event.type === 'node-ended' ? [event.run.node] : []));
  expect(ended).toEqual(['b', 'a']);
});

/** An object that can be given to another process. */
class Packable extends Remote {
  readonly name: string;
  constructor(name: string) {
    super();
    this.name = name;
  }
  override pack = async (): Promise<JsonValue> => asValue(new Packed(this.name));
}
class Packed extends Packable {
  override read = async (path: string) => ({ ok: true, value: `${this.name}.${path}` as JsonValue }) as const;
}

const overRows = `inputs: {n: {type: int}}
outputs: {o: {type: int, reference: "\${inputs.n}"}}
nodes:
- {name: a, type: pure, source: {type: code, path: x.ts}, inputs: {n: "\${inputs.n}"}}
- {name: unread, type: pure, source: {type: code, path: x.ts}}
- name: all
  type: pure
  aggregation: true
  source: {type: code, path: x.ts}
  inputs: {names: "\${a.output.name}", whole: "\${a.output}"}
- {name: last, type: pure, aggregation: true, source: {type: code, path: x.ts}, inputs: {all: "\${all.output}"}}
`;
const info = runInfo();

test('nodes over all rows are given the objects of rows that completed, though records hold only their texts', async () => {
  const outputs: JsonValue[] = [asValue(new Packable('one')), asValue(new Packable('two'))];
  const seen: JsonValue[] = [];
  const all = (inputs: Readonly<Record<string, JsonValue>>): JsonValue => {
    seen.push(inputs['names'] ?? null, (inputs['whole'] as readonly JsonValue[]).length);
    return 'seen';
  };
  const a = ({ n }: Readonly<Record<string, JsonValue>>): JsonValue => outputs[Number(n)] ?? null;
  const behaviours: Behaviours = {
    a: { output: a },
    unread: { output: () => asValue(new Remote()) },
    all: { output: all },
  };
  await using flow = await writtenFlow(overRows, behaviours);
  const store = createMemoryRunLog(info);
  const data = [0, 1].map((n, line) => ({ line, values: { n } }));
  const { aggregation } = await runBulk(flow, data, store, { runId: 'r', concurrency: 1 });
  expect(seen).toEqual([['one.name', 'two.name'], 2]);
  expect(aggregation.map(({ node, status }) => [node, status])).toEqual([
    ['all', 'Completed'],
    ['last', 'Completed'],
  ]);
});

test('nodes over all rows are given images that came from an address as the rows had them, not fetched again', async () => {
  const photo = imageValue(new Image(Buffer.from('GIF89a'), 'image/gif', 'http://a.invalid/b'));
  const seen: JsonValue[] = [];
  const all = ({ whole = null }: Readonly<Record<string, JsonValue>>): JsonValue => seen.push(whole);
  await using flow = await writtenFlow(overRows, {
    a: { output: { name: 'a', photo } },
    unread: { output: 1 },
    all: { output: all },
  });
  using folder = mkdtempDisposableSync(join(tmpdir(), 'live-rows-'));
  await using store = createSqliteRunLog(join(folder.path, 'r.run'), info);
  const { aggregation } = await runBulk(flow, [{ line: 0, values: { n: 0 } }], store, { runId: 'r', concurrency: 1 });
  expect(aggregation.map(({ error }) => error?.message)).toEqual([undefined, undefined]);
  expect(seen).toEqual([[{ name: 'a', photo }]]);
});

test('where the process that held the objects has ended, nodes over all rows say so', async () => {
  const remote = (): JsonValue => asValue(new Packable('one'));
  await using flow = await writtenFlow(overRows, { a: { output: remote }, all: { output: 1 } });
  const store = createMemoryRunLog(info);
  const one = [{ line: 0, values: { n: 0 } }];
  const stop = new AbortController();
  const stopping = { ...{ runId: 'r', concurrency: 1 }, stop: stop.signal };
  await runBulk(flow, one, store, { ...stopping, onEvent: (event) => event.type === 'row-ended' && stop.abort() });
  const told: NodeRun[] = [];
  const onEvent = (event: RunEvent): void => void (event.type === 'node-ended' && told.push(event.run));
  const { aggregation } = await runBulk(flow, one, store, { runId: 'r', concurrency: 1, onEvent });
  const message =
    "node 'a' gave row 0 an object that a record holds only as text, and the run was stopped since: a new run gives it to the nodes over all rows";
  expect(aggregation).toEqual(
    ['all', 'last'].map((node) => ({
      line: 0,
      node,
      kind: 'pure',
      status: 'Failed',
      error: { code: 'OutputNotRecorded', message, retryable: false },
    })),
  );
  expect(told).toEqual(aggregation);
});
