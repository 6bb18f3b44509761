import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ServerReply, startHttpServer, startOpenAiServer } from '@unroll/nodes/testing';
import { expect, test } from 'vitest';
import { filesWith } from '../testing/find-secrets.ts';
import { startFlow } from '../testing/flow-process.ts';
import { createTestWorld, type TestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const modelKey = 'sk-model-key-0123456789abcdef';
const shopKey = 'shop+key/with="signs"-0123';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
/** What of the keys must be nowhere: as they are, and as JSON, addresses and Basic credentials write them. */
const secrets = [
  modelKey,
  shopKey,
  JSON.stringify(shopKey).slice(1, -1),
  encodeURIComponent(shopKey),
  base64(`:${shopKey}`).slice(4, -4),
];

const api = `openapi: 3.0.3
paths:
  /echo:
    get:
      operationId: echo
      description: Tells what it was asked.
      parameters: [{name: id, in: query, schema: {type: string}}]
`;

function callOf(id: string, fields: object): ServerReply {
  const call = { id, type: 'function', function: { name: 'echo', arguments: JSON.stringify(fields) } };
  return { message: { role: 'assistant', content: null, tool_calls: [call] } };
}

/** Runs a command and remembers all it said. */
function listening(world: TestWorld): { readonly flow: TestWorld['flow']; readonly said: () => string } {
  const said: string[] = [];
  const flow: TestWorld['flow'] = async (...argv) => {
    const result = await world.flow(...argv);
    said.push(result.stdout, result.stderr);
    return result;
  };
  return { flow, said: () => said.join('\n') };
}

test.for(['200', '401', '500'])(
  'a service that answers %s with the headers it was asked with tells no key to the model, a record, a cassette or a report',
  async (status) => {
    await using shop = await startHttpServer(({ headers }) => ({
      status: Number(status),
      body: {
        asked: headers,
        again: JSON.stringify(headers),
        basic: base64(`me:${shopKey}`),
        url: `?key=${encodeURIComponent(shopKey)}`,
      },
    }));
    await using model = await startOpenAiServer([
      callOf('c1', { id: '1' }),
      { message: { role: 'assistant', content: 'The service told me its headers.' } },
    ]);
    using world = createTestWorld();
    writeFiles(world.folder, {
      'agent/flow.dag.yaml': `inputs: {query: {type: string}}
outputs: {answer: {type: string, reference: "\${ask.output.answer}"}}
nodes:
- name: ask
  type: agent
  source: {type: code, path: ask.jinja2}
  connection: mine
  tools: tools.yaml
  max_iterations: 2
  on_tool_error: feed_back
  inputs: {model: gpt-4o-mini, query: "\${inputs.query}"}
`,
      'agent/ask.jinja2': '# user:\n{{ query }}\n',
      'agent/tools.yaml': '- {openapi: api.yaml, connection: shop}\n',
      'agent/api.yaml': api,
      'connections.yaml': `mine: {type: open_ai, api_key: ${modelKey}, base_url: "${model.url}/v1"}
shop: {type: custom, configs: {base_url: "${shop.url}"}, secrets: {api_key: ${JSON.stringify(shopKey)}}}
`,
      'data.jsonl': '{"query": "hello"}\n',
    });
    const { flow, said } = listening(world);
    await flow('run', 'agent', '--input', 'query=hello', '--record', 'tape.yaml', '--name', 'one');
    expect(shop.requests[0]?.headers['authorization']).toBe(`Bearer ${shopKey}`);
    expect(JSON.stringify(model.requests.map(({ body }) => body))).toContain('***');
    model.add(callOf('c1', { id: '1' }), { message: { role: 'assistant', content: 'Once more.' } });
    await flow('run', 'agent', '--data', 'data.jsonl', '--name', 'bulk', '--json', '--output-dir', 'out');
    await flow('show', 'one', '--json');
    await flow('show', 'one');
    await flow('export', 'bulk', '--out', 'rows.jsonl');
    await flow('trace', 'one');
    const sent = JSON.stringify(model.requests.map(({ body }) => body));
    for (const secret of secrets) expect(sent).not.toContain(secret);
    for (const secret of secrets) expect(said()).not.toContain(secret);
    expect(await filesWith(secrets, world.folder, ['connections.yaml'])).toEqual([]);
    expect(readFileSync(join(world.folder, 'tape.yaml'), 'utf8')).toContain('***');
  },
);

test('a key that a user writes and a model repeats goes to the model, and stands in nothing that is written', async () => {
  const said = `Your key is ${modelKey}, in JSON ${JSON.stringify([modelKey])}.`;
  const reply = { message: { role: 'assistant', content: said } };
  await using model = await startOpenAiServer([reply, reply, reply]);
  using world = createTestWorld();
  writeFiles(world.folder, {
    'ask/flow.dag.yaml': `inputs: {q: {type: string}}
outputs: {a: {type: string, reference: "\${ask.output}"}}
nodes:
- name: ask
  type: llm
  source: {type: code, path: ask.jinja2}
  connection: mine
  api: chat
  inputs: {model: gpt-4o-mini, q: "\${inputs.q}"}
`,
    'ask/ask.jinja2': '# user:\n{{ q }}\n',
    'connections.yaml': `mine: {type: open_ai, api_key: ${modelKey}, base_url: "${model.url}/v1"}\n`,
    'q.jsonl': `${JSON.stringify({ q: `is ${modelKey} right?`, truth: `no, ${modelKey}` })}\n`,
    'eval.yaml':
      'flow: ask\ndata: q.jsonl\nmetrics:\n- {name: same, on: outputs.a, evaluator: equals, expected: truth}\n',
  });
  const { flow, said: told } = listening(world);
  const one = await flow('run', 'ask', '--input', `q=is ${modelKey} right?`, '--record', 'tape.yaml', '--name', 'one');
  expect([one.code, JSON.stringify(model.requests[0]?.body)]).toEqual([0, expect.stringContaining(modelKey)]);
  await flow('run', 'ask', '--data', 'q.jsonl', '--name', 'bulk', '--output-dir', 'out');
  await flow('run', 'ask', '--data', 'q.jsonl', '--name', 'again', '--since', 'bulk', '--json');
  expect(model.requests).toHaveLength(3);
  const evaluated = await flow(
    ...['eval', 'eval.yaml', '--run', 'bulk', '--json'],
    ...['--html', 'e.html', '--junit', 'e.xml', '--markdown', 'e.md', '--out', 'scores'],
  );
  expect(evaluated.stdout).toContain('"same"');
  await flow('diff', 'bulk', 'again', '--html', 'd.html');
  await flow('export', 'bulk', '--out', 'rows.csv');
  await flow('show', 'bulk', '--json');
  await flow('render', 'ask', 'ask', '--input', `q=is ${modelKey} right?`);
  expect(told()).not.toContain(modelKey);
  expect(await filesWith([modelKey], world.folder, ['connections.yaml', 'q.jsonl'])).toEqual([]);
});

test('a failure of a service tells no key by its form, and no input of type secret', async () => {
  const token = 'Bearer zz9-unknown-token';
  const message = `refused ${token}; api-key: zz9unknownkey; https://h/p?code=zz9unknowncode for zz9-typed-in`;
  await using model = await startOpenAiServer([{ status: 401, error: { message, type: 'x', code: 'y' } }]);
  using world = createTestWorld();
  writeFiles(world.folder, {
    'ask/flow.dag.yaml': `inputs: {q: {type: secret}}
outputs: {a: {type: string, reference: "\${ask.output}"}}
nodes:
- name: ask
  type: llm
  source: {type: code, path: ask.jinja2}
  connection: mine
  api: chat
  inputs: {model: gpt-4o-mini, q: "\${inputs.q}"}
`,
    'ask/ask.jinja2': '# user:\n{{ q }}\n',
    'connections.yaml': `mine: {type: open_ai, api_key: ${modelKey}, base_url: "${model.url}/v1"}\n`,
  });
  const { flow, said } = listening(world);
  expect(await flow('run', 'ask', '--input', 'q=zz9-typed-in', '--name', 'one')).toMatchObject({ code: 1 });
  await flow('show', 'one', '--json');
  expect(said()).toContain('refused Bearer ***; api-key: ***; https://h/p?code=*** for ***');
  expect(said()).not.toContain('zz9');
  expect(await filesWith(['zz9'], world.folder, [])).toEqual([]);
});

const echo = {
  'echo/flow.dag.yaml': `inputs: {k: {type: secret}, q: {type: string}}
outputs: {said: {type: string, reference: "\${echo.output}"}}
nodes:
- {name: echo, type: python, source: {type: code, path: echo.ts}, inputs: {k: "\${inputs.k}", q: "\${inputs.q}"}}
`,
  'echo/echo.ts': `export function echo({ k, q }: { k: string; q: string }) { return q + ' with ' + k; }\n`,
};
const rowKeys = ['first-row-key-1111', 'other-row-key-2222'] as const;

test('a secret input of one row of data is a word like any other in another, in records and outputs', async () => {
  using world = createTestWorld();
  const rows = rowKeys.map((k) => JSON.stringify({ k, q: rowKeys.join(' and ') }));
  writeFiles(world.folder, { ...echo, 'rows.jsonl': rows.join('\n') });
  const { flow } = listening(world);
  expect(await flow('run', 'echo', '--data', 'rows.jsonl', '--name', 'two')).toMatchObject({ code: 0 });
  const shown = await flow('export', 'two');
  const outputs = shown.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(JSON.stringify(outputs[0])).toContain(`*** and ${rowKeys[1]} with ***`);
  expect(JSON.stringify(outputs[0])).not.toContain(rowKeys[0]);
  expect(JSON.stringify(outputs[1])).toContain(`${rowKeys[0]} and *** with ***`);
  expect(JSON.stringify(outputs[1])).not.toContain(rowKeys[1]);
  const again = await flow('run', 'echo', '--data', 'two', '--json', '--name', 'again');
  expect(again.stderr).toBe(
    'warning: the record of two holds no value of "k": where one was given, rows run with ***\n' +
      '      to give it again: --column-mapping k=VALUE\n',
  );
  const given = ['--column-mapping', `k=${rowKeys[0]}`];
  expect((await flow('run', 'echo', '--data', 'two', '--json', '--name', 'given', ...given)).stderr).toBe('');
});

test('a secret input that is written in the mapping, or given to a node alone, is in no record', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, { ...echo, 'rows.jsonl': '{"q": "hello"}\n' });
  const { flow, said } = listening(world);
  const mapped = ['--column-mapping', `k=${rowKeys[0]}`, 'q=${data.q}'];
  expect(await flow('run', 'echo', '--data', 'rows.jsonl', ...mapped, '--name', 'one')).toMatchObject({ code: 0 });
  const alone = ['--node', 'echo', '--input', `k=${rowKeys[1]}`, '--input', `q=with ${rowKeys[1]}`];
  expect(await flow('run', 'echo', ...alone, '--name', 'alone')).toMatchObject({ code: 0 });
  expect(said()).toContain('with *** with ***');
  for (const key of rowKeys) expect(said()).not.toContain(key);
  expect(await filesWith([...rowKeys], world.folder, [])).toEqual([]);
});

