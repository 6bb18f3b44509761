import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIndex, createIndexDatabase, listFiles, openIndexDatabase } from '@unroll/nodes/build-index';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

/** What `flow index build` has done is in the file, whenever it is killed. */
const files = 3;
const documents = 400;
const folder = mkdtempSync(join(tmpdir(), 'index-killed-'));
let server: Server;
/** Texts of each request, in the order they came. */
const asked: number[] = [];
/** Which request is left without an answer, from 1 on, and who is told of it. */
let unanswered = { request: 3, reached: (): void => undefined };

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += String(part);
    const { input } = JSON.parse(body) as { input: string[] };
    asked.push(input.length);
    if (asked.length === unanswered.request) {
      unanswered.reached();
      return;
    }
    const data = input.map((text, index) => ({ object: 'embedding', index, embedding: [text.length, 1] }));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ object: 'list', data, model: 'm', usage: { prompt_tokens: 1, total_tokens: 1 } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  writeFileSync(
    join(folder, 'connections.yaml'),
    `mine: {type: open_ai, api_key: k, base_url: "http://127.0.0.1:${port}/v1"}\n`,
  );
  mkdirSync(join(folder, 'docs'));
  for (let file = 0; file < files; file += 1) {
    const lines = Array.from({ length: documents }, (_, at) =>
      JSON.stringify({ id: `${file}-${at}`, text: `文書 ${file} の ${at} 番` }),
    );
    writeFileSync(join(folder, 'docs', `${file}.jsonl`), lines.join('\n'));
  }
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

function flow(...options: readonly string[]): ChildProcess {
  return spawn(process.execPath, [inject('builtFlow'), 'index', ...options], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function said(child: ChildProcess): Promise<string> {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => (text += part));
  await once(child, 'close');
  return text;
}

async function killed(child: ChildProcess, moment: Promise<unknown>): Promise<void> {
  const closed = once(child, 'close');
  await moment;
  child.kill('SIGKILL');
  await closed;
}

const build = ['build', 'docs', '--out', 'kb.index', '--embedder', 'mine', '--model', 'm'];

test('killed while vectors are made: no file is opened again, no vector that was kept is made again', async () => {
  const reached = new Promise<void>((resolve) => {
    unanswered = { request: 3, reached: resolve };
  });
  await killed(flow(...build), reached);
  expect(asked).toEqual([256, 256, 256]);
  const told = await said(flow(...build));
  expect(told).toContain(
    '1200 documents, 1200 with vectors (688 made now, 3 tokens); nothing changed (0 of 3 files opened)',
  );
  expect(asked.reduce((sum, one) => sum + one, 0)).toBe(files * documents + 256);
}, 60_000);

test('killed while files are read: the next build makes of it what an undisturbed one makes', async () => {
  const path = join(folder, 'words.index');
  const child = flow('build', 'docs', '--out', 'words.index');
  const begun = new Promise<void>((resolve) => {
    const look = (): void => (existsSync(path) ? resolve() : void setImmediate(look));
    look();
  });
  await killed(child, begun);
  await said(flow('build', 'docs', '--out', 'words.index'));
  const undisturbed = createIndexDatabase(':memory:');
  await buildIndex(undisturbed, {
    files: listFiles([join(folder, 'docs')]).files,
    chunks: { tokens: 400, overlap: 60 },
    signal: new AbortController().signal,
  });
  const held = (database: typeof undisturbed): unknown =>
    database.prepare('SELECT name, title, text, fields FROM documents ORDER BY name').all();
  const resumed = openIndexDatabase(path, 'read');
  expect(held(resumed)).toEqual(held(undisturbed));
  resumed.close();
}, 60_000);
