// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of flows look like templates
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startOpenAiServer } from '@unroll/nodes/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type NpmRegistry, startNpmRegistry } from './installed/npm-registry.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'unroll-build-')));
let registry: NpmRegistry;

beforeAll(async () => {
  registry = await startNpmRegistry();
});
afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** A machine of its own: no settings of npm but these, and the Node of the tests. */
function environment(): Record<string, string> {
  return {
    PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
    HOME: join(folder, 'home'),
    npm_config_registry: registry.url,
    npm_config_cache: join(folder, 'npm-cache'),
    npm_config_update_notifier: 'false',
  };
}

interface Started {
  readonly child: ChildProcess;
  /** Resolves with what it said until then, once its output has the text. */
  said(text: string): Promise<string>;
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
}

function start(cwd: string, argv: readonly string[], more: Readonly<Record<string, string>> = {}): Started {
  const [command = '', ...rest] = argv;
  // In a group of its own, so that what npx starts is interrupted as by Ctrl-C.
  const child = spawn(command, rest, {
    cwd,
    env: { ...environment(), ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const text = { stdout: '', stderr: '' };
  const ended = new Promise<Awaited<Started['ended']>>((done) => child.on('close', (code) => done({ code, ...text })));
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (piece: string) => {
      text[name] += piece;
      child.emit('said');
    });
  const said = (wanted: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const listen = (): void => {
        if (text.stdout.includes(wanted)) resolve(text.stdout);
      };
      child.on('said', listen);
      listen();
      void ended.then(() => reject(new Error(text.stderr)));
    });
  return { child, said, ended };
}

const files: Readonly<Record<string, string>> = {
  'ask/flow.dag.yaml': `inputs:
  質問: {type: string}
outputs:
  answer: {type: string, reference: "\${count.output}"}
additional_includes:
- ../shared/tone.jinja2
nodes:
- {name: tone, type: prompt, source: {type: code, path: tone.jinja2}, inputs: {q: "\${inputs.質問}"}}
- name: ask
  type: llm
  source: {type: code, path: ask.jinja2}
  inputs: {model: gpt-4o-mini, question: "\${tone.output}"}
  connection: mine
  api: chat
- {name: count, type: python, source: {type: code, path: count.ts}, inputs: {text: "\${ask.output}"}}
`,
  'ask/ask.jinja2': 'user:\n{{ question }}\n',
  'ask/count.ts': 'export function count({ text }: { text: string }) {\n  return text + " " + text.length;\n}\n',
  'shared/tone.jinja2': 'Politely: {{ q }}',
};

test('a built folder runs in an empty place, with what npm installs alone', { timeout: 600_000 }, async () => {
  await using model = await startOpenAiServer(
    Array.from({ length: 2 }, () => ({ message: { role: 'assistant', content: 'はい' } })),
  );
  const connections = `mine: {type: open_ai, base_url: "${model.url}/v1", api_key: key-of-mine-4711}\n`;
  for (const [path, text] of Object.entries({ ...files, 'connections.yaml': connections })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const root = join(import.meta.dirname, '../packages/cli/bin/flow.js');
  const node = process.execPath;
  const here = await start(folder, [node, root, 'run', 'ask', '--input', '質問=May we?', '--json']).ended;
  const build = [node, root, 'build', 'ask', '--output', 'built', '--packages', inject('packedPackages').folder];
  expect(await start(folder, build).ended).toMatchObject({ code: 0, stderr: '' });
  const lock = readFileSync(join(folder, 'built/package-lock.json'), 'utf8');
  expect(JSON.parse(lock).packages['node_modules/@unroll/cli']).toMatchObject({
    version: '0.1.0',
    resolved: 'file:packages/unroll-cli-0.1.0.tgz',
    integrity: expect.stringMatching(/^sha512-/),
  });

  const elsewhere = realpathSync(mkdtempSync(join(tmpdir(), 'unroll-elsewhere-')));
  cpSync(join(folder, 'built'), elsewhere, { recursive: true });
  for (const gone of ['built', 'ask', 'shared', 'connections.yaml']) rmSync(join(folder, gone), { recursive: true });
  expect(await start(elsewhere, ['npm', 'ci', '--no-audit', '--no-fund']).ended).toMatchObject({ code: 0 });
  const server = start(elsewhere, ['npx', 'flow', 'serve', 'ask', '--port', '0'], {
    MINE_API_KEY: 'key-of-there-4712',
  });
  const [url = ''] = /http:\S+/.exec(await server.said('http:')) ?? [];
  const answer = await fetch(`${url}/score`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ 質問: 'May we?' }),
  });
  expect(await answer.json()).toEqual(JSON.parse(here.stdout).outputs);
  expect(JSON.parse(here.stdout).outputs).toEqual({ answer: 'はい 2' });
  const [asked, askedThere] = model.requests;
  expect(askedThere?.body).toEqual(asked?.body);
  expect(askedThere?.headers['authorization']).toBe('Bearer key-of-there-4712');
  process.kill(-(server.child.pid ?? 0), 'SIGINT');
  await server.ended;
  rmSync(elsewhere, { recursive: true, force: true });
});
