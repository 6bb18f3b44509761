import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { openProject } from '@unroll/project';
import { expect, test } from 'vitest';
import { postJson } from '../testing/post-json.ts';
import { type ServedWorld, serveFlows } from '../testing/served-world.ts';

/** `echo` says what it is asked, with its key behind it; `over` does so of all rows. */
const echo = {
  'echo/flow.dag.yaml': `inputs:
  question: {type: string, is_chat_input: true}
  key: {type: secret, default: ''}
  age: {type: int, default: 0}
outputs:
  said: {type: string, reference: "\${echo.output}", is_chat_output: true}
nodes:
- name: echo
  type: python
  source: {type: code, path: echo.ts}
  inputs: {question: "\${inputs.question}", key: "\${inputs.key}", age: "\${inputs.age}"}
`,
  'echo/echo.ts': `export function echo({ question, key, age }) {
  console.log('asked', question, 'at', age);
  if (question === 'fail') throw new Error('no way with ' + key);
  return question + '|' + key + '|' + age;
}
`,
};
const keys = ['first-callers-key-1', 'other-callers-key-2'] as const;
const both = keys.join(' ');

/** What the server has written, once it has ended. */
async function filesOf(world: ServedWorld): Promise<string> {
  await world.server.close();
  const folder = world.host.runsFolder;
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('\n');
}

async function recordOf(world: ServedWorld, place: string): Promise<readonly unknown[]> {
  await world.server.close();
  const [run = ''] = place.split('/');
  await using record = await openProject(world.folder, { runsFolder: world.host.runsFolder }).runs.open(run);
  const records: unknown[] = [];
  for await (const batch of record.records()) records.push(...batch);
  return records;
}

test.for<[route: string, ask: (url: string, question: string, key: string) => Promise<Response>]>([
  ['/score', (url, question, key) => postJson(`${url}/score`, { question, key })],
  ['/flows/echo/runs', (url, question, key) => postJson(`${url}/flows/echo/runs`, { question, key })],
  [
    '/flows/echo/runs as events',
    (url, question, key) => postJson(`${url}/flows/echo/runs`, { question, key }, { accept: 'text/event-stream' }),
  ],
  [
    '/v1/chat/completions',
    (url, content, key) =>
      postJson(`${url}/v1/chat/completions`, {
        model: 'echo',
        messages: [{ role: 'user', content }],
        inputs: { key },
      }),
  ],
  [
    '/v1/chat/completions as a stream',
    (url, content, key) =>
      postJson(`${url}/v1/chat/completions`, {
        model: 'echo',
        stream: true,
        messages: [{ role: 'user', content }],
        inputs: { key },
      }),
  ],
  [
    '/mcp',
    (url, question, key) =>
      postJson(
        `${url}/mcp`,
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: { question, key } } },
        { accept: 'application/json, text/event-stream' },
      ),
  ],
])('the secret of one caller is a word like any other in what another says: %s', async ([, ask]) => {
  await using world = await serveFlows(['echo'], {}, echo);
  const { url } = world.server;
  const texts = await Promise.all(
    Array.from({ length: 8 }, async (_, at) => (await ask(url, both, keys[at % 2] ?? '')).text()),
  );
  for (const [at, text] of texts.entries()) {
    expect(text).toContain(at % 2 === 0 ? `*** ${keys[1]}|***|0` : `${keys[0]} ***|***|0`);
  }
  const failed = await Promise.all(keys.map(async (key) => (await ask(url, 'fail', key)).text()));
  for (const text of failed) expect(text).toContain('no way with ***');
  const anonymous = await (await ask(url, both, '')).text();
  expect(anonymous).toContain(`${both}||0`);
});