const ownKey = "own-key 'with' signs/0123";
const ownForms = [
  ownKey,
  JSON.stringify(ownKey).slice(1, -1),
  ownKey.replaceAll("'", "\\'"),
  encodeURIComponent(ownKey),
];

/** A flow whose code prints, hands on, returns and raises what it was given of a connection, in Python and in TypeScript. */
function writeCodeFlow(folder: string): void {
  writeFiles(folder, {
    'code/flow.dag.yaml': `environment_variables: {OWN: "\${own.key}"}
inputs: {fails: {type: bool, default: false}}
outputs: {out: {type: object, reference: "\${check.output}"}}
nodes:
- {name: give, type: python, source: {type: code, path: give.py}, inputs: {own: own}}
- {name: take, type: python, source: {type: code, path: take.ts}, inputs: {headers: "\${give.output}"}}
- {name: check, type: python, source: {type: code, path: check.ts}, inputs: {taken: "\${take.output}", fails: "\${inputs.fails}"}}
`,
    'code/give.py': `import os, sys
from promptflow.core import tool
from promptflow.connections import CustomConnection

@tool
def give(own: CustomConnection):
    print(dict(os.environ), own.key)
    print(repr(own.key), file=sys.stderr)
    return {"authorization": "Bearer " + own.key, own.key: [own.key]}
`,
    'code/take.ts': `export default function take({ headers }: { headers: { authorization: string } }, { environment: { OWN } }) {
  console.log(OWN, JSON.stringify(headers));
  console.error(encodeURIComponent(OWN ?? ''));
  return { same: headers.authorization === 'Bearer ' + OWN, own: OWN };
}
`,
    'code/check.ts': `export default function check({ taken, fails }: { taken: { own: string }; fails: boolean }) {
  if (fails) throw new Error('cannot use ' + JSON.stringify(taken), { cause: new Error(taken.own) });
  return taken;
}
`,
    'connections.yaml': `own: {type: custom, secrets: {key: ${JSON.stringify(ownKey)}}}\n`,
    'data.jsonl': '{"fails": false}\n{"fails": true}\n',
  });
}

