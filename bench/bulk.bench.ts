import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compare, printComparison } from './compare.ts';
import { measureProcess } from './process.ts';

/**
 * G4 to G7 and G12: a bulk run of prompt, model and assertion, every node recorded, as a whole process beside the least that
 * could do the same (bench/bulk/floor.ts). The model is a server of its own on the loopback interface; its CPU is not
 * counted. `ROWS=100000` runs G4 and G7 with that many rows.
 */
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = mkdtempSync(join(tmpdir(), 'flow-bulk-'));
const flowFile = `inputs: {question: {type: string}}
outputs:
  answer: {type: string, reference: "\${ask.output}"}
  ok: {type: bool, reference: "\${check.output}"}
nodes:
- {name: prompt, type: prompt, source: {type: code, path: prompt.jinja2}, inputs: {question: "\${inputs.question}"}}
- name: ask
  type: llm
  source: {type: code, path: ask.jinja2}
  connection: mine
  api: chat
  inputs: {model: gpt-4o-mini, asked: "\${prompt.output}"}
- {name: check, type: python, source: {type: code, path: check.ts}, inputs: {answer: "\${ask.output}"}}
`;

function writeFlow(): void {
  mkdirSync(join(folder, 'ask'));
  writeFileSync(join(folder, 'ask/flow.dag.yaml'), flowFile);
  writeFileSync(join(folder, 'ask/prompt.jinja2'), 'Answer in one sentence.\n{{ question }}');
  writeFileSync(join(folder, 'ask/ask.jinja2'), '# user:\n{{ asked }}\n');
  writeFileSync(
    join(folder, 'ask/check.ts'),
    "export const check = ({ answer }: { answer: string }) => answer.toLowerCase().includes('consent');\n",
  );
}

function writeData(rows: number): string {
  const path = join(folder, `${rows}.jsonl`);
  const line = (row: number): string => JSON.stringify({ question: `Question ${row}: may we pass on personal data?` });
  writeFileSync(path, `${Array.from({ length: rows }, (_, row) => line(row)).join('\n')}\n`);
  return path;
}

async function withServer(environment: Record<string, string>, work: (url: string) => Promise<void>): Promise<void> {
  const server = spawn(process.execPath, [join(root, 'bench/bulk/model-server.ts')], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [port] = (await once(server.stdout, 'data')) as [Buffer];
    const url = `http://127.0.0.1:${String(port).trim()}`;
    writeFileSync(join(folder, 'ask/connections.yaml'), `mine: {type: open_ai, api_key: k, base_url: "${url}/v1"}\n`);
    await work(url);
  } finally {
    server.kill();
  }
}

const node = process.execPath;
const flow = [
  node,
  join(root, 'packages/cli/dist/flow.js'),
  'run',
  join(folder, 'ask'),
  '--quiet',
  '--concurrency',
  '50',
];

function floorCommand(data: string, url: string): readonly string[] {
  const out = join(folder, 'floor.jsonl');
  rmSync(out, { force: true });
  return [node, '--no-warnings', join(root, 'bench/bulk/floor.ts'), data, url, out];
}

function flowCommand(data: string): readonly string[] {
  const runs = join(folder, 'runs');
  rmSync(runs, { recursive: true, force: true });
  return [...flow, '--data', data, '--runs-dir', runs];
}

async function compareRuns(
  title: string,
  rows: number,
  url: string,
  rounds: number,
  part: 'cpuSeconds' | 'wallSeconds',
): Promise<void> {
  const data = writeData(rows);
  const comparisons = await compare(
    [
      { name: 'floor: undici, pool, JSON lines', measure: () => measureProcess(floorCommand(data, url))[part] },
      { name: 'flow run --data', measure: () => measureProcess(flowCommand(data))[part] },
    ],
    rounds,
  );
  printComparison(title, 's', comparisons);
}

/** Highest resident set of a process, in MB, as Linux keeps it. */
async function peakMegabytes(command: readonly string[]): Promise<number> {
  const [file = '', ...rest] = command;
  const child = spawn(file, rest, { stdio: 'ignore' });
  let peak = 0;
  const timer = setInterval(() => {
    try {
      const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
      peak = Math.max(peak, Number(kilobytes) / 1024);
    } catch {
      // It has ended.
    }
  }, 50);
  await once(child, 'close');
  clearInterval(timer);
  return peak;
}

try {
  measureProcess([node, join(root, 'packages/cli/build.ts')]);
  writeFlow();
  const rows = Number(process.env['ROWS'] ?? 10_000);
  const rounds = Number(process.env['ROUNDS'] ?? 5);
  await withServer({}, async (url) => {
    await compareRuns('G5 1,000 rows, start-up included, CPU (target <= 1.0x)', 1_000, url, rounds, 'cpuSeconds');
    await compareRuns(`G4 ${rows} rows, CPU (target <= 1.5x)`, rows, url, Math.ceil(rounds / 2), 'cpuSeconds');
    const data = writeData(rows);
    const [floor, ours] = [await peakMegabytes(floorCommand(data, url)), await peakMegabytes(flowCommand(data))];
    process.stdout.write(`G7 peak memory at ${rows} rows: floor ${floor.toFixed(0)} MB, ours ${ours.toFixed(0)} MB\n`);
  });
  await withServer({ LATENCY_MS: '50' }, async (url) => {
    await compareRuns('G6 1,000 rows of 50 ms, wall (target <= 1.1x)', 1_000, url, rounds, 'wallSeconds');
    await compareRuns('G6 the same, CPU', 1_000, url, rounds, 'cpuSeconds');
  });
  await withServer({ REFUSE_EVERY: '10' }, async (url) => {
    await compareRuns('G12 300 rows, every 10th answer a 429, wall (target <= 1.3x)', 300, url, rounds, 'wallSeconds');
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
