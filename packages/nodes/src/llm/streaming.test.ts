import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connection, Streaming } from '@unroll/engine';
import { startOpenAiServer } from '@unroll/nodes/testing';
import { openWrittenFlow } from '@unroll/promptflow/testing';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'unroll-stream-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'p.jinja2'), 'user:\n{{ q }}\n');

const text = `
inputs: {q: {type: string, default: hi}}
outputs:
  alone: {type: string, reference: "\${alone.output}"}
  read: {type: string, reference: "\${read.output}"}
  last: {type: string, reference: "\${last.output}"}
nodes:
- {name: alone, type: llm, source: {type: code, path: p.jinja2}, connection: c, api: chat, inputs: {deployment_name: alone, q: "\${inputs.q}"}}
- {name: read, type: llm, source: {type: code, path: p.jinja2}, connection: c, api: chat, inputs: {deployment_name: read, q: "\${inputs.q}"}}
- {name: last, type: llm, source: {type: code, path: p.jinja2}, connection: c, api: completion, inputs: {deployment_name: last, q: "\${read.output}"}}
`;

async function run(version: string, streaming: Streaming | undefined) {
  const reply = { message: { content: 'answer' } };
  await using server = await startOpenAiServer([reply, reply, reply]);
  const configs = { api_base: server.url, api_version: version };
  const connection: Connection = { name: 'c', type: 'azure_open_ai', configs, secrets: { api_key: 'k' } };
  await using flow = await openWrittenFlow(text, folder, { find: () => connection, names: () => ['c'] });
  const pieces: Record<string, string[]> = {};
  const { row } = await flow.runRow(
    {},
    {
      onEvent: (event) => {
        if (event.type === 'text') pieces[event.node] = [...(pieces[event.node] ?? []), event.text];
      },
      ...(streaming === undefined ? {} : { streaming }),
    },
  );
  expect(row.outputs).toEqual({ alone: 'answer', read: 'answer', last: 'answer' });
  const asked = server.requests.map(({ body }) => [body['model'], body['stream'], body['stream_options'] ?? null]);
  return { pieces, asked: Object.fromEntries(asked.map(([model, ...rest]) => [model, rest])) };
}

test('without streaming, whole answers are asked for', async () => {
  expect(await run('2024-02-01', undefined)).toEqual({
    pieces: {},
    asked: { alone: [false, null], read: [false, null], last: [false, null] },
  });
});

test('answers are streamed where they are outputs of the flow and go to no other node', async () => {
  const { pieces, asked } = await run('2023-07-01-preview', { nodes: 'answers', tokens: false });
  expect(asked).toEqual({ alone: [true, null], read: [false, null], last: [true, null] });
  expect(pieces['alone']).toEqual(['', 'answ', 'er', '']);
  expect(pieces['last']?.join('')).toBe('answer');
  expect(pieces['read']).toBeUndefined();
});

test('tokens are asked for where the version knows the option', async () => {
  const counted = { include_usage: true };
  const { asked } = await run('2024-10-21', { nodes: 'all', tokens: true });
  expect(asked).toEqual({ alone: [true, counted], read: [true, counted], last: [true, null] });
  const older = await run('2024-02-01', { nodes: 'all', tokens: true });
  expect(older.asked['alone']).toEqual([true, null]);
});
