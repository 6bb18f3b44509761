import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database } from '../../packages/queue/src/database/database.ts';
import { freshEngine } from '../../packages/queue/src/testing/index.ts';
import { parentOf } from './process-cpu.ts';

const cli = join(dirname(fileURLToPath(import.meta.url)), '../../packages/cli/dist/flow.js');
const names = ['a', 'b', 'c', 'd', 'e'];

/** The built command line, an engine on a real PostgreSQL, and flows: `noop`, five nodes that hand on what they are given, and `slow`, one that waits. */
export interface WorkerWorld extends AsyncDisposable {
  readonly database: Database;
  /** Process of the server, parent of all others of it. */
  readonly postmaster: number;
  /** Where rows of `slow` tell that they begin: row, process, milliseconds since the epoch; a line each. */
  readonly begunFile: string;
  /** Path of a file with so many rows. */
  data(rows: number): string;
  /** Starts a command line. */
  flow(...argv: readonly string[]): ChildProcess;
  /** Starts workers and waits until they wait for work. */
  workers(count: number, ...argv: readonly string[]): Promise<readonly Worker[]>;
}

export interface Worker extends AsyncDisposable {
  readonly process: number;
  kill(): Promise<void>;
}

export async function workerWorld(): Promise<WorkerWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'flow-workers-'));
  writeFlow(folder);
  const engine = await freshEngine();
  const [own] = await engine.database.query<{ id: number }>('SELECT pg_backend_pid() AS id');
  const flow = (...argv: readonly string[]): ChildProcess => {
    const env = { ...process.env, HOME: folder, FLOW_ENGINE: engine.url };
    return spawn(process.execPath, [cli, ...argv], { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
  };
  return {
    database: engine.database,
    postmaster: parentOf(own?.id ?? 0),
    flow,
    begunFile: begunFileOf(folder),
    data(rows) {
      const path = join(folder, `${rows}.jsonl`);
      writeFileSync(path, Array.from({ length: rows }, (_, n) => `{"n":${n}}\n`).join(''));
      return path;
    },
    workers: (count, ...argv) =>
      Promise.all(
        Array.from({ length: count }, (_, at) => startWorker(() => flow('worker', '--name', `w${at}`, ...argv))),
      ),
    async [Symbol.asyncDispose]() {
      await engine[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function writeFlow(folder: string): void {
  const nodes = names.map((name, at) => {
    const from = at === 0 ? 'inputs.n' : `${names[at - 1]}.output`;
    return `- {name: ${name}, type: python, source: {type: code, path: same.ts}, inputs: {n: "\${${from}}"}}\n`;
  });
  const head = `inputs: {n: {type: int}}\noutputs: {o: {type: int, reference: "\${e.output}"}}\nnodes:\n`;
  mkdirSync(join(folder, 'noop'));
  writeFileSync(join(folder, 'noop/flow.dag.yaml'), head + nodes.join(''));
  writeFileSync(join(folder, 'noop/same.ts'), 'export const same = ({ n }: { n: number }) => n;\n');
  const slow = '- {name: e, type: python, source: {type: code, path: slow.ts}, inputs: {n: "${inputs.n}"}}\n';
  mkdirSync(join(folder, 'slow'));
  writeFileSync(join(folder, 'slow/flow.dag.yaml'), head + slow);
  writeFileSync(
    join(folder, 'slow/slow.ts'),
    `import { appendFileSync } from 'node:fs';
export async function slow({ n }: { n: number }) {
  appendFileSync(${JSON.stringify(begunFileOf(folder))}, \`\${n} \${process.pid} \${Date.now()}\\n\`);
  await new Promise((resolve) => setTimeout(resolve, 800));
  return n;
}
`,
  );
}

function begunFileOf(folder: string): string {
  return join(folder, 'begun.txt');
}

async function startWorker(start: () => ChildProcess): Promise<Worker> {
  const child = start();
  const { stderr } = child;
  if (stderr === null) throw new Error('bug: a worker without words');
  let said = '';
  for await (const piece of stderr.iterator({ destroyOnReturn: false })) {
    said += piece;
    if (said.includes('waits for work')) break;
  }
  if (!said.includes('waits for work')) throw new Error(`a worker has ended: ${said}`);
  stderr.on('data', (piece) => process.stderr.write(piece));
  return {
    process: child.pid ?? 0,
    async kill() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Waits for a command line. @throws when it does not exit with 0 */
export async function ended(child: ChildProcess): Promise<void> {
  let said = '';
  child.stderr?.on('data', (piece) => {
    said += piece;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`it exited with ${code}: ${said}`);
}
