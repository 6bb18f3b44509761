import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { openDatabase } from '../database/open-database.ts';
import { startPostgres } from './postgres-server.ts';

/** Whether somebody listened there; resolves when the connection is closed again. */
function isHeard(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    let hasConnected = false;
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      hasConnected = true;
    });
    socket.on('error', () => {});
    socket.resume().on('close', () => resolve(hasConnected));
  });
}

test('what was committed is there after the server crashed and was started again at the same address', async () => {
  await using server = await startPostgres();
  const url = `${server.url}/postgres`;
  {
    await using database = await openDatabase(url);
    await database.query('CREATE TABLE kept AS SELECT 7 AS n');
  }
  await server.kill();
  await expect(openDatabase(url)).rejects.toMatchObject({ code: 'EngineUnreachable' });
  await server.start();
  await using database = await openDatabase(url);
  expect(await database.query('SELECT n FROM kept')).toEqual([{ n: 7 }]);
});

test('a server ends with the process that started it, also when that is killed', async () => {
  const file = JSON.stringify(new URL('./postgres-server.ts', import.meta.url).href);
  const program = `const { startPostgres } = await import(${file});
    console.log((await startPostgres()).url);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', program]);
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  const url = said.toString().trim();
  expect(url).toMatch(/^postgres:\/\//);
  child.kill('SIGKILL');
  while (await isHeard(url));
});
