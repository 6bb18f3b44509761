import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject, JsonValue, NodeOutcome, PreparedNode } from '@unroll/engine';
import { expect, test } from 'vitest';
import { createTestFlow, runNode, type TestFlow } from '../testing/test-flow.ts';

function threadedFlow(files: Readonly<Record<string, string>>): TestFlow {
  return createTestFlow(files, { inThreads: true, environment: { TONE: 'polite' } });
}

/** What a call of a node gives, each with the same time limit. */
function calls(node: PreparedNode, given: readonly JsonObject[], timeLimitMs: number): Promise<readonly NodeOutcome[]> {
  return Promise.all(given.map((inputs) => runNode(node, inputs, { timeLimitMs })));
}

const timedOut = {
  ok: false,
  error: { code: 'NodeTimeout', message: "node 'n' ran longer than its time limit of 0.3 s" },
};

test('what a function gives, throws and prints is as in the engine itself', async () => {
  await using flow = threadedFlow({
    'n.ts': `import { count } from './count.ts';
export default async function ({ x }: { x: unknown }, { line, environment, log }) {
  console.log('got', x);
  log('logged');
  if (x === 'bad') throw new RangeError('no way');
  if (x === 'map') return new Map();
  return { x, line, tone: environment.TONE, count: count(), at: new Date(0), big: 2n ** 70n, none: undefined };
}
`,
    'count.ts': 'let counted = 0;\nexport const count = () => (counted += 1);\n',
    'other.ts': "import { count } from './count.ts';\nexport default () => count();\n",
  });
  const node = await flow.prepare('n.ts');
  expect(await runNode(node, { x: ['同意', 1.5, null] }, { line: 4 })).toEqual({
    ok: true,
    output: {
      x: ['同意', 1.5, null],
      line: 4,
      tone: 'polite',
      count: 1,
      at: '1970-01-01T00:00:00.000Z',
      big: 2n ** 70n,
    },
    report: { logs: { stdout: "got [ '同意', 1.5, null ]\nlogged\n", stderr: '' } },
  });
  expect(await runNode(node, { x: 'bad' })).toMatchObject({
    error: { message: "Execution failure in 'n': (RangeError) no way", trace: ['n.ts:5 in default'] },
  });
  expect(await runNode(node, { x: 'map' })).toMatchObject({ error: { code: 'NodeOutputUnusable' } });
  expect(await runNode(await flow.prepare('other.ts'))).toMatchObject({ output: 2 });
});

test('functions that end take turns in one thread, in the order of their calls', async () => {
  await using flow = threadedFlow({
    'n.ts': 'let turn = 0;\nexport default async ({ x }: { x: number }) => [x, (turn += 1)];\n',
  });
  const node = await flow.prepare('n.ts');
  const given = Array.from({ length: 40 }, (_, x) => ({ x }));
  const ended = await calls(node, given, 60_000);
  expect(ended).toMatchObject(given.map(({ x }) => ({ ok: true, output: [x, x + 1] })));
});

test('quick functions take turns in few threads, however many of them wait', { timeout: 30_000 }, async () => {
  await using flow = threadedFlow({
    'n.ts': `let turn = 0;
export default () => {
  const until = performance.now() + 1;
  while (performance.now() < until);
  return (turn += 1);
};
`,
  });
  const node = await flow.prepare('n.ts');
  const ended = await calls(
    node,
    Array.from({ length: 1000 }, () => ({})),
    60_000,
  );
  const threads = ended.filter((one) => one.ok && one.output === 1);
  // One, and another for each moment in which the machine is held up; were waiting alone enough, all 32.
  expect(threads.length).toBeLessThanOrEqual(8);
});

const hangs: readonly (readonly [string, string])[] = [
  ['computes without end', 'for (;;) {}'],
  ['does so after it gave way once', 'await null; for (;;) {}'],
  ['waits without end', 'await new Promise(() => undefined);'],
  ['computes without end after its limit', 'await new Promise((resolve) => setTimeout(resolve, 310)); for (;;) {}'],
];

test.for(hangs)(
  'one that %s is ended by its time limit; calls before, beside and after it end well',
  { timeout: 60_000 },
  async ([, hang]) => {
    await using flow = threadedFlow({
      'n.ts': `export default async ({ x }) => { if (x === 'hang') { ${hang} }
  if (x === 'later') await new Promise((resolve) => setTimeout(resolve, 20));
  return x; }\n`,
    });
    const node = await flow.prepare('n.ts');
    const given = ['later', 'a', 'hang', 'b', 'c'].map((x) => ({ x }));
    const good = (output: string): object => ({ ok: true, output });
    expect(await calls(node, given, 300)).toMatchObject([good('later'), good('a'), timedOut, good('b'), good('c')]);
    expect(await runNode(node, { x: 'after' })).toEqual({ ok: true, output: 'after' });
  },
);

