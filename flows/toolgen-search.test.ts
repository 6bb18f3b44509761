import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JsonObject, openFlow, type RowRun } from '@unroll/engine';
import { connectionSource, nodeTypes } from '@unroll/nodes';
import { startOpenAiServer } from '@unroll/nodes/testing';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'toolgen-search-'));
afterAll(() => rmSync(folder, { recursive: true }));
cpSync(join(import.meta.dirname, 'toolgen-agent'), folder, { recursive: true });

/** A row of one of the flows that search, with a model whose answers are given. */
async function search(flow: string, query: string, answers: readonly JsonObject[]) {
  await using server = await startOpenAiServer();
  server.add(...answers.map((one) => ({ message: { role: 'assistant', content: JSON.stringify(one) } })));
  const file = join(folder, flow);
  const written = readFileSync(join(import.meta.dirname, 'toolgen-agent', flow), 'utf8');
  writeFileSync(file, written.replace('connection: offline', 'connection: mine'));
  const connection = {
    name: 'mine',
    type: 'open_ai',
    configs: { base_url: `${server.url}/v1` },
    secrets: { api_key: 'k' },
  };
  const connections = { find: (name: string) => (name === 'mine' ? connection : undefined), names: () => ['mine'] };
  const opened = await openFlow({ file, folder }, { nodeTypes: nodeTypes(), connections });
  if (opened.flow === undefined) throw new Error(JSON.stringify(opened.diagnostics));
  await using runnable = opened.flow;
  const { row, nodes } = await runnable.runRow({ query });
  return { row, nodes, requests: server.requests };
}

function idsOf({ outputs }: RowRun): readonly string[] {
  return outputs['ids'] as readonly string[];
}

const query = 'I am off to the seaside and wonder when I can walk on the sand';

test('feedback: a model that misses a tool asks again, and the last search counts', async () => {
  const { row, nodes, requests } = await search('feedback.dag.yaml', query, [
    { missing: 'when the water is low', request: 'low water at a harbour' },
    { missing: null, request: 'low water at a harbour' },
  ]);
  expect(row.outputs).toMatchObject({ rounds: 2 });
  expect(idsOf(row)[0]).toBe('Tide_times');
  expect(JSON.stringify(requests[1]?.body)).toContain('1. Tide times: High and low water at a harbour today.');
  expect(nodes.find(({ node }) => node === 'feedback_3')?.status).toBe('Bypassed');
});

test('feedback: three rounds and no more', async () => {
  const answers = ['one', 'two', 'three'].map((request) => ({ missing: 'all', request: `${request} ferry` }));
  const { row, requests } = await search('feedback.dag.yaml', query, answers);
  expect({ rounds: row.outputs['rounds'], asked: requests.length }).toEqual({ rounds: 3, asked: 3 });
});

test('Re-Invoke: each intent is searched for itself', async () => {
  const { row } = await search('reinvoke.dag.yaml', query, [{ intents: ['low water today', 'ferry departures'] }]);
  expect([...idsOf(row).slice(0, 2)].sort()).toEqual(['Ferry_departures', 'Tide_times']);
});

test('Re-Invoke and feedback run offline', async () => {
  const connections = connectionSource({ folders: [], environment: {} });
  for (const flow of ['reinvoke.dag.yaml', 'feedback.dag.yaml']) {
    const file = join(import.meta.dirname, 'toolgen-agent', flow);
    const opened = await openFlow(
      { file, folder: join(import.meta.dirname, 'toolgen-agent') },
      { nodeTypes: nodeTypes(), connections },
    );
    await using runnable = opened.flow;
    const { row } = (await runnable?.runRow({ query: 'Track my parcel DX-48213, please.' })) ?? {};
    expect(row === undefined ? [] : idsOf(row)[0]).toBe('Track_parcel');
  }
});