test('a secret of a caller is in no record of its own rows', async () => {
  await using world = await serveFlows(['echo'], {}, echo);
  const answer = await postJson(`${world.server.url}/score`, { question: `my ${keys[0]}`, key: keys[0] });
  expect(await recordOf(world, answer.headers.get('x-flow-run') ?? '')).toMatchObject([
    { row: { inputs: { key: '***', question: 'my ***' } }, nodes: [{ inputs: { key: '***' } }] },
  ]);
  expect(await filesOf(world)).not.toContain(keys[0]);
});

test('an input that is kept out of records is in none, and in the answer as it was', async () => {
  await using world = await serveFlows(['echo'], { redacted: ['question', 'age'] }, echo);
  const name = '山田 太郎';
  const ask = (question: string, age: number) => postJson(`${world.server.url}/flows/echo/runs`, { question, age });
  const answers = [await ask(name, 42), await ask('Ann Lee', 7), await ask('the answer of Ann is 42', 1)];
  const told = await Promise.all(answers.map((answer) => answer.json()));
  expect(told).toMatchObject([
    { outputs: { said: `${name}||42` } },
    { outputs: { said: 'Ann Lee||7' } },
    { outputs: { said: 'the answer of Ann is 42||1' } },
  ]);
  const { run } = told[0] as { readonly run: string };
  expect(await (await fetch(`${world.server.url}/runs/${run}/0`)).json()).toMatchObject({
    outputs: { said: '***||***' },
  });
  const records = await recordOf(world, `${run}/0`);
  expect(records).toMatchObject([
    {
      row: { inputs: { question: '***', age: '***' }, outputs: { said: '***||***' } },
      nodes: [
        {
          inputs: { question: '***', age: '***' },
          logs: { stdout: 'asked *** at ***\n' },
          redacted: ['inputs', 'output'],
        },
      ],
    },
    { row: { inputs: { question: '***', age: '***' }, outputs: { said: '***||7' } } },
    { row: { inputs: { question: '***', age: '***' } } },
  ]);
  expect(JSON.stringify(records)).not.toMatch(/山田|Ann/);
});

test('a picture is fetched from the public internet alone, unless other addresses are allowed', async () => {
  const asked: string[] = [];
  const pictures = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.end(Buffer.from('R0lGODlhAQABAAAAACw=', 'base64'));
  });
  await new Promise<void>((resolve) => pictures.listen(0, '127.0.0.1', resolve));
  const { port } = pictures.address() as AddressInfo;
  const flow = {
    'look/flow.dag.yaml': `inputs: {picture: {type: image}}
outputs: {size: {type: string, reference: "\${look.output}"}}
nodes:
- {name: look, type: python, source: {type: code, path: look.ts}, inputs: {picture: "\${inputs.picture}"}}
`,
    'look/look.ts': `export const look = ({ picture }) => 'seen';\n`,
  };
  const urls = [
    `http://127.0.0.1:${port}/a.gif`,
    `http://localhost:${port}/a.gif`,
    `http://2130706433:${port}/a.gif`,
    `http://0x7f000001:${port}/a.gif`,
    `http://[::ffff:127.0.0.1]:${port}/a.gif`,
    'http://169.254.169.254/latest/meta-data',
  ];
  const paths = ['/score', '/flows/look/runs'];
  {
    await using world = await serveFlows(['look'], {}, flow);
    for (const [at, url] of urls.entries()) {
      const picture = { 'data:image/gif;url': url };
      const answer = await postJson(`${world.server.url}${paths[at % 2]}`, { picture });
      expect([answer.status, await answer.text()]).toEqual([
        400,
        expect.stringContaining('it leads to no address of the public internet'),
      ]);
    }
    expect(asked).toEqual([]);
  }
  await using world = await serveFlows(['look'], { allowsPrivateImages: true }, flow);
  for (const path of paths) {
    const answer = await postJson(`${world.server.url}${path}`, { picture: { 'data:image/gif;url': urls[0] } });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('seen')]);
  }
  expect(asked).toEqual(['/a.gif', '/a.gif']);
  await new Promise((resolve) => pictures.close(resolve));
});
