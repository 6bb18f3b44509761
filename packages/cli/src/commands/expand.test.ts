// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countingWorld } from '../testing/counting-flow.ts';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

test('an expanded flow holds no loop and gives the same result', async () => {
  using world = countingWorld();
  const { code, stdout, stderr } = await world.flow('expand', 'counting');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).not.toMatch(/^loops:/m);
  expect(stdout).toContain('- name: look_3');
  const written = await world.flow('expand', 'counting', '--out', 'counting/plain.dag.yaml');
  expect(written).toEqual({ code: 0, stdout: '', stderr: 'counting/plain.dag.yaml written\n' });
  expect(readFileSync(join(world.folder, 'counting/plain.dag.yaml'), 'utf8')).toBe(stdout);
  const resultOf = async (flow: string) => JSON.parse((await world.flow('run', flow, '-i', 'goal=2', '--json')).stdout);
  const [looped, plain] = [await resultOf('counting'), await resultOf('counting/plain.dag.yaml')];
  expect(plain.outputs).toEqual(looped.outputs);
  expect(Object.keys(plain.nodes)).toEqual(Object.keys(looped.nodes));
});

test('an expanded flow as JSON is the one that is printed as YAML', async () => {
  using world = countingWorld();
  const { stdout } = await world.flow('expand', 'counting', '--json');
  expect(JSON.parse(stdout).nodes.map(({ name }: { name: string }) => name)).toContain('look_3');
  await world.flow('expand', 'counting', '--out', 'counting/plain.dag.yaml');
  expect(await world.flow('expand', 'counting/plain.dag.yaml', '--json')).toEqual({ code: 0, stdout, stderr: '' });
});

const sample = new URL('../../../../flows/privacy-agent/', import.meta.url).pathname;

test('what is written for Prompt flow needs nothing of ours, and gives the same outputs', {
  timeout: 60_000,
}, async () => {
  using world = createTestWorld();
  cpSync(sample, join(world.folder, 'f'), { recursive: true, filter: (path) => !path.includes('.flow') });
  writeFileSync(join(world.folder, 'f/connections.yaml'), 'secret: {type: open_ai, api_key: sk-secret}\n');
  writeFileSync(join(world.folder, 'f/.env'), 'KEY=sk-secret\n');
  const written = await world.flow('expand', 'f/flow.python.dag.yaml', '--promptflow', 'there');
  expect([written.code, written.stdout]).toEqual([0, '']);
  expect(written.stderr).toContain(
    "pf run create --flow there --data DATA.jsonl --column-mapping query='${data.query}'\n",
  );
  expect(readdirSync(join(world.folder, 'there')).sort()).toEqual([
    'agent.functions.jinja2',
    'agent.jinja2',
    'data.jsonl',
    'flow.dag.yaml',
    'format_input.py',
    'functions.py',
    'functions_node.py',
    'knowledge',
    'search.py',
    'unroll.py',
  ]);
  const text = readFileSync(join(world.folder, 'there/flow.dag.yaml'), 'utf8');
  expect(text).not.toMatch(/loops:|unroll\.(?!py)|schema|values_open_roles/);
  expect(text).toContain('- name: agent_3');
  const outputsOf = async (flow: string, query: string) =>
    JSON.parse((await world.flow('run', flow, '-i', `query=${query}`, '--json')).stdout).outputs;
  for (const query of ['氏名は個人情報に当たりますか', 'What is the capital of France?']) {
    const expected = await outputsOf('f/flow.python.dag.yaml', query);
    expect(expected.status).toBeTypeOf('string');
    expect(await outputsOf('there', query)).toEqual(expected);
  }
  const quiet = await world.flow('expand', 'f/flow.python.dag.yaml', '--promptflow', 'quiet', '--quiet');
  expect([quiet.code, quiet.stdout, quiet.stderr.replaceAll(/^note: .*\n/gm, '')]).toEqual([
    0,
    '',
    "--column-mapping query='${data.query}'\n",
  ]);
  const json = await world.flow('expand', 'f/flow.python.dag.yaml', '--promptflow', 'json', '--json');
  expect([json.stderr, JSON.parse(json.stdout)]).toEqual([
    '',
    { folder: 'json', column_mapping: { query: '${data.query}' }, notes: expect.any(Array) },
  ]);
  const again = await world.flow('expand', 'f/flow.python.dag.yaml', '--promptflow', 'there');
  expect([again.code, again.stderr]).toEqual([2, 'error: there is not empty\nName a new folder.\n']);
});

