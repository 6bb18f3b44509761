// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { expect, test } from 'vitest';
import type { NodeCall, NodeOutcome } from '../node/node-type.ts';
import type { NodeRun } from '../record/node-run.ts';
import { undefinedFields } from '../testing/undefined-fields.ts';
import type { JsonValue } from '../value/json.ts';
import { type Behaviours, madeFlow, writtenFlow } from './made-flow.fixture.ts';
import type { NodeEvent } from './run-event.ts';
import type { RowOptions } from './run-flow.ts';

const error = { code: 'E', message: 'no', retryable: true };

/** A clock that goes on by 7 ms whenever a node works. */
function clock(): { readonly now: () => number; readonly work: () => undefined } {
  let now = 1000;
  const work = (): undefined => {
    now += 7;
  };
  return { now: () => now, work };
}

test.for<[what: string, outcome: NodeOutcome, record: Partial<NodeRun>]>([
  ['an output', { ok: true, output: 1 }, { status: 'Completed', output: 1 }],
  [
    'what was read beside it',
    { ok: true, output: 1, beside: { a: 1 }, changed: { q: 'y' }, inexact: 'copied' },
    { status: 'Completed', output: 1, beside: { a: 1 }, changed: { q: 'y' }, inexact: 'copied' },
  ],
  [
    'one thing beside it',
    { ok: true, output: 1, changed: { q: 'y' } },
    { status: 'Completed', output: 1, changed: { q: 'y' } },
  ],
  ['another', { ok: true, output: 1, inexact: 'copied' }, { status: 'Completed', output: 1, inexact: 'copied' }],
  [
    'a report',
    { ok: true, output: 1, beside: { a: 1 }, report: { warnings: ['w'] } },
    { status: 'Completed', output: 1, beside: { a: 1 }, warnings: ['w'] },
  ],
  ['a failure', { ok: false, error }, { status: 'Failed', error }],
  [
    'a failure with a report',
    { ok: false, error, report: { warnings: ['w'] } },
    { status: 'Failed', error, warnings: ['w'] },
  ],
  ['what was stopped', { ok: false, error, canceled: true }, { status: 'Canceled', error }],
])('the record of a node says all that came of it: %s', async ([, outcome, expected]) => {
  for (const given of [outcome, Promise.resolve(outcome)]) {
    const { now, work } = clock();
    const run = (): NodeOutcome | Promise<NodeOutcome> => {
      work();
      return given;
    };
    await using flow = await madeFlow(['name: a, type: model, inputs: {q: "${inputs.q}"}'], { a: { run } }, { now });
    const { nodes, row } = await flow.runRow({ q: 'x' });
    const at = { line: 0, node: 'a', kind: 'model', inputs: { q: 'x' }, startedAt: 1000, durationMs: 7 };
    expect(nodes).toStrictEqual([{ ...at, ...expected }]);
    expect(undefinedFields({ nodes, row })).toEqual([]);
    const repeated = await flow.runRow({ q: 'x' }, { line: 3, repeat: 2 });
    expect(repeated.nodes[0]).toMatchObject({ line: 3, repeat: 2, ...expected });
  }
});

test('a row takes from its start to its end; nodes that did not run are there', async () => {
  const nodes = ['name: a, type: model', 'name: b, type: model, inputs: {a: "${a.output}"}'];
  const { now, work } = clock();
  const a: Behaviours[string] = {
    run: () => {
      work();
      return { ok: false, error };
    },
  };
  await using fails = await madeFlow(nodes, { a }, { now });
  const failed = await fails.runRow({}, { line: 2 });
  expect(failed.row).toStrictEqual({
    line: 2,
    status: 'Failed',
    inputs: { q: 'x' },
    outputs: {},
    error: { ...error, node: 'a' },
    startedAt: 1000,
    durationMs: 7,
  });
  expect(failed.nodes[1]).toStrictEqual({ line: 2, node: 'b', kind: 'model', status: 'NotRun' });
  const working: Behaviours[string] = { output: () => work() ?? 'done' };
  await using flow = await madeFlow(nodes, { a: working, b: working }, { now });
  expect((await flow.runRow({}, { repeat: 1 })).row).toStrictEqual({
    ...{
      line: 0,
      repeat: 1,
      status: 'Completed',
      inputs: { q: 'x' },
      outputs: { o: 'done' },
      startedAt: 1007,
      durationMs: 14,
    },
  });
});

