import type { JsonObject } from '@unroll/engine';
import { expect, test } from 'vitest';
import { startHttpServer } from '../../testing/http-server.ts';
import { testTable } from '../../testing/test-table.ts';
import { toolAnswers } from '../toolgen/tool-answers.ts';

const apis = [
  { tool: 'Fun Facts', api: 'Random fact', category: 'Entertainment', description: 'One fact.' },
  { tool: 'Trains', api: 'Delays', category: 'Travel', description: '' },
].map((one) => JSON.stringify({ ...one, parameters: { type: 'object', properties: { n: { type: 'number' } } } }));

const members = ['api_name', 'category', 'strip', 'tool_input', 'tool_name', 'toolbench_key'];

/** StableToolBench's contract: every member, all of them texts; tool_input may be an object. */
function refusal({ method, url, body }: { readonly method: string; readonly url: URL; readonly body: string }) {
  const given = JSON.parse(body) as JsonObject;
  const isWhole = JSON.stringify(Object.keys(given).sort()) === JSON.stringify(members);
  const areTexts = members.every((name) => typeof given[name] === 'string');
  const isRight = method === 'POST' && url.pathname === '/virtual' && isWhole && areTexts;
  return isRight ? undefined : { status: 422, body: { detail: [] } };
}

function table(url: string, more = '') {
  const entry = `- {toolbench: {url: '${url}/virtual', connection: bench}, catalogue: apis.jsonl${more}}`;
  return testTable(
    { 'tools.yaml': entry, 'apis.jsonl': apis.join('\n') },
    { connections: [{ name: 'bench', type: 'custom', configs: {}, secrets: { toolbench_key: 'sk-bench' } }] },
  );
}

test('the APIs of a catalogue, asked by StableToolBench’s contract', async () => {
  await using server = await startHttpServer(
    (request) => refusal(request) ?? { body: { error: '', response: { fact: 'Bees dance.' } } },
  );
  await using opened = table(server.url);
  expect(opened.told).toBe('');
  const { tools } = await opened.open();
  expect(tools.map(({ name, description }) => [name, description])).toEqual([
    ['Random_fact', 'One fact.'],
    ['Delays', 'Delays'],
  ]);
  expect(await opened.call('Random_fact', { n: 2 })).toEqual({ ok: true, content: { fact: 'Bees dance.' } });
  expect(server.requests.map(({ body }) => JSON.parse(body))).toEqual([
    {
      category: 'Entertainment',
      tool_name: 'Fun Facts',
      api_name: 'Random fact',
      tool_input: '{"n":2}',
      strip: 'truncate',
      toolbench_key: 'sk-bench',
    },
  ]);
});

test.for<[string, { status?: number; body: unknown }, object]>([
  ['an error of the API', { body: { error: 'Rate limit per minute error...', response: '' } }, { code: 'TOOL_FAILED' }],
  ['another status', { status: 500, body: {} }, { code: 'HTTP_STATUS' }],
  ['another form', { body: ['x'] }, { code: 'UNEXPECTED_RESPONSE' }],
  ['no JSON', { body: 'Bees' }, { code: 'UNEXPECTED_RESPONSE' }],
])('%s', async ([, reply, error]) => {
  await using server = await startHttpServer(() => reply);
  await using opened = table(server.url);
  expect(await opened.call('Delays', {})).toMatchObject({ ok: false, error });
});

test('mistakes have their places', async () => {
  await using opened = table('http://localhost:1', ', apis: [Delays, Randomfact]');
  expect(opened.told).toContain('TOOL_UNKNOWN apis.jsonl has no tool "Randomfact"');
  expect(opened.told).toContain('did you mean "Random_fact"?');
  await using none = testTable({
    'tools.yaml': "- {toolbench: {url: 'http://x.example/virtual'}, catalogue: none.jsonl}",
  });
  expect(none.told).toContain('FILE_MISSING there is no file "none.jsonl"');
});

test('tools of a table answer for APIs', async () => {
  await using opened = testTable({
    'tools.yaml': [
      '- {name: delays_for_trains, description: d, code: t.ts}',
      '- {name: sits, description: d, code: t.ts, timeout: 0.1}',
      '- {name: fails, description: d, code: t.ts}',
    ].join('\n'),
    't.ts': [
      'export const delays_for_trains = ({ n }) => ({ late: n });',
      'export const sits = () => new Promise(() => {});',
      'export const fails = () => { throw new RangeError("no such train"); };',
    ].join('\n'),
  });
  const { tools } = await opened.open();
  const signal = new AbortController().signal;
  const answer = (api: string, input: string) =>
    toolAnswers(tools)(
      { category: 'Travel', tool_name: 'Trains', api_name: api, tool_input: input, strip: 'truncate' },
      { signal },
    );
  const body = (error: string, response = '') => ({ type: 'answer', status: 200, body: { error, response } });
  expect(await answer('Delays', '{"n": 3}')).toEqual(body('', '{"late":3}'));
  expect(await answer('sits', '')).toEqual({ type: 'timeout' });
  expect(await answer('fails', '{}')).toEqual(body('RangeError: no such train'));
  expect(await answer('Arrivals', '{}')).toEqual(body('API not working error...'));
  expect(await answer('Delays', 'three')).toEqual(body('Tool input parse error...'));
});
