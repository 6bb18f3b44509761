import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Float, rowAlone } from '@unroll/engine';
import { expect, test } from 'vitest';
import { createTestFlow, runNode } from '../testing/test-flow.ts';

test('a synchronous function answers without a promise, an asynchronous one with', async () => {
  await using flow = createTestFlow({
    'double.ts':
      'export default function double({ x, by = 2 }: { x: number; by?: number }): number {\n  return x * by;\n}\n',
    'later.mjs': 'export const later = async ({ x }, { line }) => ({ x, line });\n',
  });
  const double = await flow.prepare('double.ts', { literals: { by: null } });
  expect([...double.parametersWithDefault]).toEqual(['by']);
  const call = {
    runId: 'r',
    line: 3,
    node: 'n',
    signal: new AbortController().signal,
    flowInputs: {},
    row: rowAlone(),
  };
  expect(double.run({ x: new Float(4) }, call)).toEqual({ ok: true, output: 8 });
  expect(double.literals).toEqual({});
  const later = await flow.prepare('later.mjs');
  expect(await runNode(later, { x: [1] }, { line: 3 })).toEqual({ ok: true, output: { x: [1], line: 3 } });
});

test.each([
  ['export default () => 1; export const other = () => 2;', 1],
  ['export function helper() {} export const run = () => 2;', 2],
  ['export function helper() {} export function myNode() { return 3; }', 3],
  ['export const limit = 9; export function lone() { return 4; }', 4],
])('which function is the node: %s', async (text, output) => {
  await using flow = createTestFlow({ 'my-node.mjs': text });
  expect(await runNode(await flow.prepare('my-node.mjs'))).toEqual({ ok: true, output });
});

test.each([
  [
    'export const a = () => 1, b = () => 2;',
    'NoToolDefined',
    /export one as default, or name it "run" or "myNode"; it exports a, b$/,
  ],
  ['export const limit = 9;', 'NoToolDefined', /it exports no function$/],
  [
    'throw new RangeError("top");',
    'ModuleLoadError',
    /^Failed to load module from file '.*my-node.mjs': \(RangeError\) top$/,
  ],
])('a module that is no node: %s', async (text, code, message) => {
  await using flow = createTestFlow({ 'my-node.mjs': text });
  await expect(flow.prepare('my-node.mjs')).rejects.toMatchObject({
    error: { code, message: expect.stringMatching(message) },
  });
});

test.each([
  [
    'TypeScript with imports and exports',
    'node.ts',
    "import { two } from './two.ts';\nexport default (): number => two + 1;\n",
  ],
  [
    'JavaScript with imports and exports',
    'node.js',
    "import { two } from './two.ts';\n\nexport default () => two + 1;\n",
  ],
  ['CommonJS', 'node.js', 'module.exports = { run: () => 3 };\nconst text = `\nexport default 4`;\n'],
])('below a package.json of CommonJS, as npm init writes it: %s', async (_, name, text) => {
  await using flow = createTestFlow({
    'package.json': '{"type": "commonjs"}',
    'two.ts': 'export const two: number = 2;\n',
    [name]: text,
  });
  expect(await runNode(await flow.prepare(name))).toEqual({ ok: true, output: 3 });
});

test('what is thrown names the class and the lines of the flow only', async () => {
  await using flow = createTestFlow({
    'fail.mjs':
      'import { helper } from "./helper.mjs";\n\nclass Unhappy extends Error {}\nexport default async function search({ q }) {\n  await null;\n  if (q === "text") throw "just text";\n  return helper(() => {\n    throw new Unhappy("no " + q);\n  });\n}\n',
    'helper.mjs': 'export function helper(run) {\n  return run();\n}\n',
  });
  const node = await flow.prepare('fail.mjs');
  expect(await runNode(node, { q: 'hits' })).toEqual({
    ok: false,
    error: {
      code: 'ToolExecutionError',
      message: "Execution failure in 'n': (Unhappy) no hits",
      retryable: false,
      cause: { code: 'Unhappy', message: 'no hits' },
      trace: ['fail.mjs:7 in search', 'helper.mjs:2 in helper', 'fail.mjs:8'],
    },
  });
  expect(await runNode(node, { q: 'text' })).toMatchObject({
    error: { message: "Execution failure in 'n': (string) just text", trace: [] },
  });
});