test('a row whose inputs do not fit runs nothing', async () => {
  const text =
    'inputs: {n: {type: int}}\nnodes:\n- {name: a, type: model, source: {path: x.ts}, inputs: {n: "${inputs.n}"}}\n';
  await using flow = await writtenFlow(text, {}, { now: () => 1000 });
  const { row, nodes } = await flow.runRow({ n: 'x' }, { line: 4 });
  expect(row).toMatchObject({
    line: 4,
    status: 'Failed',
    inputs: { n: 'x' },
    outputs: {},
    startedAt: 1000,
    durationMs: 0,
  });
  expect(nodes).toStrictEqual([{ line: 4, node: 'a', kind: 'model', status: 'NotRun' }]);
});

test('a condition that cannot be read lets none start, and its node is named', async () => {
  const nodes = [
    'name: a, type: pure',
    'name: b, type: pure, activate: {when: "${a.output.x}", is: 1}',
    'name: c, type: pure',
  ];
  await using flow = await madeFlow(nodes);
  const told: string[] = [];
  const onEvent = (event: NodeEvent): void => void (event.type === 'node-started' && told.push(event.node));
  const { row } = await flow.runRow({}, { onEvent });
  expect(row.error).toMatchObject({ code: 'InvalidReferenceProperty', node: 'b' });
  expect(told).toEqual(['a', 'c']);
});

test('an input that cannot be read fails the row with its node', async () => {
  const nodes = ['name: a, type: pure', 'name: b, type: pure, inputs: {x: "${a.output.x}"}'];
  await using flow = await madeFlow(nodes);
  expect((await flow.runRow({})).row.error).toMatchObject({ code: 'InvalidReferenceProperty', node: 'b' });
});

async function callsOf(options: RowOptions, nodes: readonly string[]): Promise<readonly NodeCall[]> {
  const calls: NodeCall[] = [];
  const run = (_: unknown, call: NodeCall): NodeOutcome => {
    calls.push(call);
    return { ok: true, output: call.node };
  };
  await using flow = await madeFlow(nodes, { a: { run }, b: { run }, c: { run } });
  await flow.runRow({ q: 'hello' }, options);
  return calls;
}

test('a node is told its place, and whether others read what it is given', async () => {
  const nodes = [
    'name: a, type: model, inputs: {q: "${inputs.q}"}',
    'name: b, type: model, inputs: {a: "${a.output}", n: 1}',
  ];
  const [a, b] = await callsOf({ runId: 'r', line: 5 }, nodes);
  expect(a).toMatchObject({ runId: 'r', line: 5, node: 'a', flowInputs: { q: 'hello' } });
  expect([a, b].map((call) => [call?.repeat, call?.isShared])).toEqual([
    [undefined, undefined],
    [undefined, undefined],
  ]);
  const shared = [
    'name: a, type: model, inputs: {q: "${inputs.q}"}',
    'name: b, type: model, inputs: {q: "${inputs.q}", a: "${a.output}"}',
    'name: c, type: model, inputs: {n: 1}',
  ];
  expect((await callsOf({ repeat: 3 }, shared)).map(({ node, repeat, isShared }) => [node, repeat, isShared])).toEqual([
    ['a', 3, true],
    ['c', 3, undefined],
    ['b', 3, true],
  ]);
  const output = ['name: a, type: model', 'name: b, type: model, inputs: {one: "${a.output.x}", two: "${a.output}"}'];
  const fails = await callsOf({}, output);
  expect(fails.map(({ node, isShared }) => [node, isShared])).toEqual([['a', undefined]]);
});

test('text is told where it is asked for: of answers, or of all', async () => {
  const nodes = ['name: a, type: model', 'name: b, type: model, inputs: {a: "${a.output}"}'];
  const events: NodeEvent[] = [];
  const says = (_: unknown, call: NodeCall): NodeOutcome => {
    call.onText?.(`${call.node}!`);
    return { ok: true, output: `${call.onText !== undefined} ${call.countsTokens}` };
  };
  await using flow = await madeFlow(nodes, { a: { run: says }, b: { run: says } });
  const textsWith = async (streaming: RowOptions['streaming'], repeat = 0): Promise<unknown> => {
    events.length = 0;
    const { nodes } = await flow.runRow(
      {},
      { line: 1, repeat, onEvent: (event) => events.push(event), ...(streaming === undefined ? {} : { streaming }) },
    );
    return [nodes.map(({ output }) => output), events.filter(({ type }) => type === 'text')];
  };
  expect(await textsWith(undefined)).toEqual([['false undefined', 'false undefined'], []]);
  expect(await textsWith({ nodes: 'answers', tokens: false })).toEqual([
    ['false undefined', 'true false'],
    [{ type: 'text', line: 1, node: 'b', text: 'b!' }],
  ]);
  expect(await textsWith({ nodes: 'all', tokens: true }, 2)).toEqual([
    ['true true', 'true true'],
    [
      { type: 'text', line: 1, repeat: 2, node: 'a', text: 'a!' },
      { type: 'text', line: 1, repeat: 2, node: 'b', text: 'b!' },
    ],
  ]);
});

