import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PythonServer, startPythonServer } from './python-server.ts';

const root = join(import.meta.dirname, '../..');
let model: PythonServer;
let folder: string;

beforeAll(async () => {
  model = await startPythonServer('chat_server.py');
  folder = mkdtempSync(join(tmpdir(), 'real-model-'));
  for (const name of ['flows', 'evals']) cpSync(join(root, name), join(folder, name), { recursive: true });
  writeFileSync(
    join(folder, 'connections.yaml'),
    `smol:\n  type: open_ai\n  base_url: ${model.url}\n  api_key: none\n`,
  );
  for (const name of ['privacy-agent', 'tool-agent']) askRealModel(join(folder, `flows/${name}/flow.dag.yaml`));
});

afterAll(() => {
  model?.end();
  rmSync(folder, { recursive: true, force: true });
});

/** The flow as its author would change it: another connection, another model, and an end to what it may say. */
function askRealModel(path: string): void {
  const flow = readFileSync(path, 'utf8')
    .replace('connection: offline', 'connection: smol')
    .replace(/^( *)model: offline$/m, '$1model: smollm2-135m\n$1max_tokens: 60');
  writeFileSync(path, flow);
}

interface Said {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command, and shows what it said: docs/real-model.md is made of it. */
async function flow(...words: readonly string[]): Promise<Said> {
  const child = spawn(process.execPath, [join(root, 'packages/cli/bin/flow.js'), ...words], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (piece: string) => {
      said[name] += piece;
    });
  }
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  process.stdout.write(`$ flow ${words.join(' ')}\n${said.stdout}${said.stderr}exit ${code}\n\n`);
  return { code, ...said };
}

test('what the service honours is told: no tools, but a schema and streams', async () => {
  const { code, stdout } = await flow('connection', 'test', 'smol', '--model', 'smollm2-135m');
  expect(stdout).toContain('✗ tools: it answered in words');
  expect(stdout).toContain('✓ JSON schema');
  expect(stdout).toContain('✓ streaming: its answer came in');
  expect(code).toBe(1);
});

test('an agent whose model calls no tool ends, and says so once for the whole run', async () => {
  const said = await flow(
    'run',
    'flows/tool-agent',
    '--data',
    'flows/tool-agent/data.jsonl',
    '--rows',
    '0-1',
    '--name',
    'tools',
  );
  expect(said.stderr.match(/was offered tools/g)).toHaveLength(1);
  expect([0, 1, 3]).toContain(said.code);
  const { stdout } = await flow('show', 'tools', '--row', '0', '--node', 'assistant_plan_1');
  expect(stdout).toContain('the answer was cut off at its limit of tokens');
});

test('a row of the privacy agent: every turn is recorded with its tokens', async () => {
  const { stdout } = await flow(
    'run',
    'flows/privacy-agent',
    '-i',
    'query=How long may personal data be kept?',
    '--json',
  );
  const { nodes, status } = JSON.parse(stdout) as {
    readonly status: string;
    readonly nodes: Readonly<
      Record<string, { readonly status: string; readonly tokens: { readonly total_tokens: number } | null }>
    >;
  };
  expect(['Completed', 'Unfinished']).toContain(status);
  const turns = Object.entries(nodes).filter(
    ([name, { status: ended }]) => name.startsWith('agent_') && ended === 'Completed',
  );
  expect(turns.length).toBeGreaterThan(0);
  for (const [, { tokens }] of turns) expect(tokens?.total_tokens).toBeGreaterThan(100);
});

test('an evaluation of three rows ends with numbers', async () => {
  const { stdout } = await flow('eval', 'evals/privacy-agent', '--rows', '0-2', '--name', 'scored');
  expect(stdout).toMatch(/^first_function .*\d %/m);
  expect(readdirSync(join(folder, '.flow/runs')).join()).toContain('scored');
});

test('a model that is slower than the node may be is ended in time, and the next question is answered', async () => {
  const { code, stdout } = await flow('run', 'flows/tool-agent', '--timeout', '0.05');
  expect([code, stdout]).toEqual([1, expect.stringMatching(/time|limit/i)]);
  const after = await flow('connection', 'test', 'smol');
  expect(after.code).toBe(0);
});
