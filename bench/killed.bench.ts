import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { allOf, openSqliteRunReader, type RunReader } from '../packages/engine/src/index.ts';
import { measureProcess } from './process.ts';

/**
 * A run of 5,000 rows (or `ROWS`), killed with -9 at 20 random moments and resumed: nothing told to be done is lost, no
 * model call is made again once its record was seen in the file, and the record ends as that of a run left in peace.
 */
const rows = Number(process.env['ROWS'] ?? 5_000);
const concurrency = 8;
const kills = 20;
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = mkdtempSync(join(tmpdir(), 'flow-killed-'));
const calls = new Map<string, number>();

async function rowOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const part of request) body += String(part);
  return /Question (\d+)/.exec(body)?.[1] ?? '';
}

const server = createServer(async (request, response) => {
  const row = await rowOf(request);
  calls.set(row, (calls.get(row) ?? 0) + 1);
  const message = { role: 'assistant', content: `Consent ${row}` };
  const usage = { prompt_tokens: 2, completion_tokens: 1, total_tokens: 3 };
  const choices = [{ index: 0, finish_reason: 'stop', message }];
  setTimeout(() => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model: 'm', choices, usage }));
  }, 20);
});

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

function writeFlow(port: number): void {
  mkdirSync(join(folder, 'ask'));
  write({
    'ask/flow.dag.yaml': `inputs: {question: {type: string}}
outputs: {answer: {type: string, reference: "\${check.output}"}}
nodes:
- {name: prompt, type: prompt, source: {type: code, path: ask.jinja2}, inputs: {question: "\${inputs.question}"}}
- name: ask
  type: llm
  source: {type: code, path: ask.jinja2}
  connection: mine
  api: chat
  inputs: {model: gpt-4o-mini, question: "\${inputs.question}"}
- {name: check, type: python, source: {type: code, path: check.ts}, inputs: {answer: "\${ask.output}"}}
`,
    'ask/ask.jinja2': '# user:\n{{ question }}\n',
    'ask/check.ts': 'export const check = ({ answer }: { answer: string }) => answer.toUpperCase();\n',
    'ask/connections.yaml': `mine: {type: open_ai, api_key: k, base_url: "http://127.0.0.1:${port}/v1"}\n`,
    'd.jsonl': Array.from({ length: rows }, (_, row) => `{"question": "Question ${row}"}\n`).join(''),
  });
}

function start(options: readonly string[]): ChildProcess {
  const argv = [join(root, 'packages/cli/dist/flow.js'), 'run', ...options, '--runs-dir', 'runs', '--json'];
  return spawn(process.execPath, argv, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
}

async function ended(child: ChildProcess): Promise<void> {
  child.stdout?.resume();
  await once(child, 'close');
}

function open(run: string): RunReader {
  return openSqliteRunReader(join(folder, 'runs', `${run}.run`));
}

/** Kills a run some time after its first words. @returns the rows it told to be done */
async function killed(child: ChildProcess): Promise<readonly number[]> {
  let told = '';
  child.stdout?.on('data', (text) => {
    told += text;
  });
  if (child.stdout !== null) await once(child.stdout, 'data');
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 1600));
  child.kill('SIGKILL');
  await once(child, 'close');
  return [...told.matchAll(/"row-ended","line":(\d+)/g)].map(([, line]) => Number(line));
}

async function printed(store: RunReader): Promise<string> {
  const records = (await allOf(store.digests())).map((digest) => JSON.stringify(digest)).sort();
  return JSON.stringify([
    records,
    (await allOf(store.rows())).map(({ line, status, outputs }) => [line, status, outputs]),
  ]);
}

const fresh = ['ask', '--data', 'd.jsonl', '--concurrency', String(concurrency), '--name'];
try {
  measureProcess([process.execPath, join(root, 'packages/cli/build.ts')]);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  writeFlow((server.address() as AddressInfo).port);
  const told = new Set<number>();
  const callsWhenSeen = new Map<string, number>();
  let lost = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const lines = await killed(start(kill === 0 ? [...fresh, 'killed'] : ['--resume', 'killed']));
    for (const line of lines) told.add(line);
    await using store = open('killed');
    const recorded = new Set((await allOf(store.rowEnds())).map(({ line }) => line));
    lost += [...told].filter((line) => !recorded.has(line)).length;
    for (const { line, node } of await allOf(store.digests())) {
      if (node === 'ask' && !callsWhenSeen.has(`${line}`)) callsWhenSeen.set(`${line}`, calls.get(`${line}`) ?? 0);
    }
  }
  await ended(start(['--resume', 'killed']));
  const repeated = [...callsWhenSeen].filter(([line, times]) => calls.get(line) !== times).length;
  const again = [...calls.values()].reduce((sum, times) => sum + times, 0) - rows;
  await ended(start([...fresh, 'undisturbed']));
  await using one = open('killed');
  await using other = open('undisturbed');
  const isSame = printed(one) === printed(other);
  process.stdout.write(
    `${kills} kills of a run of ${rows} rows: ${told.size} rows told before a kill, ${lost} of them lost; ${callsWhenSeen.size} finished ` +
      `model calls seen, ${repeated} made again; ${again} calls in flight made again (at most ${kills * concurrency}); ` +
      `the record is ${isSame ? 'the same as' : 'NOT that of'} an undisturbed run's\n`,
  );
  if (lost > 0 || repeated > 0 || !isSame) process.exitCode = 1;
} finally {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
}