test('what code changes in what it was given is seen by whoever reads it later, and by no record made before', async () => {
  const list: JsonValue = ['one'];
  const behaviours: Behaviours = {
    a: { output: { list, other: ['kept'] } },
    b: { run: () => ({ ok: true, output: 'changed', changed: { x: ['one', 'two'] } }) },
  };
  const nodes = [
    'name: a, type: pure',
    'name: b, type: pure, inputs: {x: "${a.output.list}", q: "${inputs.q}"}',
    'name: c, type: pure, inputs: {a: "${a.output}", b: "${b.output}"}',
  ];
  await using flow = await madeFlow(nodes, behaviours);
  const { nodes: records } = await flow.runRow({});
  expect(records.map(({ inputs, output }) => [inputs, output])).toEqual([
    [{}, { list: ['one'], other: ['kept'] }],
    [{ x: ['one'], q: 'x' }, 'changed'],
    [{ a: { list: ['one', 'two'], other: ['kept'] }, b: 'changed' }, 'c'],
  ]);
});

test('a node that ended in an earlier attempt is not run; one whose record lacks what is beside it is', async () => {
  let ran = 0;
  const run = (): NodeOutcome => {
    ran += 1;
    return { ok: true, output: 'run again', beside: { b: 1 } };
  };
  const record: NodeRun = {
    line: 0,
    node: 'a',
    kind: 'model',
    status: 'Completed',
    output: 'before',
    changed: { q: 'y' },
  };
  for (const [givesBeside, finished, output, times] of [
    [undefined, record, 'before', 0],
    [true, record, 'run again', 1],
    [true, { ...record, beside: { b: 2 } }, 'before', 1],
    [undefined, { line: 0, node: 'a', kind: 'model', status: 'Completed' } satisfies NodeRun, null, 1],
  ] as const) {
    await using flow = await madeFlow(['name: a, type: model'], {
      a: { run, ...(givesBeside === undefined ? {} : { givesBeside }) },
    });
    const { row, nodes } = await flow.runRow({}, { finished: new Map([['a', finished]]) });
    expect([row.outputs['o'], ran]).toEqual([output, times]);
    expect(undefinedFields(nodes)).toEqual([]);
  }
});

test('a time limit is told to nodes that keep it themselves, and kept for the others', async () => {
  const limits: (number | undefined)[] = [];
  const told = (_: unknown, { timeLimitMs }: NodeCall): NodeOutcome => {
    limits.push(timeLimitMs);
    return { ok: true, output: 1 };
  };
  const never = (): Promise<NodeOutcome> => new Promise(() => undefined);
  const nodes = ['name: a, type: model', 'name: b, type: model'];
  await using flow = await madeFlow(
    nodes,
    { a: { run: told, keepsTime: true }, b: { run: never } },
    { nodeTimeoutMs: 20 },
  );
  const { row } = await flow.runRow({});
  expect(limits).toEqual([20]);
  expect(row.error).toMatchObject({ code: 'NodeTimeout', node: 'b' });
});

test('literals are given as the node takes them, beside what it reads', async () => {
  const nodes = ['name: a, type: model, inputs: {q: "${inputs.q}", n: 3, dropped: ""}'];
  await using flow = await madeFlow(nodes, { a: { literals: { n: 4 } } });
  expect((await flow.runRow({})).nodes[0]?.inputs).toEqual({ q: 'x', n: 4 });
});