test('while one computes on, the calls that wait behind it end in another thread', { timeout: 60_000 }, async () => {
  await using flow = threadedFlow({
    'n.ts': `import { threadId } from 'node:worker_threads';
export default async ({ x }) => { if (x === 'hang') for (;;) {}
  return [x, threadId]; }\n`,
  });
  const node = await flow.prepare('n.ts');
  const first = await runNode(node, { x: 'first' });
  let hasHungEnded = false;
  const hung = runNode(node, { x: 'hang' }, { timeLimitMs: 6000 }).finally(() => {
    hasHungEnded = true;
  });
  const behind = await Promise.all(['a', 'b'].map((x) => runNode(node, { x })));
  expect(hasHungEnded).toBe(false);
  expect(await hung).toMatchObject({ ok: false, error: { code: 'NodeTimeout' } });
  const threadOf = (outcome: NodeOutcome): unknown =>
    outcome.ok ? (outcome.output as readonly JsonValue[])[1] : outcome;
  expect(behind).toMatchObject([{ output: ['a', expect.any(Number)] }, { output: ['b', expect.any(Number)] }]);
  expect(behind.map(threadOf)).not.toContain(threadOf(first));
});

test('a function that is ended ends no other: each is called once', async () => {
  await using flow = threadedFlow({
    'n.ts': `import { appendFileSync } from 'node:fs';
export default async ({ x }) => {
  appendFileSync(import.meta.dirname + '/calls.txt', x + '\\n');
  if (x === 'waits') await new Promise((resolve) => setTimeout(resolve, 20));
  if (x === 'hangs') for (;;) {}
  return x;
};
`,
  });
  const node = await flow.prepare('n.ts');
  const [waits, , after] = await calls(node, [{ x: 'waits' }, { x: 'hangs' }, { x: 'after' }], 300);
  expect(waits).toEqual({ ok: true, output: 'waits' });
  expect(after).toEqual({ ok: true, output: 'after' });
  const called = readFileSync(join(flow.folder, 'calls.txt'), 'utf8').trim().split('\n');
  expect(called.toSorted()).toEqual(['after', 'hangs', 'waits']);
});

test('code that ends its process ends but its own call', async () => {
  await using flow = threadedFlow({
    'n.ts': 'export default ({ x }) => { if (x === 1) process.exit(3); return x; };\n',
  });
  const node = await flow.prepare('n.ts');
  expect(await calls(node, [{ x: 0 }, { x: 1 }, { x: 2 }], 60_000)).toMatchObject([
    { output: 0 },
    { error: { code: 'WorkerCrashed', message: "node 'n' lost the thread it ran in: it ended with exit code 3" } },
    { output: 2 },
  ]);
});

const meddling: readonly (readonly [string, string])[] = [
  [
    'writes to it',
    "for (const one of [null, 'x', { kind: 'ended', outcome: { ok: true, output: 'forged' } }, {}]) parentPort.postMessage(one);",
  ],
  ['closes it', 'parentPort.close();'],
  ['listens to it no more', 'parentPort.removeAllListeners();'],
];

test.for(meddling)(
  'the port that code has of its own is not the way to the engine: one that %s',
  async ([, meddle]) => {
    await using flow = threadedFlow({
      'n.ts': `import { parentPort, workerData } from 'node:worker_threads';
export default async ({ x }) => { if (x === 'meddle') { ${meddle} }
  await new Promise(setImmediate);
  return [x, Object.keys(workerData)]; }\n`,
    });
    const node = await flow.prepare('n.ts');
    const given = ['a', 'meddle', 'b'].map((x) => ({ x }));
    expect(await calls(node, given, 60_000)).toMatchObject(
      given.map(({ x }) => ({ ok: true, output: [x, ['folder', 'environment']] })),
    );
  },
);

test('a promise that fails and is not awaited ends nothing', async () => {
  await using flow = threadedFlow({
    'n.ts': 'export default async ({ x }) => { void Promise.reject(new Error("stray")); await null; return x; };\n',
  });
  const node = await flow.prepare('n.ts');
  expect(await runNode(node, { x: 1 })).toMatchObject({ output: 1 });
  expect(await runNode(node, { x: 2 })).toMatchObject({ output: 2 });
});

test('a call that is stopped listens to its signal', async () => {
  await using flow = threadedFlow({
    'n.ts':
      'export default (_, { signal }) => new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("told"))));\n',
  });
  const stop = new AbortController();
  const outcome = runNode(await flow.prepare('n.ts'), {}, { signal: stop.signal });
  stop.abort();
  expect(await outcome).toMatchObject({ ok: false, canceled: true });
});