test.for([
  { what: 'errors that cannot be listed', has: '{ errors: new Proxy([], { get() { throw 1; } }) }' },
  { what: 'a list of errors with ways of its own', has: '{ errors: Object.assign([], { slice: () => 5 }) }' },
  { what: 'a stack with an address of another machine', has: '{ stack: "  at x (file://host/a.js:1:2)" }' },
  {
    what: 'a cause that cannot be looked at',
    has: '{ cause: Object.create(new Proxy(Error.prototype, { getPrototypeOf() { throw 1; } })) }',
  },
])('what is thrown with $what fails the node', async ({ has }) => {
  await using flow = createTestFlow({
    'fail.mjs': `export default async () => {\n  throw Object.assign(new AggregateError([], 'all failed'), ${has});\n};\n`,
  });
  const outcome = await runNode(await flow.prepare('fail.mjs'), {});
  expect(outcome).toMatchObject({ ok: false, error: { cause: { code: 'AggregateError', message: 'all failed' } } });
});

test('of a class whose name is very long the begin is told', async () => {
  await using flow = createTestFlow({
    'fail.mjs': "export default () => {\n  throw Object.assign(new Error('no'), { name: 'N'.repeat(1e6) });\n};\n",
  });
  const outcome = await runNode(await flow.prepare('fail.mjs'), {});
  expect(outcome.ok ? 0 : outcome.error.message.length).toBeLessThan(1000);
});

test('the causes of what is thrown are told beside it', async () => {
  await using flow = createTestFlow({
    'fail.mjs':
      'const cause = new RangeError("port", { cause: { code: 4 } });\nexport default ({ kind }) => {\n  if (kind === "ring") { const ring = new Error("a"); ring.cause = new Error("b", { cause: ring }); throw ring; }\n  if (kind === "all") throw new AggregateError([new Error("first", { cause: "disk" }), new Error("second")], "all failed");\n  if (kind === "same") throw new Error("a", { cause: new Error("a") });\n  if (kind === "mute") throw new TypeError("fetch failed", { cause: new AggregateError([new Error("::1"), new Error("127.0.0.1")], "") });\n  throw new TypeError("fetch failed", { cause });\n};\n',
  });
  const node = await flow.prepare('fail.mjs');
  const causeOf = async (kind: string) => {
    const outcome = await runNode(node, { kind });
    return outcome.ok ? undefined : outcome.error.cause;
  };
  expect(await causeOf('plain')).toEqual({
    code: 'TypeError',
    message: 'fetch failed',
    from: ['RangeError: port', 'object: { code: 4 }'],
  });
  expect(await causeOf('ring')).toEqual({ code: 'Error', message: 'a', from: ['Error: b'] });
  expect(await causeOf('all')).toEqual({
    code: 'AggregateError',
    message: 'all failed',
    from: ['Error: first', 'string: disk', 'Error: second'],
  });
  expect(await causeOf('same')).toEqual({ code: 'Error', message: 'a' });
  expect((await causeOf('mute'))?.from).toEqual(['AggregateError', 'Error: ::1', 'Error: 127.0.0.1']);
});

test('a file that is looked for in the folder of the process is told how it is found beside the code', async () => {
  await using flow = createTestFlow({
    'n.ts': `import { readFileSync } from 'node:fs';
export default ({ path }: { path: string }) => readFileSync(path, 'utf8');
`,
  });
  const node = await flow.prepare('n.ts');
  expect(await runNode(node, { path: 'words.txt' })).toMatchObject({
    error: { help: expect.stringContaining('is beside the code') },
  });
  expect(await runNode(node, { path: '/none/words.txt' })).toEqual({
    ok: false,
    error: expect.not.objectContaining({ help: expect.anything() }),
  });
});

test('prints are kept with the call that printed, also when calls overlap', async () => {
  await using flow = createTestFlow({
    'print.mjs':
      'export default async function ({ name }, { log }) {\n  console.log("start", name, { a: 1 });\n  await null;\n  console.error("warn " + name);\n  process.stdout.write("raw " + name + "\\n");\n  log("logged " + name);\n  return name;\n}\n',
  });
  const node = await flow.prepare('print.mjs');
  const outcomes = await Promise.all(['a', 'b'].map((name) => runNode(node, { name })));
  const logs = (name: string) => ({
    stdout: `start ${name} { a: 1 }\nraw ${name}\nlogged ${name}\n`,
    stderr: `warn ${name}\n`,
  });
  expect(outcomes).toEqual(['a', 'b'].map((name) => ({ ok: true, output: name, report: { logs: logs(name) } })));
});

