import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Contender, compare, printComparison } from './compare.ts';
import { measureProcess } from './process.ts';

/**
 * What spans cost: a bulk run and a server, without and with a receiver of OTLP, in turn. Model and receiver are other processes,
 * whose CPU is not counted. `ROWS` and `ROUNDS` set how much is measured.
 */
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = mkdtempSync(join(tmpdir(), 'flow-telemetry-'));
const rows = Number(process.env['ROWS'] ?? 3000);
const rounds = Number(process.env['ROUNDS'] ?? 7);
const flow = join(root, 'packages/cli/dist/flow.js');
const atOnce = 50;

function writeFlow(modelUrl: string): void {
  mkdirSync(join(folder, 'ask'));
  const files: Readonly<Record<string, string>> = {
    'ask/flow.dag.yaml': `inputs: {question: {type: string}}
outputs:
  answer: {type: string, reference: "\${ask.output}"}
  ok: {type: bool, reference: "\${check.output}"}
nodes:
- {name: prompt, type: prompt, source: {type: code, path: prompt.jinja2}, inputs: {question: "\${inputs.question}"}}
- {name: ask, type: llm, source: {type: code, path: ask.jinja2}, connection: mine, api: chat, inputs: {model: gpt-4o-mini, asked: "\${prompt.output}"}}
- {name: check, type: python, source: {type: code, path: check.ts}, inputs: {answer: "\${ask.output}"}}
`,
    'ask/prompt.jinja2': 'Answer in one sentence.\n{{ question }}',
    'ask/ask.jinja2': '# user:\n{{ asked }}\n',
    'ask/check.ts':
      "export const check = ({ answer }: { answer: string }) => answer.toLowerCase().includes('consent');\n",
    'ask/connections.yaml': `mine: {type: open_ai, api_key: k, base_url: "${modelUrl}/v1"}\n`,
    'rows.jsonl': Array.from({ length: rows }, (_, row) => `${JSON.stringify({ question: `May we, ${row}?` })}\n`).join(
      '',
    ),
  };
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
}

async function startProcess(file: string, argv: readonly string[] = []): Promise<[ChildProcess, string]> {
  const child = spawn(process.execPath, [file, ...argv], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [told] = (await once(child.stdout, 'data')) as [Buffer];
  return [child, String(told).trim()];
}

function bulkRun(name: string, more: readonly string[]): Contender {
  const runs = join(folder, 'runs');
  const command = [process.execPath, flow, 'run', join(folder, 'ask'), '--data', join(folder, 'rows.jsonl')];
  const options = ['--quiet', '--concurrency', String(atOnce), '--runs-dir', runs, ...more];
  return {
    name,
    measure: () => {
      rmSync(runs, { recursive: true, force: true });
      return measureProcess([...command, ...options]).cpuSeconds;
    },
  };
}

/** CPU seconds of a process so far, as Linux keeps them; a tick is 10 ms. */
function cpuSecondsOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function served(name: string, more: readonly string[]): Contender {
  return {
    name,
    measure: async () => {
      const runs = join(folder, 'served');
      rmSync(runs, { recursive: true, force: true });
      const argv = ['serve', join(folder, 'ask'), '--port', '0', '--runs-dir', runs, ...more];
      const [server, told] = await startProcess(flow, argv);
      const url = /http:\/\/\S+/.exec(told)?.[0];
      await ask(`${url}/score`, 200);
      const before = cpuSecondsOf(server.pid);
      await ask(`${url}/score`, rows);
      // What is sent at the end counts too: the server tells it before it ends.
      server.kill('SIGTERM');
      let last = cpuSecondsOf(server.pid);
      const timer = setInterval(() => {
        try {
          last = cpuSecondsOf(server.pid);
        } catch {
          // It has ended.
        }
      }, 5);
      await once(server, 'exit');
      clearInterval(timer);
      return last - before;
    },
  };
}

async function ask(url: string, count: number): Promise<void> {
  let asked = 0;
  const slot = async (): Promise<void> => {
    while (asked < count) {
      asked += 1;
      const body = JSON.stringify({ question: `May we, ${asked}?` });
      const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
      await answer.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, slot));
}

if (process.argv[2] === 'receiver') {
  const server = createServer((request, response) => request.resume().on('end', () => response.end()));
  server.listen(0, '127.0.0.1', () =>
    process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
  );
} else {
  const [model, port] = await startProcess(join(root, 'bench/bulk/model-server.ts'));
  const [receiver, otlp] = await startProcess(fileURLToPath(import.meta.url), ['receiver']);
  writeFlow(`http://127.0.0.1:${port}`);
  try {
    const bulk = [bulkRun('flow run --data', []), bulkRun('the same with --otlp', ['--otlp', otlp])];
    printComparison(`bulk run of ${rows} rows, CPU`, 's', await compare(bulk, rounds));
    const serving = [served('flow serve', []), served('the same with --otlp', ['--otlp', otlp])];
    printComparison(`${rows} requests, CPU of the server`, 's', await compare(serving, rounds));
  } finally {
    model.kill();
    receiver.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}
