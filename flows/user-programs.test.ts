import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Connection, type JsonObject, openFlow, type RunnableFlow } from '@unroll/engine';
import { connectionSource, nodeTypes } from '@unroll/nodes';
import { startLambdaServer } from '@unroll/nodes/testing';
import { promptFlow } from '@unroll/promptflow';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { handler as diskUsage } from './user-programs/programs/disk-usage.ts';
import { handler as listAlerts } from './user-programs/programs/list-alerts.ts';
import { handler as restartService } from './user-programs/programs/restart-service.ts';
import { handler as searchRunbook } from './user-programs/programs/search-runbook.ts';
import { handler as serverStatus } from './user-programs/programs/server-status.ts';
import { handler as setThreshold } from './user-programs/programs/set-threshold.ts';

const folder = join(import.meta.dirname, 'user-programs');

/** The flow, with another connection for its programs where one is given. */
async function openPrograms(aws?: Connection): Promise<RunnableFlow> {
  const offline = connectionSource({ folders: [folder], environment: {} });
  const connections = {
    find: (name: string) => (name === aws?.name ? aws : offline.find(name)),
    names: () => [...offline.names(), ...(aws === undefined ? [] : [aws.name])],
  };
  const written = readFileSync(join(folder, 'flow.dag.yaml'), 'utf8');
  const text = aws === undefined ? written : written.replace('        connection: offline', '        connection: aws');
  const place = mkdtempSync(join(tmpdir(), 'user-programs-'));
  const file = join(place, 'flow.dag.yaml');
  writeFileSync(file, text);
  try {
    const opened = await openFlow(
      { file, folder },
      { nodeTypes: nodeTypes({ extensions: [promptFlow()] }), connections },
    );
    if (opened.flow === undefined) throw new Error(JSON.stringify(opened.loadError ?? opened.diagnostics));
    return opened.flow;
  } finally {
    rmSync(place, { recursive: true });
  }
}

interface DataRow {
  readonly query: string;
  readonly expected: { readonly calls: readonly string[]; readonly contains: string };
}

const rows = readFileSync(join(folder, 'data.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as DataRow);

describe('offline: the programs run here', () => {
  let flow: RunnableFlow;
  beforeAll(async () => {
    flow = await openPrograms();
  });
  afterAll(async () => await flow[Symbol.asyncDispose]());

  test.for(rows)('$query', async ({ query, expected }) => {
    const { row, nodes } = await flow.runRow({ query });
    expect(row.outputs['status']).toBe('answered');
    expect(row.outputs['answer']).toContain(expected.contains);
    const result = nodes.find(({ node }) => node === 'operator')?.output as JsonObject;
    expect((result['function_results'] as readonly JsonObject[]).map(({ name }) => name)).toEqual(expected.calls);
  });

  test('a program that raises ends the row where its author wants that', async () => {
    const { row, nodes } = await flow.runRow({ query: 'db01を再起動して' });
    expect(row).toMatchObject({ status: 'Failed', error: { node: 'operator_act_1', code: 'FUNCTION_ERROR' } });
    expect(JSON.stringify(nodes)).not.toContain('by hand');
  });
});

type Handler = (given: never) => Promise<unknown>;

const handlers: Readonly<Record<string, Handler>> = {
  'server-status': serverStatus,
  'list-alerts': listAlerts,
  'search-runbook': searchRunbook,
  'disk-usage': diskUsage,
  'restart-service': restartService,
  'set-threshold': setThreshold,
};

test('on AWS Lambda: the same programs behind the Invoke API, the same answers', async () => {
  const answers = new Map<string, string>();
  for (const [name, handler] of Object.entries(handlers)) {
    const given = { server: 'web02', severity: '重大', query: '過負荷', percent: 80 } as never;
    answers.set(name, JSON.stringify(await handler(given)));
  }
  await using server = await startLambdaServer(({ path }) => {
    const name = Object.keys(handlers).find((one) => decodeURIComponent(path).includes(one)) ?? '';
    return { status: 200, headers: { 'x-amzn-requestid': `r-${name}` }, body: answers.get(name) ?? '{}' };
  });
  await using flow = await openPrograms({
    name: 'aws',
    type: 'custom',
    configs: { endpoint: server.endpoint, assume_role: 'false' },
    secrets: { aws_access_key_id: 'AKIDEXAMPLE', aws_secret_access_key: 'never-recorded' },
  });
  const query = 'web02の稼働状況と、重大な警報と、過負荷の手順を教えて';
  const { row, nodes } = await flow.runRow({ query });
  for (const text of ['CPU 97 %', 'KAVB5150', 'RB-01']) expect(row.outputs['answer']).toContain(text);
  expect(server.received.map(({ path }) => path).sort()).toEqual([
    '/2015-03-31/functions/arn%3Aaws%3Alambda%3Aap-northeast-1%3A123456789012%3Afunction%3Asearch-runbook/invocations',
    '/2015-03-31/functions/list-alerts%3Alive/invocations',
    '/2015-03-31/functions/server-status/invocations',
  ]);
  const [acted] = nodes.filter(({ node }) => node === 'operator_act_1');
  const results = ((acted?.output ?? {}) as JsonObject)['function_results'] as readonly JsonObject[];
  expect(results[0]).toMatchObject({ name: 'server_status', request_id: 'r-server-status' });
  expect(acted?.logs?.stdout).toContain('tool server_status, request id: r-server-status');
  expect(JSON.stringify(nodes)).not.toContain('never-recorded');
});
