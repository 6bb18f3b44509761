import { chmodSync, chownSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PostgresServer } from '../testing/index.ts';
import { startPostgres } from '../testing/index.ts';
import { openDatabase } from './open-database.ts';

/** Of `localhost`, signed by itself, until 2126; made for this test alone. */
const certificate = `-----BEGIN CERTIFICATE-----
MIIBlTCCATugAwIBAgIUNUcmFf49cNC8RaYqYEKgQrowgFQwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMzIzMjAyNFoYDzIxMjYxMDMw
MjMyMDI0WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQFlpIgFAxVAlWGUzNjeaT3/hQLUAu9BpKzh0C4AbrlZmbXex+a8qZD
gtKI8vOI46F98NX8VqSwTwdvdRVhIHu3o2kwZzAdBgNVHQ4EFgQURA/xP+TyAb7Z
36Mv61zwMYPP/30wHwYDVR0jBBgwFoAURA/xP+TyAb7Z36Mv61zwMYPP/30wDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SAAwRQIgAr5TpO0cSj4O0HTuoW6vHNtIItUOoBnGbZmCSKThQwcCIQCcdzlSPIKM
0gpOmjbsXAu+gOEV1FAGoBT5uCNvdT7O7w==
-----END CERTIFICATE-----
`;
const privateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgpUx1JCQQZ+SRmSwn
wR1ciMN/nBjaTHTXzcUZVqzjLt2hRANCAAQFlpIgFAxVAlWGUzNjeaT3/hQLUAu9
BpKzh0C4AbrlZmbXex+a8qZDgtKI8vOI46F98NX8VqSwTwdvdRVhIHu3
-----END PRIVATE KEY-----
`;

/** The user that PostgreSQL runs as where the tests run as root: it reads no key of another one. */
const nobody = 65_534;

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'unroll-tls-')));
const root = join(folder, 'certificate.pem');
let server: PostgresServer;

async function told(address: string, sql: string): Promise<unknown> {
  await using database = await openDatabase(address, { connections: 1 });
  return await database.query(sql);
}

beforeAll(async () => {
  chmodSync(folder, 0o755);
  writeFileSync(root, certificate);
  const key = join(folder, 'key.pem');
  writeFileSync(key, privateKey, { mode: 0o600 });
  if (userInfo().uid === 0) chownSync(key, nobody, nobody);
  server = await startPostgres();
  const owner = `${server.url}/postgres`;
  await expect(told(`${owner}?sslmode=require`, 'SELECT 1')).rejects.toThrow(
    'The server does not support SSL connections',
  );
  await told(owner, `ALTER SYSTEM SET ssl_cert_file = '${root}'`);
  await told(owner, `ALTER SYSTEM SET ssl_key_file = '${key}'`);
  await told(owner, `ALTER SYSTEM SET ssl = 'on'`);
  await server.kill();
  await server.start();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const isEncrypted = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';

test.for([
  { host: '127.0.0.1', query: '', ssl: true },
  { host: '127.0.0.1', query: 'sslmode=disable', ssl: false },
  { host: '127.0.0.1', query: 'sslmode=require', ssl: true },
  { host: '127.0.0.1', query: 'sslmode=verify-ca&sslrootcert=ROOT', ssl: true },
  { host: 'localhost', query: 'sslmode=verify-full&sslrootcert=ROOT', ssl: true },
])('$host?$query: encrypted $ssl', async ({ host, query, ssl }) => {
  const address = `${server.url.replace('127.0.0.1', host)}/postgres?${query.replace('ROOT', root)}`;
  expect(await told(address, isEncrypted)).toEqual([{ ssl }]);
});

test.for([
  { host: 'localhost', query: 'sslmode=verify-full', why: 'self-signed certificate' },
  {
    host: '127.0.0.1',
    query: 'sslmode=verify-full&sslrootcert=ROOT',
    why: "Hostname/IP does not match certificate's altnames",
  },
])('$host?$query is refused: $why', async ({ host, query, why }) => {
  const address = `${server.url.replace('127.0.0.1', host)}/postgres?${query.replace('ROOT', root)}`;
  const refused = told(address, isEncrypted);
  await expect(refused).rejects.toThrow('no encrypted connection to PostgreSQL at postgres://postgres@');
  await expect(refused).rejects.toThrow(why);
});
