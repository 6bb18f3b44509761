import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './free-port.ts';

interface PooledServer {
  /** Where what it needs is written. */
  readonly folder: string;
  /** Of PostgreSQL. */
  readonly port: number;
  /** Of the user `postgres`, who looks up those of others. */
  readonly password: string;
  /** `session`, `transaction` or `statement`. */
  readonly pooling: string;
}

/** Starts the `pgbouncer` of this machine before a PostgreSQL of the loopback; it ends with this process. @returns its port */
export async function startPgbouncer({ folder, port, password, pooling }: PooledServer): Promise<number> {
  const own = await freePort();
  const users = join(folder, 'pgbouncer-users.txt');
  const settings = join(folder, 'pgbouncer.ini');
  writeFileSync(users, `"postgres" "${password}"\n`);
  writeFileSync(
    settings,
    `[databases]
* = host=127.0.0.1 port=${port} auth_user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = ${pooling}
max_client_conn = 500
default_pool_size = ${pooling === 'session' ? 50 : 10}
server_login_retry = 1
`,
  );
  const pooler = spawn('pgbouncer', [settings], { stdio: ['ignore', 'ignore', 'pipe'] });
  process.on('exit', () => pooler.kill());
  let said = '';
  for await (const piece of pooler.stderr.iterator({ destroyOnReturn: false })) {
    said += String(piece);
    if (said.includes('process up')) break;
  }
  pooler.stderr.resume();
  if (!said.includes('process up')) throw new Error(`PgBouncer has ended (${await once(pooler, 'close')}): ${said}`);
  return own;
}
