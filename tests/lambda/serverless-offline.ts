import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Serverless 4 asks for a login, and serverless-offline 14 for Serverless 4. */
const packages = ['serverless@3.40.0', 'serverless-offline@13.10.1'];

/** Kept between runs: 280 MB. */
const installed =
  process.env['SERVERLESS_FOLDER'] ?? join(import.meta.dirname, '../../node_modules/.cache/serverless-offline');

/** Nothing is sent, asked for or looked up; the credentials are none. */
const quiet = {
  SLS_TELEMETRY_DISABLED: '1',
  SLS_TRACKING_DISABLED: '1',
  SLS_NOTIFICATIONS_MODE: 'off',
  SLS_INTERACTIVE_SETUP_ENABLE: '0',
  CI: '1',
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'example',
};

export interface ServedFunction {
  /** CommonJS text that exports `handler`. */
  readonly code: string;
  /** Seconds the function may take. */
  readonly timeout?: number;
}

export interface ServedFunctions extends AsyncDisposable {
  /** Where the Invoke API listens. */
  readonly endpoint: string;
}

/** Functions by name, behind the Invoke API of serverless-offline, each called in a worker thread of its own. */
export async function serveFunctions(functions: Readonly<Record<string, ServedFunction>>): Promise<ServedFunctions> {
  install();
  const folder = mkdtempSync(join(tmpdir(), 'serverless-offline-'));
  symlinkSync(join(installed, 'node_modules'), join(folder, 'node_modules'));
  for (const [name, { code }] of Object.entries(functions)) writeFileSync(join(folder, `${name}.js`), code);
  const [httpPort, lambdaPort] = [await freePort(), await freePort()];
  writeFileSync(join(folder, 'serverless.yml'), JSON.stringify(serviceOf(functions, httpPort, lambdaPort)));
  const program = join(folder, 'node_modules/serverless/bin/serverless.js');
  const started = spawn(process.execPath, [program, 'offline', 'start'], {
    cwd: folder,
    env: { ...process.env, ...quiet },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await listening(started, `http://localhost:${lambdaPort}`);
  return {
    endpoint: `http://localhost:${lambdaPort}`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => started.once('close', resolve));
      started.kill('SIGKILL');
      await closed;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function install(): void {
  if (existsSync(join(installed, 'node_modules/serverless-offline'))) return;
  mkdirSync(installed, { recursive: true });
  writeFileSync(join(installed, 'package.json'), '{"private": true}\n');
  const arguments_ = ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages];
  const { status, stderr } = spawnSync('npm', arguments_, { cwd: installed, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm could not install ${packages.join(' and ')}: ${stderr}`);
}

function serviceOf(functions: Readonly<Record<string, ServedFunction>>, httpPort: number, lambdaPort: number): object {
  const written = Object.entries(functions).map(([name, { timeout = 10 }]) => [
    name,
    { name, handler: `${name}.handler`, timeout },
  ]);
  return {
    service: 'user-programs',
    frameworkVersion: '3',
    provider: { name: 'aws', runtime: 'nodejs20.x', region: 'ap-northeast-1' },
    plugins: ['serverless-offline'],
    custom: { 'serverless-offline': { httpPort, lambdaPort } },
    functions: Object.fromEntries(written),
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, ready));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  if (address === null || typeof address === 'string') throw new Error('bug: no port');
  return address.port;
}

/** Resolves once the service says that it listens at the address. */
async function listening(started: ChildProcess, address: string): Promise<void> {
  let said = '';
  await new Promise<void>((resolve, reject) => {
    const hear = (chunk: Buffer): void => {
      said += chunk.toString('utf8');
      if (said.includes(`[http for lambda] listening on ${address}`)) resolve();
    };
    started.stdout?.on('data', hear);
    started.stderr?.on('data', hear);
    started.once('close', (code) => reject(new Error(`serverless offline ended with ${code}: ${said}`)));
  });
}