test('what code prints, returns and raises of a connection goes on between nodes, and stands in nothing that is written', async () => {
  using world = createTestWorld({ environment: { PATH: process.env['PATH'] ?? '' } });
  writeCodeFlow(world.folder);
  const { flow, said } = listening(world);
  const one = await flow('run', 'code', '--name', 'one', '--json');
  expect(JSON.parse(one.stdout).outputs).toEqual({ out: { same: true, own: '***' } });
  const failed = await flow('run', 'code', '--input', 'fails=true', '--name', 'failed');
  expect([failed.code, failed.stdout + failed.stderr]).toEqual([1, expect.stringContaining('cannot use')]);
  await flow('run', 'code', '--data', 'data.jsonl', '--name', 'bulk', '--output-dir', 'out');
  for (const run of ['one', 'failed', 'bulk']) await flow('show', run, '--node', 'give', '--json');
  const since = await flow('run', 'code', '--data', 'data.jsonl', '--rows', '0', '--since', 'bulk', '--json');
  expect(JSON.parse(since.stdout.trimEnd().split('\n').at(-1) ?? '').rows).toMatchObject({ completed: 1 });
  const [taken] = (await flow('export', 'bulk', '--nodes')).stdout
    .split('\n')
    .filter((line) => line.includes('"take"'));
  expect(JSON.parse(taken ?? '{}')).toMatchObject({
    output: { same: true, own: '***' },
    redacted: ['inputs', 'output'],
  });
  const alone = await flow('run', 'code', '--node', 'take', '--from', 'one');
  expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('held a secret, which no record keeps')]);
  for (const form of ownForms) expect(said()).not.toContain(form);
  expect(await filesWith(ownForms, world.folder, ['connections.yaml'])).toEqual([]);
});

test('a row that was stopped after a node gave a secret goes on from the real one', async () => {
  using world = createTestWorld({ environment: { PATH: process.env['PATH'] ?? '' } });
  writeCodeFlow(world.folder);
  const stopped = `import { existsSync, writeFileSync } from 'node:fs';
export default async function check({ taken }: { taken: object }) {
  if (existsSync('${world.folder}/again')) return taken;
  writeFileSync('${world.folder}/again', '');
  process.kill(process.pid, 'SIGKILL');
}
`;
  writeFiles(world.folder, { 'code/check.ts': stopped, 'data.jsonl': '{"fails": false}\n' });
  const child = startFlow(['run', 'code', '--data', 'data.jsonl', '--name', 'r'], { folder: world.folder });
  await child.ended;
  const { code, stdout } = await world.flow('run', '--resume', 'r', '--json');
  expect([code, JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '').rows]).toMatchObject([0, { completed: 1 }]);
  const shown = await world.flow('show', 'r', '--row', '0', '--json');
  expect(JSON.parse(shown.stdout).outputs).toEqual({ out: { same: true, own: '***' } });
  expect(await filesWith(ownForms, world.folder, ['connections.yaml'])).toEqual([]);
});
