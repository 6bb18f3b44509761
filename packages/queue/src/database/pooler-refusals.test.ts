import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { isPassing } from './database-failure.ts';
import { openDatabase } from './open-database.ts';

/**
 * Refuses whoever comes as PgBouncer 1.18 does: an ErrorResponse whose code is always 08P01
 * (https://www.postgresql.org/docs/current/protocol-message-formats.html).
 */
function refuse(socket: Socket, message: string, code = '08P01'): void {
  socket.on('error', () => {});
  socket.on('data', (asked) => {
    const sslRequest = 80_877_103;
    if (asked.length === 8 && asked.readInt32BE(4) === sslRequest) socket.write('N');
    else {
      const fields = Buffer.from(`SFATAL\0C${code}\0M${message}\0\0`);
      const head = Buffer.from('E0000');
      head.writeInt32BE(fields.length + 4, 1);
      socket.end(Buffer.concat([head, fields]));
    }
  });
}

test.each([
  ['SASL authentication failed', 'EngineRefused', false],
  ['no such user', 'EngineRefused', false],
  ['database "nosuch" does not exist', 'EngineDatabaseMissing', false],
  ['transaction blocks not allowed in statement pooling mode', 'EnginePoolerUnfit', false],
  ['unsupported startup parameter: options', 'EnginePoolerUnfit', false],
  ['no more connections allowed (max_client_conn)', 'EngineUnreachable', true],
  ['query_wait_timeout', 'EngineUnreachable', true],
  ['server login has been failing, try again later (server_login_retry)', 'EngineUnreachable', true],
  ['pgbouncer cannot connect to server', 'EngineUnreachable', true],
])('a pooler that says "%s": %s, and to try again can help: %s', async (message, code, passes) => {
  const pooler = createServer((socket) => refuse(socket, message)).listen(0, '127.0.0.1');
  await once(pooler, 'listening');
  const { port } = pooler.address() as AddressInfo;
  await expect(openDatabase(`postgres://ada:secret@127.0.0.1:${port}/flows`)).rejects.toMatchObject({
    code,
    message: expect.stringContaining(message),
  });
  expect(isPassing(Object.assign(new Error(message), { code: '08P01' }))).toBe(passes);
  pooler.close();
});

test.each([
  ['53300', 'sorry, too many clients already', 'max_connections'],
  ['57P03', 'the database system is starting up', 'try again'],
  ['08P01', 'no more connections allowed (max_client_conn)', 'max_client_conn'],
])('a server that answers %s is there, and lets nobody in: %s', async (code, message, help) => {
  const server = createServer((socket) => refuse(socket, message, code)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await expect(openDatabase(`postgres://ada:secret@127.0.0.1:${port}/flows`)).rejects.toMatchObject({
    code: 'EngineUnreachable',
    message: `PostgreSQL at postgres://ada@127.0.0.1:${port}/flows lets nobody in for now: ${message}`,
    help: expect.stringContaining(help),
  });
  server.close();
});
