import { Redactor } from '@unroll/engine';
import { describe, expect, test } from 'vitest';
import { createTestFlow, runNode } from '../testing/test-flow.ts';

/** What a function does, and what is told of it; where nothing is, what it gives. */
const thrown: readonly (readonly [string, RegExp])[] = [
  ['throw new Proxy({}, {})', /^Execution failure in 'n': \(Proxy\) /],
  [
    'throw new Proxy({}, { getPrototypeOf() { throw 1; }, get() { throw 2; } })',
    /^Execution failure in 'n': \(Proxy\) /,
  ],
  ['const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); throw proxy', /\(Proxy\) <Revoked Proxy>$/],
  ['throw null', /\(null\) null$/],
  ['throw undefined', /\(undefined\) undefined$/],
  ['throw Symbol("s")', /\(symbol\) Symbol\(s\)$/],
  ['throw 5n', /\(bigint\) 5$/],
  ['throw { get message() { throw new Error("no"); } }', /\(object\) \{ message: \[Getter\] \}$/],
  ['throw { toString() { throw new Error("no"); } }', /\(object\) \{ toString: \[Function: toString\] \}$/],
  ['throw { message: "its own words" }', /\(object\) its own words$/],
  ['throw Object.create(null)', /\(object\) \[Object: null prototype\] \{\}$/],
  ['throw Object.assign(new Error(""), { message: { deep: 1n } })', /\(Error\) \{ deep: 1n \}$/],
  ['throw Object.defineProperty(new Error("m"), "name", { get() { throw 1; } })', /\(Error\) m$/],
  ['throw Object.defineProperty(new Error("m"), "stack", { get() { throw 1; } })', /\(Error\) m$/],
  ['throw Object.assign(new Error("m"), { constructor: null })', /\(Error\) m$/],
  ['return Promise.reject(new Proxy(new Error("m"), {}))', /\(Proxy\) /],
  ['return Promise.reject(Object.create({ get constructor() { throw 1; } }))', /\(object\) /],
  ['return { then() { throw new Error("no then"); } }', /\(Error\) no then$/],
  ['return { get then() { throw new Error("no then"); } }', /\(Error\) no then$/],
];

