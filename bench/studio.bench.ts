import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createSqliteRunLog, type NodeRun, type RunInfo } from '../packages/engine/src/index.ts';

/**
 * The studio on a run of 100,000 rows of a loop of three turns (9 nodes): what a reader waits for, over HTTP, in milliseconds. The
 * first view in a fresh process, then the rows by filter, sort and search once the record was read. Targets: the first view in 1 s,
 * rows in 150 ms. `pnpm bench studio`, or `node bench/studio.bench.ts 10000` for so many rows.
 */
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const rows = Number(process.argv[2] ?? 100_000);
const folder = mkdtempSync(join(tmpdir(), 'flow-studio-'));
const turns = [1, 2, 3];

const nodes: RunInfo['nodes'] = [
  { name: 'start', kind: 'python', reads: [] },
  ...turns.flatMap((turn) => [
    {
      ...{ name: `agent_${turn}`, kind: 'llm', family: 'agent', iteration: turn, loop: 'search' },
      reads: [turn === 1 ? 'start' : `function_${turn - 1}`],
    },
    {
      ...{ name: `function_${turn}`, kind: 'python', family: 'function', iteration: turn, loop: 'search' },
      reads: [`agent_${turn}`],
    },
  ]),
  { name: 'search', kind: 'loop', reads: ['function_3'] },
  { name: 'answer', kind: 'python', reads: ['search'] },
];

function nodeRun(line: number, { name, kind }: RunInfo['nodes'][number], at: number): NodeRun {
  const turn = Number(/_(\d)$/.exec(name)?.[1] ?? 0);
  const base = { line, node: name, kind, startedAt: 1_000_000 + at, inputs: { x: `行 ${line} の入力` } } as const;
  if (turn > (line % 3) + 1) return { ...base, status: 'Bypassed', durationMs: 0, output: null };
  const usage = { promptTokens: 200 + (line % 97), completionTokens: 20, totalTokens: 220 + (line % 97) };
  return {
    ...{ ...base, status: 'Completed', durationMs: 1 + ((line * 7 + at) % 50) },
    output: `行 ${line} の ${name} の答え。第三者提供の記録義務については個人情報保護法第 29 条を参照。`,
    ...(kind === 'llm' ? { usage } : {}),
  };
}

async function writeRun(): Promise<void> {
  mkdirSync(join(folder, '.flow/runs'), { recursive: true });
  const info: RunInfo = {
    ...{ id: 'large', flowPath: 'f', flowName: 'f', flowDigest: 'f', startedAt: 1_000_000, nodes },
    outputs: [{ name: 'answer', reads: 'answer' }],
    data: { path: 'rows.jsonl', digest: 'd', total: rows },
  };
  await using log = createSqliteRunLog(join(folder, '.flow/runs/large.run'), info);
  for (let line = 0; line < rows; line += 1) {
    const runs = nodes.map((node, at) => nodeRun(line, node, at));
    const end = { line, startedAt: 1_000_000, durationMs: 20 + ((line * 13) % 400) };
    const inputs = { query: `${line} 番目の質問：委託先に個人データを渡すとき、本人の同意は要りますか` };
    const outputs = { answer: runs.at(-1)?.output ?? null };
    const error = { code: 'TypeError', message: `shard ${line % 7}`, node: 'answer', retryable: false } as const;
    const written =
      line % 50 === 7
        ? log.append(runs.slice(0, -1), { ...end, status: 'Failed', inputs, outputs: {}, error })
        : log.append(runs, { ...end, status: 'Completed', inputs, outputs });
    if (line % 1000 === 999) await written;
  }
}

interface Server {
  ask(path: string): Promise<{ readonly ms: number; readonly bytes: number }>;
  /** Until an event of this type comes, from when it was asked for. */
  heard(type: string): Promise<number>;
  end(): void;
}

async function serve(): Promise<Server> {
  const child = spawn(process.execPath, [join(root, 'packages/cli/dist/flow.js'), 'view', '--json', '--no-open'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface(child.stdout)) {
    const { url, token } = JSON.parse(line) as { readonly url: string; readonly token: string };
    const headers = { authorization: `Bearer ${token}` };
    const api = `${url}/api/studio/v1/`;
    return {
      ask: async (path) => {
        const begun = performance.now();
        const answer = await fetch(api + path, { headers });
        const text = await answer.text();
        if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
        return { ms: performance.now() - begun, bytes: text.length };
      },
      heard: async (type) => {
        const begun = performance.now();
        const { body } = await fetch(`${api}events?run=large`, { headers });
        const decoder = new TextDecoder();
        for await (const piece of body ?? [])
          if (decoder.decode(piece).includes(`"type":"${type}"`)) return performance.now() - begun;
        throw new Error(`no event ${type}`);
      },
      end: () => child.kill(),
    };
  }
  throw new Error('flow view did not begin');
}

function tell(name: string, times: readonly number[]): void {
  const sorted = times.toSorted((one, other) => one - other);
  const [median = 0, max = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  process.stdout.write(`  ${name.padEnd(44)} ${median.toFixed(0).padStart(6)} ms   most ${max.toFixed(0)}\n`);
}

const firstView = ['session', 'runs/large', 'runs/large/rows?limit=100&offset=0'];

/** What the page asks for at once, until all of it is there. */
async function view(server: Server): Promise<number> {
  const begun = performance.now();
  await Promise.all(firstView.map((path) => server.ask(path)));
  return performance.now() - begun;
}

const filter = (value: object): string => `filter=${encodeURIComponent(JSON.stringify(value))}`;
const asked: Readonly<Record<string, string>> = {
  'a page of rows': 'offset=50000',
  'failed rows': filter({ by: 'status', is: 'Failed' }),
  'rows whose loop took two turns': filter({ by: 'turns', loop: 'search', is: 2 }),
  'two filters': `${filter({ by: 'status', is: 'Completed' })}&${filter({ by: 'node', node: 'agent_3', is: 'Completed' })}`,
  'sorted by time, most first': 'sort=-ms',
  'sorted by tokens': 'sort=tokens',
  'search for a number': filter({ by: 'text', is: '99 番目' }),
  'search for what every row has': filter({ by: 'text', is: '個人データ' }),
};

try {
  spawnSync(process.execPath, [join(root, 'packages/cli/build.ts')], { stdio: 'inherit' });
  writeFileSync(join(folder, 'README'), 'a folder of runs\n');
  await writeRun();
  process.stdout.write(`${rows} rows x ${nodes.length} nodes\n`);
  const cold: number[] = [];
  const read: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const server = await serve();
    const ready = server.heard('ready');
    cold.push(await view(server));
    read.push(await ready);
    server.end();
  }
  tell('first view, fresh process', cold);
  tell('record read, in the background', read);
  const server = await serve();
  const ready = server.heard('ready');
  await view(server);
  await ready;
  const warm: number[] = [];
  for (let round = 0; round < 10; round += 1) warm.push(await view(server));
  tell('first view, once the record was read', warm);
  for (const [name, query] of Object.entries(asked)) {
    const times: number[] = [];
    for (let round = 0; round < 10; round += 1) times.push((await server.ask(`runs/large/rows?limit=100&${query}`)).ms);
    tell(name, times);
  }
  server.end();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