test('over all rows a node is given lists, and its condition sees one', async () => {
  const nodes = [
    'name: a, type: model, inputs: {q: "${inputs.q}"}',
    'name: mean, type: model, aggregation: true, inputs: {a: "${a.output}", q: "${inputs.q}", n: 3}, activate: {when: "${inputs.q}", is: [one, two]}',
    'name: none, type: model, aggregation: true, inputs: {a: "${a.output}"}, activate: {when: "${inputs.q}", is: one}',
    'name: last, type: model, aggregation: true, inputs: {m: "${mean.output}"}',
    'name: z, type: pure',
  ];
  await using flow = await madeFlow(nodes, { a: { output: ({ q = null }) => q } });
  const rows = [await flow.runRow({ q: 'one' }), await flow.runRow({ q: 'two' }, { line: 1 })];
  const { nodes: over, metrics } = await flow.runAggregation(rows);
  expect(over.map(({ node, status, inputs }) => [node, status, inputs])).toEqual([
    ['mean', 'Completed', { a: ['one', 'two'], q: ['one', 'two'], n: 3 }],
    ['none', 'Bypassed', undefined],
    ['last', 'Completed', { m: 'mean' }],
  ]);
  expect(metrics).toEqual({});
});

test('a condition over a bypassed node bypasses; to read a part of what a bypassed node gave fails the row', async () => {
  const nodes = [
    'name: a, type: pure, activate: {when: "${inputs.q}", is: never}',
    'name: b, type: pure, activate: {when: "${a.output.x}", is: 1}',
    'name: c, type: pure, inputs: {a: "${a.output}", b: "${b.output}"}',
    'name: d, type: pure, inputs: {c: "${c.output}", n: 1}, activate: {when: "${inputs.q}", is: x}',
  ];
  await using flow = await madeFlow(nodes);
  const { row, nodes: records } = await flow.runRow({});
  expect(records.map(({ node, status, inputs }) => [node, status, inputs])).toEqual([
    ['a', 'Bypassed', undefined],
    ['b', 'Bypassed', undefined],
    ['c', 'Bypassed', undefined],
    ['d', 'Completed', { c: null, n: 1 }],
  ]);
  expect(row.status).toBe('Completed');
  const text = `outputs: {o: {type: string, reference: "\${a.output.x}"}}
nodes:
- {name: a, type: pure, source: {path: x.ts}, activate: {when: "\${b.output}", is: 1}}
- {name: b, type: pure, source: {path: x.ts}}
`;
  await using reading = await writtenFlow(text);
  const { row: failed } = await reading.runRow({});
  expect(failed).toMatchObject({ status: 'Failed', outputs: {}, error: { code: 'InvalidReferenceProperty' } });
});

test('what nodes over all rows read of a node has to be there in every row; what they give is no output of a row', async () => {
  const text = (input: string): string => `inputs: {q: {type: string, default: x}}
outputs: {o: {type: string, reference: "\${a.output.x}"}, mean: {type: int, reference: "\${mean.output}"}}
nodes:
- {name: a, type: pure, source: {path: x.ts}}
- {name: mean, type: pure, aggregation: true, source: {path: x.ts}, inputs: {v: "${input}", q: "\${inputs.q}"}}
- {name: last, type: pure, aggregation: true, source: {path: x.ts}, inputs: {m: "\${mean.output.none}"}}
`;
  const behaviours: Behaviours = { a: { output: { x: 1 } } };
  await using fine = await writtenFlow(text('${a.output.x}'), behaviours);
  expect((await fine.runRow({})).row).toMatchObject({ status: 'Completed', outputs: { o: 1 } });
  expect((await fine.runRow({})).row.outputs).toEqual({ o: 1 });
  await using missing = await writtenFlow(text('${a.output.y}'), behaviours);
  expect((await missing.runRow({})).row).toMatchObject({
    status: 'Failed',
    outputs: {},
    error: { code: 'InvalidReferenceProperty' },
  });
});

test('metrics that nodes over all rows logged are kept, those of one that failed too', async () => {
  const nodes = [
    'name: one, type: model, aggregation: true, inputs: {q: "${inputs.q}"}',
    'name: two, type: model, aggregation: true, inputs: {q: "${one.output}"}',
    'name: three, type: model, aggregation: true, inputs: {q: "${two.output}"}',
    'name: z, type: pure',
  ];
  await using flow = await madeFlow(nodes, {
    one: { run: () => ({ ok: true, output: 1, report: { metrics: { mean: 1, count: 2 } } }) },
    two: { run: () => ({ ok: false, error, report: { metrics: { mean: 3 } } }) },
  });
  const { nodes: over, metrics } = await flow.runAggregation([await flow.runRow({})]);
  expect(metrics).toEqual({ mean: 3, count: 2 });
  expect(over.map(({ node, status }) => [node, status])).toEqual([
    ['one', 'Completed'],
    ['two', 'Failed'],
    ['three', 'NotRun'],
  ]);
});