test('what Prompt flow cannot run is told by name, and nothing is written', async () => {
  using world = createTestWorld();
  cpSync(sample, join(world.folder, 'f'), { recursive: true, filter: (path) => !path.includes('.flow') });
  const { code, stderr } = await world.flow('expand', 'f', '--promptflow', 'there');
  expect(code).toBe(2);
  expect(stderr.match(/error .*/g)).toEqual([
    'error PROMPT_FLOW_CANNOT node "format_input" runs format_input.ts, and Prompt flow runs Python alone',
    'error PROMPT_FLOW_CANNOT node "function" runs functions.ts, and Prompt flow runs Python alone',
  ]);
  expect(existsSync(join(world.folder, 'there'))).toBe(false);
});

test.for([
  {
    node: '{name: n, type: lookup, index: x.jsonl, inputs: {query: hi}}',
    told: 'node "n" is of type lookup, which Prompt flow does not have',
  },
  {
    node: '{name: n, type: llm, returns: choice, connection: mine, api: chat, source: {type: code, path: a.jinja2}, inputs: {model: m}}',
    told: 'node "n" has the key returns, which Prompt flow does not know',
  },
  {
    node: '{name: n, type: llm, connection: mine, api: responses, source: {type: code, path: a.jinja2}, inputs: {model: m}}',
    told: 'node "n" asks through the Responses API, which Prompt flow does not know',
  },
  {
    node: '{name: n, type: llm, connection: mine, api: embedding, source: {type: code, path: a.jinja2}, inputs: {model: m, input: a}}',
    told: 'node "n" asks for an embedding, which an llm node of Prompt flow cannot',
  },
])('$told', async ({ node, told }) => {
  using world = createTestWorld();
  const text = `outputs: {o: {type: string, reference: "\${n.output}"}}\nnodes:\n- ${node}\n`;
  writeFiles(world.folder, {
    'f/flow.dag.yaml': text,
    'f/a.jinja2': 'user:\nhi\n',
    'f/x.jsonl': '{"id": "a", "text": "b"}\n',
  });
  const { code, stderr } = await world.flow('expand', 'f', '--promptflow', 'there');
  expect([code, stderr.split('\n')[0]]).toEqual([2, expect.stringContaining(`error PROMPT_FLOW_CANNOT ${told}`)]);
});

test('expand needs no connection; with --connections it tells which Prompt flow has none of', async () => {
  using world = createTestWorld();
  const text =
    'outputs: {o: {type: string, reference: "${n.output}"}}\nnodes:\n- {name: n, type: llm, connection: mine, api: chat, source: {type: code, path: a.jinja2}, inputs: {model: m}}\n';
  writeFiles(world.folder, {
    'f/flow.dag.yaml': text,
    'f/a.jinja2': 'user:\nhi\n',
    'c.yaml': 'mine: {type: scripted, replies: [hi]}\n',
  });
  const plain = await world.flow('expand', 'f');
  expect([plain.code, plain.stderr]).toEqual([0, '']);
  expect(plain.stdout).toContain('connection: mine');
  const { code, stderr } = await world.flow('expand', 'f', '--promptflow', 'there', '--connections', 'c.yaml');
  expect([code, stderr.split('\n')[1]]).toEqual([
    0,
    'note: Prompt flow has no connections of the type of mine: make ones of these names there, and name their deployments or models',
  ]);
  const known = await world.flow('expand', 'f', '--promptflow', 'elsewhere');
  expect([known.code, known.stderr.includes('note:')]).toEqual([0, false]);
});

test('rows of an expanded flow keep the default of an input, which is told, also with --quiet', async () => {
  using world = countingWorld();
  await world.flow('expand', 'counting', '--out', 'counting/plain.dag.yaml');
  writeFileSync(join(world.folder, 'd.jsonl'), '{"goal": 2, "label": "sum"}\n');
  const { stderr } = await world.flow('run', 'counting/plain.dag.yaml', '--data', 'd.jsonl', '--quiet');
  expect(stderr).toContain('warning: the flow\'s own default is used for "label", not the column of that name\n');
  expect(stderr).toContain("--column-mapping label='${data.label}'\n");
});

test.for([
  { path: 'f/flow.flex.yaml', text: 'entry: main:Own\n' },
  {
    path: 'f/ask.prompty',
    text: '---\nmodel:\n  configuration: {type: openai, connection: mine, model: m}\n---\nuser:\nhi\n',
  },
])('$path is for Prompt flow what it is here: it is told that nothing is to be done', async ({ path, text }) => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    [path]: text,
    'f/main.py':
      'class Own:\n    def __call__(self, q: str):\n        return q\n    def __aggregate__(self, results):\n        return {}\n',
  });
  const { code, stderr } = await world.flow('expand', path, '--promptflow', 'out');
  expect(code).toBe(2);
  expect(stderr).toContain(`Prompt flow runs ${path} as it is: there is nothing to lay out`);
  expect(stderr).toContain('1 error');
});
