import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withModelServer } from './bulk/with-model-server.ts';
import { compare, printComparison } from './compare.ts';
import { measureProcess } from './process.ts';
import { load, openStreams, type Pace } from './serve/load.ts';
import { type ServerProcess, startServer } from './serve/server-process.ts';

/**
 * `flow serve`, the bundle, beside a bare hono handler, and beside Prompt flow's server where PROMPTFLOW names its `pf` command:
 * CPU and requests a second of a flow of two prompt nodes; what 200 connections wait beyond a model's 50 ms; 1,000 open
 * streams; memory over 100,000 requests; answers lost by SIGTERM under load. PARTS names some of them (cpu,promptflow). Linux alone:
 * CPU is read from /proc.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'flow-serve-bench-'));
const say = (line: string): void => void process.stdout.write(`${line}\n`);

function writeFlow(name: string, yaml: string, files: Readonly<Record<string, string>>): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'flow.dag.yaml'), yaml);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
  return path;
}

const question = 'inputs:\n  question: {type: string}\n';
const prompts = writeFlow(
  'prompts',
  `${question}outputs:\n  answer: {type: string, reference: "\${b.output}"}\nnodes:\n- {name: a, type: prompt, source: {type: code, path: a.jinja2}, inputs: {question: "\${inputs.question}"}}\n- {name: b, type: prompt, source: {type: code, path: a.jinja2}, inputs: {question: "\${a.output}"}}\n`,
  { 'a.jinja2': '{{ question }}' },
);
const asks = writeFlow(
  'asks',
  `${question}outputs:\n  answer: {type: string, reference: "\${ask.output}"}\nnodes:\n- {name: ask, type: llm, source: {type: code, path: a.jinja2}, connection: loopback, api: chat, inputs: {model: m, question: "\${inputs.question}"}}\n`,
  { 'a.jinja2': '# user:\n{{ question }}\n' },
);

const flowCommand = [process.execPath, join(root, 'packages/cli/dist/flow.js')];
const serving = (flow: string, ...words: readonly string[]): Promise<ServerProcess> =>
  startServer([...flowCommand, 'serve', flow, '--port', '0', '--runs-dir', join(folder, 'runs'), ...words]);
const bareServer = (): Promise<ServerProcess> =>
  startServer([process.execPath, join(root, 'bench/serve/bare-server.ts')]);

/** CPU milliseconds a request, after 500 that do not count. */
async function cpuOf(server: ServerProcess, requests: number): Promise<number> {
  const before = server.cpuSeconds();
  const { failed } = await load(server.url, requests, { connections: 16 });
  if (failed.status + failed.lost > 0) throw new Error(`${JSON.stringify(failed)} of ${requests} requests failed`);
  return (1000 * (server.cpuSeconds() - before)) / requests;
}

async function measureCpu(): Promise<void> {
  const servers = [await bareServer(), await serving(prompts, '--record', 'none'), await serving(prompts)];
  for (const server of servers) await load(server.url, 3000, { connections: 16 });
  const names = [
    'floor: a bare hono handler',
    'flow serve --record none (target 4)',
    'flow serve, every request recorded',
  ];
  const contenders = servers.map((server, at) => ({ name: names[at] ?? '', measure: () => cpuOf(server, 3000) }));
  printComparison('CPU a request, two prompt nodes', 'ms', await compare(contenders, 7));
  for (const server of servers) await server.end();
}

async function measurePromptFlow(pf: string): Promise<void> {
  const words = ['flow', 'serve', '--source', prompts, '--port', '18080', '--host', '127.0.0.1', '--skip-open-browser'];
  const servers = [
    {
      name: 'pf flow serve',
      requests: 200,
      server: await startServer([pf, ...words], { PF_DISABLE_TELEMETRY: 'true' }),
    },
    {
      name: 'flow serve --record none (target 0.05)',
      requests: 2000,
      server: await serving(prompts, '--record', 'none'),
    },
    { name: 'flow serve, every request recorded', requests: 2000, server: await serving(prompts) },
  ];
  for (const { server, requests } of servers) await load(server.url, requests, { connections: 16 });
  const measured = (measure: (server: ServerProcess, requests: number) => Promise<number>) =>
    servers.map(({ name, requests, server }) => ({ name, measure: () => measure(server, requests) }));
  const wall = async (server: ServerProcess, requests: number): Promise<number> =>
    1000 / (await load(server.url, requests, { connections: 16 })).requestsPerSecond;
  printComparison('a request, 16 at a time, wall', 'ms', await compare(measured(wall), 5));
  printComparison('a request, CPU', 'ms', await compare(measured(cpuOf), 5));
  for (const { server } of servers) await server.end();
}

