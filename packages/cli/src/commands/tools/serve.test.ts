import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askVirtualApi } from '@unroll/nodes/toolgen';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FlowProcess, startFlow } from '../../testing/flow-process.ts';
import { createTestWorld } from '../../testing/test-io.ts';
import { writeFiles } from '../../testing/write-files.ts';

const apis = [
  { tool: 'Fun Facts', api: 'Random fact', category: 'Entertainment', description: 'One fact.', parameters: {} },
  { tool: 'Fun Facts', api: 'id', category: 'Entertainment', description: 'A fact by its id.', parameters: {} },
  { tool: 'fun-facts', api: 'random.fact', category: 'Entertainment', description: 'Another one.', parameters: {} },
  { tool: 'Facts_for_Entertainment', api: 'all', category: 'Entertainment', description: 'All facts.', parameters: {} },
].map((one) => ({
  ...one,
  parameters: { type: 'object', properties: { n: { type: 'number' }, of: { type: 'string' } } },
}));
const recorded = {
  category: 'Entertainment',
  tool_name: 'Fun Facts',
  api_name: 'Random fact',
  tool_input: { n: 1, of: 'bees' },
  answer: { error: '', response: 'Bees dance.' },
};
const simulator = `
inputs: {request: {type: object}}
outputs: {answer: {type: string, reference: "\${say.output}"}}
nodes:
- {name: say, type: python, source: {type: code, path: say.ts}, inputs: {request: "\${inputs.request}"}}
`;
const key = '9988776655443322';
const say = `export default async ({ request }) => {
  const { n, ...more } = request.tool_input;
  if (n === 13) throw new Error('no luck');
  if (n === 'slow') {
    await new Promise((resolve) => setTimeout(resolve, 300));
    return String(Math.random());
  }
  if (n === 'more') return JSON.stringify(more);
  if (n === 'secret') return 'n is ' + process.env.FACTS_API_KEY;
  return JSON.stringify({ error: '', response: request.api_name + ' ' + request.tool_input.n });
};`;

let folder: string;
let server: FlowProcess;
let url: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'serve-'));
  writeFiles(folder, {
    'apis.jsonl': apis.map((one) => JSON.stringify(one)).join('\n'),
    'recorded.jsonl': JSON.stringify(recorded),
    'simulator/flow.dag.yaml': simulator,
    'simulator/say.ts': say,
  });
  const options = ['--recorded', 'recorded.jsonl', '--simulator', 'simulator', '--port', '0'];
  server = startFlow(['tools', 'serve', 'apis.jsonl', ...options], { folder, environment: { FACTS_API_KEY: key } });
  let told = '';
  server.child.stdout?.on('data', (part: string) => {
    told += part;
  });
  await server.said('/virtual\n');
  expect(server.text()).toContain(
    "warning: Fun Facts / Random fact is meant where ToolBench's names for it are asked, not fun-facts / random.fact\n",
  );
  url = /http:\S+/.exec(told)?.[0] ?? '';
});

afterAll(async () => {
  server.child.kill('SIGINT');
  expect(await server.ended).toMatchObject({ code: 0 });
  rmSync(folder, { recursive: true });
});

const asked = { category: 'Entertainment', tool_name: 'Fun Facts', api_name: 'Random fact', strip: 'truncate' };
const ask = (more: object) => askVirtualApi({ ...asked, tool_input: '{}', ...more }, { url, key: 'sk-bench' });
const body = (error: string, response: string) => ({ type: 'answer', status: 200, body: { error, response } });

