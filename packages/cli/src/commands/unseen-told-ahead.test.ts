import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteRunReader, unseenIn } from '@unroll/engine';
import { expect, test } from 'vitest';
import { runObserved, write, writeObservedFlow } from '../testing/observed-flow.ts';
import { createTestWorld } from '../testing/test-io.ts';

const node = (head: string, body: string): string =>
  `${head}\nexport default async (_given: unknown) => {\n  ${body}\n  return 'a';\n};\n`;

/** Code by the name of its node: whatever the run tells of it, the check tells ahead. */
const scripts: Readonly<Record<string, string>> = {
  child: node("import { execFileSync } from 'node:child_process';", "execFileSync('true');"),
  child_required: node('', "process.getBuiltinModule('node:child_process').spawnSync('true');"),
  child_later: node('', "(await import('child_process')).execSync('true');"),
  network: node("import { get } from 'node:http';", "get('http://127.0.0.1:1').on('error', () => {});"),
  socket: node("import * as net from 'node:net';", "net.connect(1, '127.0.0.1').on('error', () => {});"),
  names: node("import dns from 'node:dns/promises';", "await dns.lookup('127.0.0.1');"),
  fetched: node('', "await fetch('http://127.0.0.1:1').catch(() => 0);"),
  database: node("import { DatabaseSync } from 'node:sqlite';", "new DatabaseSync(':memory:').close();"),
  thread: node("import { Worker } from 'node:worker_threads';", "await new Worker('', { eval: true }).terminate();"),
  by_helper: node("import { start } from './lib/start.ts';", 'start();'),
  seen: node(
    "import { isIP } from 'node:net';\nimport type { ChildProcess } from 'node:child_process';\n// import { spawn } from 'node:child_process';",
    "isIP('fetch()');",
  ),
};

const tool = (body: string, head: string): string =>
  `${head}\nfrom promptflow.core import tool\n\n\n@tool\ndef answer(q: str):\n    ${body}\n    return "a"\n`;

const modules: Readonly<Record<string, string>> = {
  child: tool('subprocess.run(["true"])', 'import subprocess'),
  child_named: tool('do(["true"])', 'from subprocess import (\n    PIPE,\n    check_call as do,\n)'),
  shell: tool('os.system("true")', 'import json, os'),
  pool: tool('Pool(1).close()', 'from multiprocessing import Pool'),
  network: tool('socket.getaddrinfo("127.0.0.1", 1)', 'import socket'),
  fetched: tool(
    'try:\n        urllib.request.urlopen("http://127.0.0.1:1")\n    except OSError:\n        pass',
    'import urllib.request',
  ),
  database: tool('sqlite3.connect(":memory:").close()', 'import sqlite3'),
  native: tool('ctypes.CDLL(None)', 'import ctypes'),
  in_function: tool('import subprocess\n    subprocess.call(["true"])', ''),
  by_helper: tool('start()', 'from lib.start import start'),
  seen: tool('os.path.exists("x")', '# import subprocess\nimport os, socket\nfrom subprocess import PIPE\nsystem = 1'),
};

interface Language {
  readonly name: string;
  readonly ending: 'ts' | 'py';
  readonly code: Readonly<Record<string, string>>;
  readonly helper: string;
}

test.for<Language>([
  {
    name: 'TypeScript',
    ending: 'ts',
    code: scripts,
    helper: "import { spawnSync } from 'node:child_process';\nexport const start = () => spawnSync('true');\n",
  },
  {
    name: 'Python',
    ending: 'py',
    code: modules,
    helper: 'import subprocess\n\n\ndef start():\n    subprocess.run(["true"])\n',
  },
])('what the run tells of $name is told ahead by the check, at the import', async ({ ending, code, helper }) => {
  using world = createTestWorld();
  writeObservedFlow(
    world,
    Object.entries(code).map(([name, text]) => ({ name, code: text, later: {} })),
    ending,
  );
  write(world, { [`flow/lib/start.${ending}`]: helper });
  await runObserved(world, 'first');
  await using store = openSqliteRunReader(join(world.folder, '.flow/runs/first.run'));
  const seen = Object.entries(store.info.nodeReads ?? {}).flatMap(([name, reads]) =>
    unseenIn(reads).map((what) => [name === 'by_helper' ? 'lib/start' : name, what].join(': ')),
  );
  const { stdout, code: exit } = await world.flow('check', 'flow', '--json');
  const { diagnostics } = JSON.parse(stdout) as {
    readonly diagnostics: readonly { readonly file: string; readonly message: string }[];
  };
  const ahead = diagnostics.map(({ file, message }) =>
    [file.replace(/^flow\/|\.\w+$/g, ''), message.split(': ')[1]].join(': '),
  );
  expect([exit, ahead.sort()]).toEqual([0, seen.sort()]);
});

test('the words are those of the run', async () => {
  using world = createTestWorld();
  writeObservedFlow(world, [{ name: 'child', code: scripts['child'] ?? '', later: {} }], 'ts');
  const words = 'what code reads there cannot be compared, so that flow run --since runs it again: ';
  const help = 'cache: true takes its output all the same, cache: false says that it always runs';
  const { stdout } = await world.flow('check', 'flow', '--no-color');
  expect(stdout).toBe(`flow/child.ts:1:30 warning CODE_READS_UNSEEN ${words}child process
    import { execFileSync } from 'node:child_process';
                                 ~~~~~~~~~~~~~~~~~~~~
    help: ${help}
1 warning
✓ flow/flow.dag.yaml: 1 node, ready to run
`);
  const { stderr } = await runObserved(world, 'second');
  expect(stderr).toBe(`warning: ${words}child (child process)\n  ${help}\n`);
  const flow = readFileSync(join(world.folder, 'flow/flow.dag.yaml'), 'utf8');
  write(world, { 'flow/flow.dag.yaml': flow.replace('{name: child, ', '{name: child, cache: true, ') });
  expect((await world.flow('check', 'flow', '--no-color')).stdout).toBe('✓ flow/flow.dag.yaml: 1 node, ready to run\n');
});