/** A server of a flow that asks a model of 50 ms, which lets in so many requests at a time. */
async function withAsking(inFlight: number, work: (server: ServerProcess) => Promise<void>): Promise<void> {
  await withModelServer({ LATENCY_MS: '50' }, async (url) => {
    const connections = join(folder, 'connections.yaml');
    writeFileSync(connections, `loopback: {type: open_ai, base_url: "${url}/v1", api_key: none}\n`);
    const server = await serving(asks, '--connections', connections, '--max-in-flight', String(inFlight));
    await work(server);
    await server.end();
  });
}

/** Requests a second; the model, the clients and the server share the machine's processors. */
const addedRates = [50, 100, 200, 500];

/** What 200 connections wait beyond the model's 50 ms, beside servers that do nothing but ask it. */
async function measureAdded(): Promise<void> {
  await withModelServer({ LATENCY_MS: '50' }, async (url) => {
    const connections = join(folder, 'connections.yaml');
    writeFileSync(connections, `loopback: {type: open_ai, base_url: "${url}/v1", api_key: none}\n`);
    const asking = (client: string): Promise<ServerProcess> =>
      startServer([process.execPath, join(root, 'bench/serve/asking-server.ts'), client, `${url}/v1`]);
    const inFlight = ['--connections', connections, '--max-in-flight', '200'];
    const servers: Readonly<Record<string, () => Promise<ServerProcess>>> = {
      'hono and undici': () => asking('undici'),
      'hono and the openai package': () => asking('openai'),
      'flow serve --record none': () => serving(asks, ...inFlight, '--record', 'none'),
      'flow serve': () => serving(asks, ...inFlight),
    };
    for (const [name, start] of Object.entries(servers)) {
      const server = await start();
      await load(server.url, 4000, { connections: 200 });
      say(`200 connections, a model of 50 ms, ${name}:`);
      await sayAdded('as often as they can', server, 10_000, { connections: 200 });
      for (const rate of addedRates)
        await sayAdded(`${rate} a second`, server, rate * 10, { connections: 200, everyMs: 200_000 / rate });
      await server.end();
    }
  });
}

async function sayAdded(how: string, server: ServerProcess, requests: number, pace: Pace): Promise<void> {
  const before = server.cpuSeconds();
  const { p50, p99, failed, requestsPerSecond } = await load(server.url, requests, pace);
  const cpu = (1000 * (server.cpuSeconds() - before)) / requests;
  const [added, worst] = [p50 - 50, p99 - 50].map((ms) => `+${ms.toFixed(1)} ms`);
  say(
    `  ${how.padEnd(22)}p50 ${added}, p99 ${worst} (target 3), ${requestsPerSecond.toFixed(0)}/s, CPU ${cpu.toFixed(2)} ms a request, failed ${JSON.stringify(failed)}`,
  );
}

async function measureStreams(server: ServerProcess): Promise<void> {
  const startedAt = performance.now();
  const { begun, ended, completed } = await openStreams(server.url, '/flows/asks/runs', 1000);
  const seconds = (performance.now() - startedAt) / 1000;
  say(`1,000 streams at once: ${begun} begun, ${ended} ended, ${completed} completed, in ${seconds.toFixed(1)} s`);
}

async function measureMemory(): Promise<void> {
  const server = await serving(prompts);
  const marks: string[] = [];
  for (let done = 0; done < 100_000; done += 20_000) {
    await load(server.url, 20_000, { connections: 32 });
    marks.push(server.memory().toFixed(0));
  }
  say(`memory after each 20,000 of 100,000 requests: ${marks.join(', ')} MB`);
  await server.end();
}

async function measureTermination(): Promise<void> {
  const server = await serving(prompts);
  await load(server.url, 1000, { connections: 32 });
  const clients = load(server.url, 20_000, { connections: 32 });
  setTimeout(() => server.child.kill('SIGTERM'), 500);
  const code = await new Promise((resolve) => server.child.on('close', resolve));
  const { failed } = await clients;
  const answered = 20_000 - failed.status - failed.refused - failed.lost;
  say(
    `SIGTERM under load: exit ${code}, ${answered} answered, ${failed.status} told to go, ${failed.refused} refused, ${failed.lost} lost`,
  );
}

const parts: Readonly<Record<string, () => Promise<void>>> = {
  cpu: measureCpu,
  promptflow: async () => {
    const { PROMPTFLOW } = process.env;
    if (PROMPTFLOW === undefined) say("beside Prompt flow's server: left out, PROMPTFLOW names no pf command");
    else await measurePromptFlow(PROMPTFLOW);
  },
  added: measureAdded,
  streams: () => withAsking(1000, measureStreams),
  memory: measureMemory,
  termination: measureTermination,
};

try {
  const named = process.env['PARTS']?.split(',') ?? Object.keys(parts);
  measureProcess([process.execPath, join(root, 'packages/cli/build.ts')]);
  for (const name of named) await parts[name]?.();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