const returned: readonly (readonly [string, RegExp])[] = [
  ['return { get a() { throw new RangeError("no a"); } }', /\(RangeError\) no a$/],
  ['return { toJSON() { throw new RangeError("no JSON"); } }', /\(RangeError\) no JSON$/],
  ['return { a: { toJSON() { return this; } } }', /returned an object that holds itself, at .a$/],
  ['return new Proxy({}, { ownKeys() { throw new RangeError("no keys"); } })', /\(RangeError\) no keys$/],
  ['const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy', /revoked/],
  ['return { a: Symbol("s") }', /returned a symbol at a, which a record cannot hold$/],
  ['const a = {}; a.b = [a]; return a', /returned an object that holds itself, at .b\[0\]$/],
  ['return new Map()', /returned a Map/],
  ['return { s: new Set() }', /returned a Set .* at s,/],
  ['return new Float32Array(2)', /returned a Float32Array \(return \[\.\.\.array\]\), which/],
  ['return { b: new ArrayBuffer(2) }', /returned an ArrayBuffer .* at b,/],
  ['return new DataView(new ArrayBuffer(2))', /returned a DataView/],
  ['return (function* () { yield 1; })()', /returned an iterator \(return \[\.\.\.iterator\]\), which/],
  [
    'return (async function* () { yield 1; })()',
    /returned an iterator \(return await Array\.fromAsync\(iterator\)\), which/,
  ],
  [
    'return new Response("text")',
    /returned a Response, which shows nothing .* \(return await response\.json\(\), or \.text\(\)\), which/,
  ],
  ['return { of: new Headers({ a: "1" }) }', /returned a Headers, .* \(return Object\.fromEntries\(headers\)\) at of,/],
  [
    'class Response$1 extends Response { #a = 1; } return new Response$1()',
    /returned a Response, which .* \(return await response/,
  ],
  ['return new ReadableStream()', /returned a ReadableStream, .* \(return what you need of it\), which/],
  ['class Point { #x = 1; get x() { return this.#x; } } return new Point()', /returned a Point, which shows nothing/],
  ['let v = 1; for (let i = 0; i < 1001; i += 1) v = [v]; return v', /nested deeper than 1000 levels, at \[0\]\[0\]/],
  ['let v = 1; for (let i = 0; i < 20000; i += 1) v = { v }; return v', /nested deeper than 1000 levels, at v\.v/],
  ['let v = { toJSON: () => v }; return { ...v, toJSON: () => ({ toJSON: v.toJSON }) }', /holds itself|deeper/],
  ['return (function f() { return f(); })()', /\(RangeError\) Maximum call stack size exceeded$/],
  ['return "x".repeat(2 ** 30)', /\(RangeError\) Invalid string length$/],
];

describe.for([false, true])('in a thread of its own: %s', (inThreads) => {
  test('each is told as what it is, none as a time-out', { timeout: 60_000 }, async () => {
    const cases = [...thrown, ...returned];
    const branches = cases.map(([code], at) => `if (x === ${at}) { ${code}; }`).join('\n');
    await using flow = createTestFlow({ 'n.mjs': `export default ({ x }) => {\n${branches}\n}\n` }, { inThreads });
    const node = await flow.prepare('n.mjs');
    for (const [at, [code, told]] of cases.entries()) {
      const outcome = await runNode(node, { x: at }, { timeLimitMs: 5000 });
      expect(outcome, code).toMatchObject({ ok: false, error: { message: expect.stringMatching(told) } });
      expect(outcome.ok ? '' : outcome.error.code, code).not.toBe('NodeTimeout');
    }
  });

  test('what can be recorded is', async () => {
    const file = `export default () => ({ big: 5n, boxed: [new Number(1.5), new String('s'), new Boolean(false)],
  at: new Date(0), none: undefined, url: new URL('http://a/'), [Symbol('s')]: 1, own: new (class { a = 1; get b() { return 2; } })(), nothing: new (class {})(), holes: Array(2), bare: Object.assign(Object.create(null), { a: 1 }) })`;
    await using flow = createTestFlow({ 'n.mjs': file }, { inThreads });
    const output = {
      big: 5n,
      boxed: [1.5, 's', false],
      at: '1970-01-01T00:00:00.000Z',
      url: 'http://a/',
      own: { a: 1 },
      nothing: {},
      holes: [null, null],
      bare: { a: 1 },
    };
    expect(await runNode(await flow.prepare('n.mjs'))).toEqual({ ok: true, output });
  });

  test('a secret among the keys of a value that cannot be recorded is told nowhere, not by half', async () => {
    const file = `export default () => ({ ['k'.repeat(40)]: { 'open-sesame-77-of-the-cave': new Map() } });`;
    await using flow = createTestFlow({ 'n.mjs': file }, { inThreads });
    const redactor = new Redactor();
    redactor.learn('open-sesame-77-of-the-cave');
    const outcome = await runNode(await flow.prepare('n.mjs'));
    expect(outcome).toMatchObject({ ok: false, error: { message: expect.stringContaining('a Map') } });
    expect(redactor.message(JSON.stringify(outcome))).not.toMatch(/open|sesame|cave/);
  });

  test.for(['log', 'error'])('a secret that the bound of console.%s halves is told nowhere', async (print) => {
    const file = `export default () => { console.log("x".repeat(9_999_990)); console.${print}("open sesame 77"); console.log(1); return 1; }`;
    await using flow = createTestFlow({ 'n.mjs': file }, { inThreads });
    const redactor = new Redactor();
    redactor.learn('open sesame 77');
    const { stdout = '', stderr = '' } = (await runNode(await flow.prepare('n.mjs'))).report?.logs ?? {};
    const told = redactor.message(stdout).slice(-100) + redactor.message(stderr);
    expect(told).not.toContain('open');
    expect(told).toMatch(/\n… \d+ more characters were printed\n/);
  });

  test('what is printed is kept up to a bound that is told', async () => {
    const file =
      'export default () => { for (let i = 0; i < 1000; i += 1) console.log("x".repeat(99_999)); return 1; }';
    await using flow = createTestFlow({ 'n.mjs': file }, { inThreads });
    const outcome = await runNode(await flow.prepare('n.mjs'));
    expect(outcome.report?.logs?.stdout.slice(-50)).toMatch(/x\n\n… 90000000 more characters were printed\n$/);
  });

  test('a value of 1,000 levels is handed on', async () => {
    const file = 'export default () => { let v = 1; for (let i = 0; i < 1000; i += 1) v = { v }; return v; }';
    await using flow = createTestFlow({ 'n.mjs': file }, { inThreads });
    expect(await runNode(await flow.prepare('n.mjs'))).toMatchObject({ ok: true });
  });
});
