import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeBulkData, writeBulkFlow } from '../bulk/bulk-flow.ts';
import { withModelServer } from '../bulk/with-model-server.ts';
import { measureProcess, type ProcessCost, peakMegabytes } from '../process.ts';

/**
 * Unroll beside promptfoo, LangGraph and Mastra: rows of a prompt, a model on the loopback interface and a check, 50 at a time,
 * each in the way its documentation shows. Installs them into a temporary folder, or into `PEERS`, which is kept.
 *
 * `node bench/peers/main.ts [rows] [rounds]`
 */
const [rows = 1000, rounds = 3] = process.argv.slice(2).map(Number);
const node = process.execPath;
const here = import.meta.dirname;
const folder = process.env['PEERS'] ?? mkdtempSync(join(tmpdir(), 'unroll-peers-'));
const work = mkdtempSync(join(tmpdir(), 'unroll-peers-work-'));

interface Peer {
  readonly name: string;
  readonly packages: readonly string[];
  /** What runs the rows of a file. */
  command(data: string, url: string): readonly string[];
  /** What starts and does nothing. */
  readonly start: readonly string[];
}

const home = (name: string): string => join(folder, name);
const built = join(here, '../../packages/cli/dist/flow.js');
const promptfoo = join(home('promptfoo'), 'node_modules/promptfoo/dist/src/entrypoint.js');

/** Nothing is asked of its own services; rows that fail are told by the output and not by the exit code. */
const promptfooSettings = [
  `PROMPTFOO_CONFIG_DIR=${work}`,
  'PROMPTFOO_DISABLE_TELEMETRY=1',
  'PROMPTFOO_DISABLE_UPDATE=1',
  'PROMPTFOO_FAILED_TEST_EXIT_CODE=0',
];

/** Of its last run; the other peers end with an error where a row fails. @throws Error where rows are lost */
function failedRows(): number {
  const lines = readFileSync(join(work, 'promptfoo.jsonl'), 'utf8').trim().split('\n');
  if (lines.length !== rows) throw new Error(`promptfoo wrote ${lines.length} of ${rows} rows`);
  return lines.filter((line) => (JSON.parse(line) as { readonly success: boolean }).success !== true).length;
}

const peers: readonly Peer[] = [
  {
    name: 'unroll',
    packages: [],
    command: (data, url) => {
      writeFileSync(join(work, 'ask/connections.yaml'), `mine: {type: open_ai, api_key: k, base_url: "${url}/v1"}\n`);
      const argv = ['run', join(work, 'ask'), '--data', data, '--concurrency', '50', '--quiet', '--runs-dir', work];
      return [node, built, ...argv];
    },
    start: [node, built, '--help'],
  },
  {
    name: 'promptfoo',
    packages: ['promptfoo'],
    command: (data, url) => {
      const config = join(work, 'promptfooconfig.yaml');
      const text = readFileSync(join(here, 'promptfooconfig.yaml'), 'utf8');
      const tests = join(work, 'tests.jsonl');
      const questions = readFileSync(data, 'utf8').trim().split('\n');
      writeFileSync(tests, questions.map((vars) => `{"vars": ${vars}}\n`).join(''));
      writeFileSync(config, text.replaceAll('MODEL_URL', url).replaceAll('TESTS', tests));
      const options = [
        '-j',
        '50',
        '--no-cache',
        '--no-progress-bar',
        '--no-table',
        '-o',
        join(work, 'promptfoo.jsonl'),
      ];
      return ['env', ...promptfooSettings, node, promptfoo, 'eval', '-c', config, ...options];
    },
    start: [node, promptfoo, '--help'],
  },
  library('langgraph', ['@langchain/langgraph', '@langchain/core', '@langchain/openai']),
  library('mastra', ['@mastra/core', '@ai-sdk/openai-compatible', 'zod']),
];

/** A library has no command: what starts and does nothing is a program that imports what the other one does. */
function library(name: string, packages: readonly string[]): Peer {
  const program = join(home(name), `${name}.js`);
  return {
    name,
    packages,
    command: (data, url) => ['env', `MODEL_URL=${url}`, node, program, data, join(work, `${name}.jsonl`)],
    start: [node, join(home(name), 'start.js')],
  };
}

function install({ name, packages }: Peer): string {
  if (packages.length === 0) return '';
  const place = home(name);
  mkdirSync(place, { recursive: true });
  if (!existsSync(join(place, 'node_modules'))) {
    writeFileSync(join(place, 'package.json'), '{"private": true, "type": "module"}\n');
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent', ...packages], { cwd: place });
  }
  const program = join(here, `${name}.js`);
  if (existsSync(program)) {
    cpSync(program, join(place, `${name}.js`));
    const imports = readFileSync(program, 'utf8').match(/^import .*;$/gm) ?? [];
    writeFileSync(join(place, 'start.js'), `${imports.join('\n')}\n`);
  }
  const manifest = join(place, 'node_modules', packages[0] ?? '', 'package.json');
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string }).version;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** In turn, A B C A B C …; the round before them tells the peak of memory, and its times do not count. */
async function table(title: string, commands: ReadonlyMap<string, readonly string[]>, turns: number): Promise<void> {
  const peaks = new Map<string, number>();
  for (const [name, command] of commands) peaks.set(name, await peakMegabytes(command));
  const costs = new Map([...commands.keys()].map((name): [string, ProcessCost[]] => [name, []]));
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [name, command] of commands) costs.get(name)?.push(measureProcess(command));
  }
  process.stdout.write(`\n${title}\n`);
  for (const [name, all] of costs) {
    const [cpu, wall] = [median(all.map((cost) => cost.cpuSeconds)), median(all.map((cost) => cost.wallSeconds))];
    const figures = `CPU ${cpu.toFixed(2)} s   wall ${wall.toFixed(2)} s   ${peaks.get(name)?.toFixed(0)} MB`;
    process.stdout.write(`  ${name.padEnd(24)} ${figures}\n`);
  }
}

try {
  measureProcess([node, join(here, '../../packages/cli/build.ts')]);
  writeBulkFlow(join(work, 'ask'));
  const named = peers.map((peer) => ({ peer, name: `${peer.name} ${install(peer)}`.trim() }));
  await table('start', new Map(named.map(({ peer, name }) => [name, peer.start])), rounds);
  for (const latencyMs of [0, 50]) {
    await withModelServer({ LATENCY_MS: String(latencyMs) }, async (url) => {
      const data = writeBulkData(work, rows);
      const commands = new Map(named.map(({ peer, name }) => [name, peer.command(data, url)]));
      await table(`${rows} rows, a model of ${latencyMs} ms, 50 at a time`, commands, rounds);
      process.stdout.write(`  rows that failed in the last run of promptfoo: ${failedRows()}\n`);
    });
  }
} finally {
  rmSync(work, { recursive: true, force: true });
  if (process.env['PEERS'] === undefined) rmSync(folder, { recursive: true, force: true });
}