test.for<[string, object, object]>([
  ['recorded, arguments in another order', { tool_input: '{"of": "bees", "n": 1}' }, body('', 'Bees dance.')],
  [
    'by the names ToolBench standardises',
    { tool_name: 'fun_facts', api_name: 'random_fact', tool_input: '{"n": 1, "of": "bees"}' },
    body('', 'Bees dance.'),
  ],
  [
    'by joined names',
    {
      tool_name: 'fun_facts_for_entertainment',
      api_name: 'random_fact_for_fun_facts',
      tool_input: '{"n":1,"of":"bees"}',
    },
    body('', 'Bees dance.'),
  ],
  ['a reserved name', { api_name: 'is_id', tool_input: '{"n": 7}' }, body('', 'id 7')],
  ['simulated', { tool_input: '{"n": 2}' }, body('', 'Random fact 2')],
  ['a number with a point', { tool_input: '{"n": 4.0}' }, body('', 'Random fact 4')],
  ['another number with a point', { tool_input: '{"n": 5.0}' }, body('', 'Random fact 5')],
  ['the same number without', { tool_input: '{"n": 5}' }, body('', 'Random fact 5')],
  ['arguments that are no JSON', { tool_input: 'n=1' }, body('Tool input parse error...\n', '')],
  ['an API that is not there', { api_name: 'Facts' }, body('API does not exist...', '')],
])('%s', async ([, more, answer]) => {
  expect(await ask(more)).toEqual(answer);
});

test('what was simulated is recorded, and asked for once', async () => {
  expect(await ask({ tool_input: '{"n": 3}' })).toEqual(body('', 'Random fact 3'));
  writeFileSync(join(folder, 'simulator/say.ts'), 'export default () => "another"');
  expect(await ask({ tool_input: '{"n": 3}' })).toEqual(body('', 'Random fact 3'));
  const lines = readFileSync(join(folder, 'recorded.jsonl'), 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual({
    ...recorded,
    tool_input: { n: 3 },
    answer: { error: '', response: 'Random fact 3' },
  });
});

test('what is asked several times at once is simulated and recorded once', async () => {
  const answers = await Promise.all([1, 2, 3].map(() => ask({ tool_input: '{"n": "slow"}' })));
  expect(answers).toEqual(Array(3).fill(answers[0]));
  expect(readFileSync(join(folder, 'recorded.jsonl'), 'utf8').match(/"slow"/g)).toHaveLength(1);
});

test.for([
  ['Fun Facts', 'Random fact', 'Random fact'],
  ['fun-facts', 'random.fact', 'random.fact'],
  ['Facts_for_Entertainment', 'all', 'all'],
] as const)(
  'an API is found by its own names, whatever others are called when they are standardised: %s %s',
  async ([tool_name, api_name, own]) => {
    expect(await ask({ tool_name, api_name, tool_input: '{"n": 5}' })).toEqual(body('', `${own} 5`));
  },
);

test('an argument that is called like a property of all objects reaches the simulator', async () => {
  const whole = JSON.stringify({ ...asked, toolbench_key: '', tool_input: { n: 'more', proto: 1 } });
  const answer = await fetch(url, { method: 'POST', body: whole.replace('"proto"', '"__proto__"') });
  expect(await answer.json()).toEqual({ error: '', response: JSON.parse('{"__proto__": 1}') as object });
});

test('a record that holds a secret among what was asked can be read again', async () => {
  await ask({ tool_input: `{"n": "secret", "of": ${key}}` });
  const lines = readFileSync(join(folder, 'recorded.jsonl'), 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
    expect.objectContaining({ answer: { error: '', response: 'n is ***' } }),
  );
});

test.for([
  ['no JSON', '{"category": ', 'recorded.jsonl:2: no JSON: '],
  ['another shape', '{"category": "Entertainment"}', 'recorded.jsonl:2: expected {category, tool_name, api_name, '],
  ['no mapping', 'null', 'recorded.jsonl:2: expected {category, '],
] as const)('a line of the recorded answers that is none is told with its place: %s', async ([, line, told]) => {
  using made = createTestWorld();
  const [api = {}] = apis;
  writeFiles(made.folder, {
    'apis.jsonl': JSON.stringify(api),
    'recorded.jsonl': `${JSON.stringify(recorded)}\n${line}\n`,
  });
  const answer = await made.flow('tools', 'serve', 'apis.jsonl', '--recorded', 'recorded.jsonl', '--port', '0');
  expect(answer).toMatchObject({ code: 2, stderr: expect.stringContaining(told) });
});

test('a simulator that failed is told, and its failure is not recorded', async () => {
  expect(await ask({ tool_input: '{"n": 13}' })).toEqual(
    body('API not working error...', expect.stringContaining('no luck')),
  );
  expect(readFileSync(join(folder, 'recorded.jsonl'), 'utf8')).not.toContain('no luck');
  await server.said('the simulator failed for Random fact: ');
});

test('a body of bytes that are no UTF-8 is refused', async () => {
  const whole = JSON.stringify({ ...asked, tool_input: { of: 'caf\u00e9' }, toolbench_key: '' });
  const answer = await fetch(url, { method: 'POST', body: Buffer.from(whole, 'latin1') });
  expect([answer.status, await answer.json()]).toEqual([400, { detail: 'the body holds bytes that are no UTF-8' }]);
});

test('arguments as an object; a body of another form; another path and method', async () => {
  const post = (given: object) => fetch(url, { method: 'POST', body: JSON.stringify(given) });
  const whole = { ...asked, tool_input: { n: 1, of: 'bees' }, toolbench_key: '' };
  expect(await (await post(whole)).json()).toEqual({ error: '', response: 'Bees dance.' });
  const { toolbench_key: _, ...keyless } = whole;
  const refused = await post(keyless);
  expect([refused.status, await refused.json()]).toMatchObject([
    422,
    { detail: [{ loc: ['body', 'toolbench_key'], msg: 'must be a text' }] },
  ]);
  expect((await fetch(url)).status).toBe(405);
  expect((await fetch(url.replace('/virtual', '/'))).status).toBe(404);
});

/** What the server says to a request as it is, of which no more comes. */
function told(text: string): Promise<string> {
  const { port, hostname } = new URL(url);
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.end(text));
    socket.on('data', (part) => {
      answer += String(part);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
  });
}

