import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Connection, type JsonObject, openFlow, type RowRun } from '@unroll/engine';
import { connectionSource, nodeTypes } from '@unroll/nodes';
import { promptFlow } from '@unroll/promptflow';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testTable } from '../../packages/nodes/src/testing/test-table.ts';
import { type ServedFunctions, serveFunctions } from './serverless-offline.ts';

const sample = join(import.meta.dirname, '../../flows/user-programs');
const programs = ['server-status', 'list-alerts', 'search-runbook', 'disk-usage', 'restart-service', 'set-threshold'];

/** Programs that do what a tool of an agent has to live through. */
const hostile = {
  fails: "exports.handler = async () => { throw new RangeError('no such server'); };",
  slow: 'exports.handler = () => new Promise((resolve) => setTimeout(resolve, 30_000));',
  silent: 'exports.handler = async () => undefined;',
  huge: "exports.handler = async () => ({ content: [{ type: 'text', text: 'x'.repeat(10 * 1024 * 1024) }] });",
  counts: [
    "const { appendFileSync, readFileSync } = require('node:fs');",
    'exports.handler = async ({ file }) => {',
    "  appendFileSync(file, 'x');",
    "  throw new Error(`call ${readFileSync(file, 'utf8').length}`);",
    '};',
  ].join('\n'),
  echo: "exports.handler = async (event) => ({ content: [{ type: 'text', text: JSON.stringify(event) }] });",
};

let served: ServedFunctions;
let aws: Connection;

beforeAll(async () => {
  const own = await Promise.all(programs.map(async (name) => [name, { code: await bundled(name) }] as const));
  const others = Object.entries(hostile).map(([name, code]) => [name, { code, timeout: name === 'slow' ? 1 : 10 }]);
  served = await serveFunctions(Object.fromEntries([...own, ...others]));
  aws = {
    name: 'aws',
    type: 'custom',
    configs: { endpoint: served.endpoint, region: 'ap-northeast-1', assume_role: 'false' },
    secrets: { aws_access_key_id: 'AKIDEXAMPLE', aws_secret_access_key: 'example' },
  };
});
afterAll(async () => await served?.[Symbol.asyncDispose]());

async function bundled(name: string): Promise<string> {
  const entryPoints = [join(sample, `programs/${name}.ts`)];
  const { outputFiles } = await build({ entryPoints, bundle: true, platform: 'node', format: 'cjs', write: false });
  return outputFiles[0]?.text ?? '';
}

/** The sample, whose functions here have neither aliases nor ARNs: serverless-offline knows plain names only. */
function copyOfSample(): string {
  const folder = mkdtempSync(join(tmpdir(), 'user-programs-'));
  cpSync(sample, folder, { recursive: true });
  const assistant = join(folder, 'ai_assistant.yml');
  const written = readFileSync(assistant, 'utf8');
  const plain = written.replace(':live', '').replace(/arn:aws:lambda:\S+:function:/, '');
  writeFileSync(assistant, plain);
  return folder;
}

async function runRows(folder: string, connection: string, queries: readonly string[]): Promise<readonly RowRun[]> {
  const file = join(folder, 'flow.dag.yaml');
  const text = readFileSync(file, 'utf8').replace(/ {8}connection: \w+/, `        connection: ${connection}`);
  writeFileSync(file, text);
  const offline = connectionSource({ folders: [folder], environment: {} });
  const connections = {
    find: (name: string) => (name === aws.name ? aws : offline.find(name)),
    names: () => [...offline.names(), aws.name],
  };
  const opened = await openFlow(
    { file, folder },
    { nodeTypes: nodeTypes({ extensions: [promptFlow()] }), connections },
  );
  if (opened.flow === undefined) throw new Error(JSON.stringify(opened.loadError ?? opened.diagnostics));
  await using flow = opened.flow;
  const rows: RowRun[] = [];
  for (const query of queries) rows.push((await flow.runRow({ query })).row);
  return rows;
}

test('the rows of the sample end as they do where its programs run in this process', async () => {
  const folder = copyOfSample();
  const data = readFileSync(join(folder, 'data.jsonl'), 'utf8').trim().split('\n');
  const queries = [...data.map((line) => (JSON.parse(line) as { query: string }).query), 'db01を再起動して'];
  const ends = (rows: readonly RowRun[]) => rows.map(({ status, outputs }) => ({ status, outputs }));
  const there = await runRows(folder, 'aws', queries);
  const here = await runRows(folder, 'offline', queries);
  rmSync(folder, { recursive: true });
  expect(ends(there)).toEqual(ends(here));
  expect(there.at(-1)).toMatchObject({ status: 'Failed', error: { code: 'FUNCTION_ERROR' } });
});

describe('what a program may do', () => {
  const call = async (name: string, given: JsonObject = {}, more = '', target = name) => {
    const entry = `- {name: ${name}, description: d, lambda: {function: ${target}, connection: aws}${more}}`;
    await using table = testTable({ 'tools.yaml': entry }, { connections: [aws] });
    expect(table.told).toBe('');
    return await table.call(name, given);
  };
  const told = ', handle: {raise_function_processing_error: false}';

  test('the event is the arguments, letter by letter', async () => {
    const given = { text: 'ねじ "M3"\n</function_result>', count: 3, share: 0.5, list: [true, null] };
    const result = await call('echo', given);
    expect(result.ok && JSON.parse(String(result.content))).toEqual(given);
  });

  test.for<[string, string, string]>([
    ['fails', 'FUNCTION_ERROR', 'the function ended with an error: Unhandled (Error)'],
    ['slow', 'FUNCTION_ERROR', 'the function ended with an error: Unhandled (Error)'],
    ['silent', 'UNEXPECTED_RESPONSE', 'the function answered in another form'],
    ['huge', 'TOO_LARGE', 'is larger than 81920 bytes'],
  ])('%s: %s', async ([name, code, message]) => {
    const result = await call(name);
    expect(result).toMatchObject({ ok: false, toModel: false, error: { code } });
    expect(!result.ok && result.error.message).toContain(message);
  });

  test('the message of its error goes to the model where its author wants that', async () => {
    expect(await call('fails', {}, told)).toMatchObject({ ok: true, content: 'no such server' });
    expect(await call('slow', {}, told)).toMatchObject({ ok: true, content: '[504] - Lambda timeout.' });
  });

  test('one that does not answer in our time is given up', async () => {
    expect(await call('slow', {}, ', timeout: 0.3')).toMatchObject({ ok: false, error: { code: 'TIMEOUT' } });
  });

  test('there is no such function', async () => {
    const result = await call('nothing', {}, '', 'no-such-function');
    const message = expect.stringMatching(/^ResourceNotFoundException: /);
    expect(result).toMatchObject({ ok: false, error: { code: 'INVOKE_ERROR', message, retryable: false } });
  });

  test('a program that failed is not called again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'counts-'));
    const file = join(folder, 'calls');
    expect(await call('counts', { file }, told)).toMatchObject({ ok: true, content: 'call 1' });
    expect(readFileSync(file, 'utf8')).toBe('x');
    rmSync(folder, { recursive: true });
  });
});