test('tables and objects are printed as the console prints them', async () => {
  await using flow = createTestFlow({
    't.mjs':
      'export default () => { console.table([{ a: 1 }]); console.info("%s is %d", "a", 1, [2]); console.dir({ b: 2 }); };',
  });
  const outcome = await runNode(await flow.prepare('t.mjs'));
  const table = ['┌─────────┬───┐', '│ (index) │ a │', '├─────────┼───┤', '│ 0       │ 1 │', '└─────────┴───┘'];
  const stdout = [...table, 'a is 1 [ 2 ]', '{ b: 2 }', ''].join('\n');
  expect(outcome).toEqual({ ok: true, output: null, report: { logs: { stdout, stderr: '' } } });
});

test.each([
  ['undefined', null],
  ['new Date(0)', '1970-01-01T00:00:00.000Z'],
  ['{ a: undefined, b: [undefined, 1n], c: Number.NaN }', { b: [null, 1n], c: Number.NaN }],
  ['[1].map((x) => ({ x, same: x }))', [{ x: 1, same: 1 }]],
])('returning %s', async (expression, output) => {
  await using flow = createTestFlow({ 't.mjs': `export default () => (${expression});` });
  expect(await runNode(await flow.prepare('t.mjs'))).toEqual({ ok: true, output });
});

test.each([
  [
    '{ a: [new Map()] }',
    "node 'n' returned a Map (return Object.fromEntries(map)) at a[0], which a record cannot hold",
  ],
  ['new Set()', "node 'n' returned a Set (return [...set]), which a record cannot hold"],
  ['{ f() {} }', "node 'n' returned a function at f, which a record cannot hold"],
  ['{ s: Symbol("x") }', "node 'n' returned a symbol at s, which a record cannot hold"],
  ['(() => { const a = { b: {} }; a.b.c = a; return a; })()', "node 'n' returned an object that holds itself, at .b.c"],
])('returning %s is refused', async (expression, message) => {
  await using flow = createTestFlow({ 't.mjs': `export default () => (${expression});` });
  expect(await runNode(await flow.prepare('t.mjs'))).toMatchObject({
    ok: false,
    error: { code: 'NodeOutputUnusable', message },
  });
});

test('what a function does to its inputs does not show in what was recorded', async () => {
  await using flow = createTestFlow({
    't.mjs': 'export default ({ list }) => { list.push(2); return list; };',
  });
  const inputs = { list: [1] };
  expect(await runNode(await flow.prepare('t.mjs'), inputs)).toEqual({ ok: true, output: [1, 2] });
  expect(inputs).toEqual({ list: [1] });
});

test('an edited file is seen by the next prepare', async () => {
  await using flow = createTestFlow({ 't.mjs': 'export default () => "old";' });
  expect(await runNode(await flow.prepare('t.mjs'))).toMatchObject({ output: 'old' });
  const file = join(flow.folder, 't.mjs');
  writeFileSync(file, 'export default () => "new";');
  utimesSync(file, 1e9, 1e9);
  expect(await runNode(await flow.prepare('t.mjs'))).toMatchObject({ output: 'new' });
});

test('a function that does not listen is left behind when its signal fires', async () => {
  await using flow = createTestFlow({ 't.mjs': 'export default () => new Promise(() => undefined);' });
  const limit = new AbortController();
  const outcome = runNode(await flow.prepare('t.mjs'), {}, { signal: limit.signal });
  limit.abort();
  expect(await outcome).toMatchObject({ ok: false, canceled: true });
});

test("metrics count in aggregation nodes, and the flow's variables are in the context", async () => {
  const text =
    'export default (_, { logMetric, environment }) => { logMetric("m", [0.5]); return environment.SYN_A; };';
  await using flow = createTestFlow({ 't.mjs': text }, { environment: { SYN_A: '1' } });
  const warnings = ['the metric "m" is ignored: only aggregation nodes log metrics'];
  expect(await runNode(await flow.prepare('t.mjs'))).toEqual({ ok: true, output: '1', report: { warnings } });
  const aggregation = await flow.prepare('t.mjs', { aggregation: true });
  expect(await runNode(aggregation)).toEqual({ ok: true, output: '1', report: { metrics: { m: [0.5] } } });
});
