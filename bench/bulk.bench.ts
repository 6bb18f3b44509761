import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeBulkData, writeBulkFlow } from './bulk/bulk-flow.ts';
import { withModelServer } from './bulk/with-model-server.ts';
import { compare, printComparison } from './compare.ts';
import { measureProcess, peakMegabytes } from './process.ts';

/**
 * G4 to G7 and G12: a bulk run of prompt, model and assertion, every node recorded, as a whole process beside the least that
 * could do the same (bench/bulk/floor.ts). The model is a server of its own on the loopback interface; its CPU is not
 * counted. `ROWS=100000` runs G4 and G7 with that many rows.
 */
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = mkdtempSync(join(tmpdir(), 'flow-bulk-'));
async function withServer(environment: Record<string, string>, work: (url: string) => Promise<void>): Promise<void> {
  await withModelServer(environment, async (url) => {
    writeFileSync(join(folder, 'ask/connections.yaml'), `mine: {type: open_ai, api_key: k, base_url: "${url}/v1"}\n`);
    await work(url);
  });
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
  const data = writeBulkData(folder, rows);
  const comparisons = await compare(
    [
      { name: 'floor: undici, pool, JSON lines', measure: () => measureProcess(floorCommand(data, url))[part] },
      { name: 'flow run --data', measure: () => measureProcess(flowCommand(data))[part] },
    ],
    rounds,
  );
  printComparison(title, 's', comparisons);
}

try {
  measureProcess([node, join(root, 'packages/cli/build.ts')]);
  writeBulkFlow(join(folder, 'ask'));
  const rows = Number(process.env['ROWS'] ?? 10_000);
  const rounds = Number(process.env['ROUNDS'] ?? 5);
  await withServer({}, async (url) => {
    await compareRuns('G5 1,000 rows, start-up included, CPU (target <= 1.0x)', 1_000, url, rounds, 'cpuSeconds');
    await compareRuns(`G4 ${rows} rows, CPU (target <= 1.5x)`, rows, url, Math.ceil(rounds / 2), 'cpuSeconds');
    const data = writeBulkData(folder, rows);
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