function post(headers: Readonly<Record<string, string>>, given: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject);
    sent.end(given);
  });
}

const head = 'POST /virtual HTTP/1.1\r\nHost: localhost\r\n';
const huge = JSON.stringify({
  ...asked,
  toolbench_key: '',
  tool_input: { n: 12345678901234567890n.toString(), of: 'x' },
});

test.for<[string, () => Promise<unknown>]>([
  ['a body that breaks off', async () => await told(`${head}Content-Length: 100\r\n\r\n{"a"`)],
  ['no HTTP', async () => await told('garbage\r\n\r\n')],
  ['headers without end', async () => await told(`${head}X: ${'x'.repeat(100_000)}`)],
  ['no body', async () => expect(await post({}, '')).toBe(422)],
  ['no JSON', async () => expect(await post({}, '{"')).toBe(422)],
  ['a list', async () => expect(await post({}, '[]')).toBe(422)],
  ['bytes of no encoding', async () => expect(await post({}, '\ud800')).toBe(422)],
  ['20,000 levels', async () => expect(await post({}, `${'['.repeat(20_000)}${']'.repeat(20_000)}`)).toBe(422)],
  ['a number beyond 2^53', async () => expect(await post({}, huge.replace(/"(\d{20})"/, '$1'))).toBe(200)],
  ['a body of 20 MB', async () => expect(await post({}, 'x'.repeat(20 << 20)).catch(() => 413)).toBe(413)],
  ['the name of another host', async () => expect(await post({ host: 'evil.example' }, '{}')).toBe(403)],
  ['a page of another site', async () => expect(await post({ origin: 'https://evil.example' }, '{}')).toBe(403)],
  ['a page of this machine', async () => expect(await post({ origin: 'http://localhost:3000' }, '{}')).toBe(422)],
])('whatever is sent, the server goes on: %s', async ([, send]) => {
  await send();
  expect(await ask({ tool_input: '{"of": "bees", "n": 1}' })).toEqual(body('', 'Bees dance.'));
});
