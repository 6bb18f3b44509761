import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NodeEvent } from '@unroll/engine';
import { openWrittenFlow } from '@unroll/promptflow/testing';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'unroll-python-stream-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const head = 'from promptflow.core import tool\n\n\n@tool\n';
writeFileSync(join(folder, 'plain.py'), `${head}def f():\n    yield "a"\n    yield 2\n    yield None\n`);
writeFileSync(join(folder, 'later.py'), `${head}async def f():\n    yield "x"\n    yield "y"\n`);
writeFileSync(join(folder, 'inside.py'), `${head}def f():\n    return {"answer": (c for c in "pqr"), "n": 1}\n`);
writeFileSync(join(folder, 'mapped.py'), `${head}def f():\n    return map(str, [1, 2])\n`);
writeFileSync(join(folder, 'nothing.py'), `${head}def f():\n    return iter([])\n`);
writeFileSync(join(folder, 'holds.py'), `${head}def f():\n    return {"answer": map(str, [1])}\n`);
writeFileSync(join(folder, 'endless.py'), `${head}def f():\n    while True:\n        yield "e"\n`);
writeFileSync(join(folder, 'large.py'), `${head}def f():\n    while True:\n        yield "x" * (64 << 20)\n`);
writeFileSync(
  join(folder, 'takes.py'),
  `${head}def f(given):\n    return [next(given), type(given).__name__ == "generator"]\n`,
);

const node = (name: string, inputs = '{}'): string =>
  `- {name: ${name}, type: python, source: {type: code, path: ${name}.py}, inputs: ${inputs}}\n`;

async function openFlowOf(outputs: Readonly<Record<string, string>>, nodes: string) {
  const shown = Object.entries(outputs).map(([name, from]) => `  ${name}: {type: string, reference: "\${${from}}"}\n`);
  const text = `outputs:\n${shown.join('')}nodes:\n${nodes}`;
  return await openWrittenFlow(text, folder);
}

async function run(outputs: Readonly<Record<string, string>>, nodes: string, streams = true, begun: unknown[] = []) {
  await using flow = await openFlowOf(outputs, nodes);
  const told: string[] = [];
  const onEvent = (event: NodeEvent): void => {
    if (event.type === 'streams-begin') begun.push(event.streams);
    if (event.type === 'text') told.push(`${event.output} of ${event.node}: ${event.text}`);
  };
  const streaming = { nodes: 'all', tokens: false } as const;
  const { row, nodes: runs } = await flow.runRow({}, { onEvent, ...(streams ? { streaming } : {}) });
  if (row.error !== undefined) throw new Error(row.error.message);
  return { outputs: row.outputs, told, records: Object.fromEntries(runs.map(({ node, output }) => [node, output])) };
}

test('the items of a generator are told one by one, to the output that takes them', async () => {
  expect(await run({ first: 'plain.output', second: 'plain.output' }, node('plain'))).toEqual({
    outputs: { first: 'a2None', second: '' },
    told: ['first of plain: a', 'first of plain: 2', 'first of plain: None'],
    records: { plain: ['a', 2, null] },
  });
});

test('so are those of an asynchronous generator', async () => {
  expect(await run({ o: 'later.output' }, node('later'))).toEqual({
    outputs: { o: 'xy' },
    told: ['o of later: x', 'o of later: y'],
    records: { later: ['x', 'y'] },
  });
});

test.each([
  ['mapped', '12', ['o of mapped: 1', 'o of mapped: 2']],
  ['nothing', '', []],
] as const)('any other iterator is a stream as well, also one that gives nothing: %s', async (name, o, told) => {
  const begun: unknown[] = [];
  expect(await run({ o: `${name}.output` }, node(name), true, begun)).toMatchObject({ outputs: { o }, told });
  expect(begun).toEqual([['o']]);
});

test('a generator inside a mapping is a stream too, and the record holds what it gave', async () => {
  expect(await run({ o: 'inside.output.answer' }, node('inside'))).toEqual({
    outputs: { o: 'pqr' },
    told: ['o of inside: p', 'o of inside: q', 'o of inside: r'],
    records: { inside: { answer: ['p', 'q', 'r'], n: 1 } },
  });
});

test('another node takes of it first; without streaming nothing is told', async () => {
  const nodes = node('inside') + node('takes', '{given: "${inside.output.answer}"}');
  const ran = await run({ o: 'inside.output.answer', t: 'takes.output' }, nodes, false);
  expect(ran).toMatchObject({ outputs: { t: ['p', true] }, told: [] });
  expect(ran.records['inside']).toEqual({ answer: ['p', 'q', 'r'], n: 1 });
});

test('a whole that holds another iterator is none either', async () => {
  await expect(run({ o: 'holds.output' }, node('holds'))).rejects.toThrow(
    'JSON dump failed: (TypeError) Object of type map is not JSON serializable.',
  );
});

test('a whole that holds a generator is no output of the flow', async () => {
  await expect(run({ o: 'inside.output' }, node('inside'))).rejects.toThrow(
    "The output 'o' for flow is incorrect. The output value is not JSON serializable. JSON dump failed: (TypeError) Object of type generator is not JSON serializable.",
  );
});

test('a row that waits for a generator without end is given up as any other', { timeout: 60_000 }, async () => {
  await using flow = await openFlowOf({ o: 'endless.output' }, node('endless'));
  const stop = new AbortController();
  const streaming = { nodes: 'all', tokens: false } as const;
  const onEvent = (event: NodeEvent): void => {
    if (event.type === 'text') stop.abort();
  };
  const { row, nodes } = await flow.runRow({}, { signal: stop.signal, onEvent, streaming });
  expect(row).toMatchObject({ status: 'Canceled', outputs: {} });
  expect(nodes).toMatchObject([
    { node: 'endless', status: 'Completed', output: expect.stringMatching(/^<generator object/) },
  ]);
  expect(await flow.runNode('endless', {})).toMatchObject({ status: 'Completed' });
});

test('a generator gives no more than an output may hold', { timeout: 60_000 }, async () => {
  await expect(run({ o: 'large.output' }, node('large'), false)).rejects.toThrow(
    'the generator gave 3 items and no end, and 256 MB is the limit',
  );
});
