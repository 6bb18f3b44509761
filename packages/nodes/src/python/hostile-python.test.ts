import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { redactorOf } from '@unroll/engine';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createTestFlow, runNode } from '../testing/test-flow.ts';
import { findPython } from './find-python.ts';
import { startError } from './python-error.ts';
import { WorkerPool } from './worker-pool.ts';

/** A node that does something for `bad`, and else gives its input back. */
function nodeThat(body: string): string {
  const lines = body.split('\n').map((line) => `        ${line}`);
  return `import asyncio, json, os, signal, subprocess, sys, threading, time\ndef t(x):\n    if x == "bad":\n${lines.join('\n')}\n    return x\n`;
}

type Told = { readonly output: unknown } | { readonly message: RegExp };

/** What a node does to the process it runs in, and what is told of it. */
const hostile: readonly (readonly [name: string, body: string, told: Told])[] = [
  ['forks, and both return', 'child = os.fork()\nreturn "child" if child == 0 else "parent"', { output: 'parent' }],
  [
    'forks, and the child raises',
    'child = os.fork()\nif child == 0:\n    raise ValueError("in the child")\nos.waitpid(child, 0)',
    { output: 'bad' },
  ],
  [
    'works with multiprocessing that forks',
    'import multiprocessing\nwith multiprocessing.get_context("fork").Pool(2) as pool:\n    return pool.map(abs, [-1, 2])',
    { output: [1, 2] },
  ],
  [
    'works with multiprocessing that starts anew',
    'import multiprocessing\nwith multiprocessing.get_context("spawn").Pool(1) as pool:\n    return pool.map(abs, [-1])',
    { output: [1] },
  ],
  [
    'fails with ten million characters',
    'raise ValueError("x " * 5_000_000)',
    { message: /^Execution failure in 'n': \(ValueError\) (x ){40000,50000}x?… \(10000000 characters\)$/ },
  ],
  [
    'writes to every descriptor up to 255',
    'for fd in range(256):\n    try:\n        os.write(fd, b"garbage\\n{\\"id\\":1,\\"ok\\":true,\\"value\\":1}\\n")\n    except OSError:\n        pass',
    { output: 'bad' },
  ],
  [
    'writes what is no reply where replies are written',
    'for fd in range(3, 5000):\n    try:\n        os.write(fd, b"garbage\\n")\n    except OSError:\n        pass\ntime.sleep(60)',
    { message: /^the Python worker ended while this node ran \(it wrote what is no reply: "garbage"/ },
  ],
  [
    'writes replies to calls that are not',
    'for fd in range(3, 5000):\n    try:\n        os.write(fd, b"{\\"id\\":1,\\"ok\\":true,\\"value\\":1}\\n")\n    except OSError:\n        pass\ntime.sleep(60)',
    { message: /\(it wrote what is no reply: / },
  ],
  ...['null', '17', '[]', '{}', '{\\"id\\": {}}'].map((line): readonly [string, string, Told] => [
    `writes JSON that is no reply: ${line}`,
    `for fd in range(3, 5000):\n    try:\n        os.write(fd, b"${line}\\n")\n    except OSError:\n        pass\ntime.sleep(60)`,
    { message: /\(it wrote what is no reply: / },
  ]),
  ['ends the process', 'os._exit(9)', { message: /\(exit code 9\)$/ }],
  ['is killed', 'os.kill(os.getpid(), signal.SIGKILL)\nsignal.pause()', { message: /\(signal SIGKILL: .*memory/ }],
  ['crashes', 'os.kill(os.getpid(), signal.SIGSEGV)\nsignal.pause()', { message: /\(signal SIGSEGV\)$/ }],
  ['leaves by sys.exit', 'sys.exit(3)', { message: /\(SystemExit\) 3$/ }],
  ['raises KeyboardInterrupt', 'raise KeyboardInterrupt("stop")', { message: /\(KeyboardInterrupt\) stop$/ }],
  [
    'sends itself what Ctrl-C sends',
    'for _ in range(200):\n    os.kill(os.getpid(), signal.SIGINT)\n    time.sleep(0.001)',
    { output: 'bad' },
  ],
  ['calls itself without end', 'return (lambda f: f(f))(lambda f: f(f))', { message: /\(RecursionError\) / }],
  [
    'gives what is 20,000 levels deep',
    'v = 1\nfor i in range(20000):\n    v = [v]\nreturn v',
    { message: /nested deeper than 1000 levels/ },
  ],
  [
    'gives what is 1,500 levels deep',
    'v = 1\nfor i in range(1500):\n    v = {"v": v}\nreturn v',
    { message: /nested deeper than 1000 levels/ },
  ],
  ['leaves threads running', 'threading.Thread(target=lambda: time.sleep(60)).start()', { output: 'bad' }],
  [
    'raises what cannot be printed',
    'class E(Exception):\n    def __str__(self):\n        raise SystemExit(4)\nraise E()',
    { message: /\(E\) / },
  ],
];

describe('whatever a node does, only its own call fails', () => {
  test.for(hostile)('%s', { timeout: 60_000 }, async ([, body, told]) => {
    await using flow = createTestFlow({ 't.py': nodeThat(body) }, { workers: 1 });
    const node = await flow.prepare('t.py', { references: ['x'] });
    const run = (x: string) => runNode(node, { x }, { flowInputs: { x } });
    expect(await run('before')).toMatchObject({ output: 'before' });
    const [bad, beside] = await Promise.all([run('bad'), run('beside')]);
    if ('output' in told) expect(bad).toMatchObject({ ok: true, output: told.output });
    else expect(bad).toMatchObject({ ok: false, error: { message: expect.stringMatching(told.message) } });
    expect(beside).toMatchObject({ ok: true, output: 'beside' });
    expect(await run('after')).toMatchObject({ ok: true, output: 'after' });
  });

  test('a node that closes every descriptor', { timeout: 60_000 }, async () => {
    const file = 'import os\ndef t(x):\n    if x == "bad":\n        os.closerange(0, 100000)\n    return x\n';
    await using flow = createTestFlow({ 't.py': file }, { workers: 1 });
    const node = await flow.prepare('t.py', { references: ['x'] });
    const run = (x: string) => runNode(node, { x }, { flowInputs: { x } });
    await run('before');
    const [bad, beside] = await Promise.all([run('bad'), run('beside')]);
    const message = expect.stringMatching(/\(the code of a node closed its way to the engine\)$/);
    expect(bad).toMatchObject({ ok: false, error: { code: 'WorkerCrashed', message } });
    expect(beside).toMatchObject({ ok: true, output: 'beside' });
    expect(await run('after')).toMatchObject({ ok: true, output: 'after' });
  });

  test.for(['sys.exit(3)', 'raise KeyboardInterrupt()'])('asynchronous code: %s', { timeout: 60_000 }, async (body) => {
    const file = `import sys\nasync def t(x):\n    if x == "bad":\n        ${body}\n    return x\n`;
    await using flow = createTestFlow({ 't.py': file }, { workers: 1 });
    const node = await flow.prepare('t.py', { references: ['x'] });
    const run = (x: string) => runNode(node, { x }, { flowInputs: { x } });
    expect(await run('bad')).toMatchObject({ ok: false, error: { code: 'ToolExecutionError' } });
    expect(await run('after')).toMatchObject({ ok: true, output: 'after' });
  });
});

test('a value of 1,000 levels goes to Python and back', async () => {
  await using flow = createTestFlow({ 't.py': 'def t(x):\n    return x\n' }, { workers: 1 });
  const node = await flow.prepare('t.py', { references: ['x'] });
  let x: { readonly x: unknown } | number = 1;
  for (let level = 0; level < 1000; level += 1) x = { x };
  expect(await runNode(node, { x: x as never })).toMatchObject({ ok: true, output: x });
});

test('a text of 100 MB goes to Python without being copied for each part of it', { timeout: 60_000 }, async () => {
  await using flow = createTestFlow({ 't.py': 'def t(x):\n    return len(x)\n' }, { workers: 1 });
  const node = await flow.prepare('t.py', { references: ['x'] });
  expect(await runNode(node, { x: 'x'.repeat(100_000_000) })).toMatchObject({ ok: true, output: 100_000_000 });
});

test('what is printed is kept up to a bound that is told', { timeout: 60_000 }, async () => {
  const file = 'def t():\n    for i in range(1000):\n        print("x" * 100000)\n    return 1\n';
  await using flow = createTestFlow({ 't.py': file }, { workers: 1 });
  const outcome = await runNode(await flow.prepare('t.py'));
  expect(outcome).toMatchObject({ ok: true, output: 1 });
  const stdout = outcome.report?.logs?.stdout ?? '';
  expect(stdout.length).toBeLessThan(11_000_000);
  expect(stdout).toMatch(/\n… 90001000 more characters were printed\n$/);
});

test.for([
  [
    'a known key with blanks',
    'print("x" * 3970, file=sys.__stderr__); print(os.environ["KEY"], "y" * 3985, file=sys.__stderr__)',
  ],
  ['a known key of other letters', 'print(os.environ["KEY"], "y" * 3975, file=sys.__stderr__)'],
  ['a key by its form', 'print("Authorization: Bearer abc123def456ghi789", "y" * 3980, file=sys.__stderr__)'],
  [
    'what is no reply',
    'for fd in range(3, 5000):\n    try:\n        os.write(fd, b"x" * 68 + os.environ["KEY"].encode() + b"\\n")\n    except OSError:\n        pass\ntime.sleep(60)',
  ],
] as const)(
  'what is kept of a worker that ended holds no half of a secret: %s',
  { timeout: 60_000 },
  async ([, body]) => {
    const file = nodeThat(`${body}\nsys.__stderr__.flush(); os._exit(3)`);
    const secret = '開け ゴマ open sesame 77 秘密の合言葉';
    const connections = [{ name: 'c', type: 'custom', configs: {}, secrets: { key: secret } }] as const;
    await using flow = createTestFlow({ 't.py': file }, { workers: 1, connections, environment: { KEY: secret } });
    const outcome = await runNode(
      await flow.prepare('t.py', { references: ['x'] }),
      { x: 'bad' },
      { flowInputs: { x: 'bad' } },
    );
    expect(outcome).toMatchObject({ ok: false, error: { code: 'WorkerCrashed' } });
    const told = redactorOf(...connections).message(JSON.stringify(outcome));
    expect(told).toMatch(/characters, the end:\)|characters\)/);
    expect(told).not.toMatch(/開け|ゴマ|open|sesame|77|秘密|合言葉|�|abc123|ghi789/);
  },
);

test('an output too large for a record fails its call', { timeout: 60_000 }, async () => {
  const file = 'def t(x):\n    return "x" * (300 << 20) if x == "bad" else x\n';
  await using flow = createTestFlow({ 't.py': file }, { workers: 1 });
  const node = await flow.prepare('t.py', { references: ['x'] });
  expect(await runNode(node, { x: 'bad' })).toMatchObject({
    ok: false,
    error: { message: expect.stringMatching(/its output is 300 MB as JSON, and 256 MB is the limit/) },
  });
  expect(await runNode(node, { x: 'after' })).toMatchObject({ ok: true, output: 'after' });
});

test('memory has the bound that is set', { timeout: 60_000 }, async () => {
  const file =
    'def t(x):\n    kept = []\n    while x == "bad":\n        kept.append(bytearray(50 << 20))\n    return x\n';
  await using flow = createTestFlow({ 't.py': file }, { workers: 1, environment: { UNROLL_PYTHON_MEMORY: '512MB' } });
  const node = await flow.prepare('t.py', { references: ['x'] });
  expect(await runNode(node, { x: 'bad' })).toMatchObject({
    ok: false,
    error: { message: expect.stringMatching(/\(MemoryError\) the 512MB of UNROLL_PYTHON_MEMORY are used up/) },
  });
  expect(await runNode(node, { x: 'after' })).toMatchObject({ ok: true, output: 'after' });
});

test('what a node started ends with the run', { timeout: 60_000 }, async () => {
  const file = `import os, subprocess, sys
def t():
    pids = [subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]).pid]
    child = os.fork()
    if child == 0:
        import time
        time.sleep(600)
    return [*pids, child]
`;
  const flow = createTestFlow({ 't.py': file }, { workers: 1 });
  const outcome = await runNode(await flow.prepare('t.py'));
  if (!outcome.ok) throw new Error(outcome.error.message);
  const pids = outcome.output as readonly number[];
  expect(pids.every(isRunning)).toBe(true);
  await flow[Symbol.asyncDispose]();
  for (let wait = 0; wait < 100 && pids.some(isRunning); wait += 1) await setTimeout(20);
  expect(pids.some(isRunning)).toBe(false);
});

/** A process whose parent has not taken its end down yet runs no more. */
function isRunning(pid: number): boolean {
  const path = join('/proc', String(pid), 'stat');
  if (existsSync('/proc/self/stat')) return existsSync(path) && !/\) [ZX] /.test(readFileSync(path, 'utf8'));
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('code that does not come to the end of its import is ended, and says so', async () => {
  const file = 'import time\ntime.sleep(3600)\ndef t(x):\n    return x\n';
  await using flow = createTestFlow({ 't.py': file });
  const python = findPython(flow.folder, process.env);
  const settings = { folder: flow.folder, environment: {}, standIns: [], onSeen: () => {} };
  const pool = new WorkerPool({ ...settings, command: python.ok ? python.command : '' }, 1, 500);
  onTestFinished(() => pool.close());
  const reply = await pool.load({ op: 'load', node: 't', path: join(flow.folder, 't.py') });
  expect('crashed' in reply && startError(reply, String).message).toBe(
    'the Python worker ended while the node was loaded (importing its code took more than 0.5 s)',
  );
});
