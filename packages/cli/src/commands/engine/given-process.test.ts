import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startOpenAiServer } from '@unroll/nodes/testing';
import { expect, test } from 'vitest';
import { type EngineProcesses, engineProcesses, gatedRows } from '../../testing/engine-processes.ts';
import { writeFiles } from '../../testing/write-files.ts';

const key = randomBytes(32).toString('base64');
const keyed = { environment: { FLOW_ENGINE_KEY: key } };
const run = ['run', 'gated', '--data', 'n.jsonl', '--json', '--name'];

interface Ended {
  readonly nodes: Readonly<Record<string, { readonly completed: number; readonly cached: number }>>;
}

/** What is told of a run at its end. */
async function ended(there: EngineProcesses, ...argv: readonly string[]): Promise<Ended> {
  const { code, stdout, stderr } = await there.run(...argv);
  expect({ argv, code, stderr: code === 0 ? '' : `${stderr}${stdout}` }).toEqual({ argv, code: 0, stderr: '' });
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Ended;
}

/** Whether anything that PostgreSQL holds says a text: what is compressed or sealed is looked into as bytes. */
async function isHeldThere(there: EngineProcesses, text: string): Promise<boolean> {
  const { database } = there.engine;
  const tables = [
    'run',
    'run_work',
    'chunk',
    'bundle',
    'work_note',
    'worker',
    'segment',
    'row_end',
    'node_end',
    'metric',
  ];
  for (const table of tables) {
    const found = await database.query(
      `SELECT 1 FROM ${database.schema}.${table} t WHERE position($1 IN t::text) > 0 OR position($2 IN t::text) > 0 LIMIT 1`,
      [text, Buffer.from(text).toString('hex')],
    );
    if (found.length > 0) return true;
  }
  return false;
}

const pureFlow = {
  'pure/flow.dag.yaml': `inputs: {n: {type: int}}
outputs: {o: {type: int, reference: "\${add.output}"}}
nodes:
- {name: double, type: python, source: {type: code, path: double.mjs}, inputs: {n: "\${inputs.n}"}}
- {name: add, type: python, source: {type: code, path: add.mjs}, inputs: {n: "\${double.output}"}}
`,
  'pure/double.mjs': 'export const double = ({ n }) => n * 2;\n',
  'pure/add.mjs': 'export const add = ({ n }) => n + 1;\n',
};

test('--since: outputs of a run here, and of one on the engine, stand in on workers; what changed runs', {
  timeout: 180_000,
}, async () => {
  await using there = await engineProcesses(12);
  writeFiles(there.folder, pureFlow);
  const pure = ['run', 'pure', '--data', 'n.jsonl', '--json', '--name'];
  await ended(there, ...pure, 'here', '--engine', '');
  await there.worker('one', '--concurrency', '2');
  const again = await ended(there, ...pure, 'again', '--since', 'here');
  expect(again.nodes).toMatchObject({ double: { completed: 12, cached: 12 }, add: { completed: 12, cached: 12 } });
  expect(await there.rowsOf('again')).toEqual(gatedRows(12));
  // Of a run that is on the engine alone.
  rmSync(join(there.folder, '.flow/runs/again.run'));
  writeFiles(there.folder, { 'pure/add.mjs': 'export const add = ({ n }) => 1 + n;\n' });
  const changed = await ended(there, ...pure, 'changed', '--since', 'again');
  expect(changed.nodes).toMatchObject({ double: { completed: 12, cached: 12 }, add: { completed: 12, cached: 0 } });
  const unknown = await there.run(...pure, 'x', '--since', 'hare');
  expect([unknown.code, unknown.stdout]).toEqual([2, expect.stringContaining('there is no run hare at postgres://')]);
});

test('--since: another run of the same name on the engine is not taken for the one here', {
  timeout: 120_000,
}, async () => {
  await using there = await engineProcesses(2);
  there.gate.open();
  expect((await there.flow(...run, 'r', '--engine', '').ended).code).toBe(0);
  await there.worker('one');
  await ended(there, ...run, 'r', '--runs-dir', 'elsewhere');
  const refused = await there.run(...run, 's', '--since', 'r');
  expect([refused.code, refused.stdout]).toEqual([2, expect.stringContaining('there is another run r at postgres://')]);
});

const askFlow = {
  'ask/flow.dag.yaml': `inputs: {n: {type: int}}
outputs: {answer: {type: string, reference: "\${ask.output}"}}
nodes:
- name: ask
  type: llm
  source: {type: code, path: ask.jinja2}
  inputs: {model: gpt-4o-mini, n: "\${inputs.n}"}
  connection: mine
  api: chat
`,
  'ask/ask.jinja2': 'user:\n{{ n }}?\n',
};

test('--replay: calls are answered from the cassette on workers that have neither key nor service; --record is refused', {
  timeout: 180_000,
}, async () => {
  await using there = await engineProcesses(6);
  const answers = Array.from(
    { length: 6 },
    (_, n) => ({ message: { role: 'assistant', content: `answer ${n}` } }) as const,
  );
  await using server = await startOpenAiServer(answers);
  const connection = `mine: {type: open_ai, base_url: "${server.url}/v1", api_key: "k-1234567890"}\n`;
  writeFiles(there.folder, { ...askFlow, 'mine.yaml': connection });
  const ask = ['run', 'ask', '--data', 'n.jsonl', '--json', '--name'];
  const record = ['--record', 'tape.jsonl', '--connections', 'mine.yaml'];
  const refused = await there.run(...ask, 'r', ...record);
  expect([refused.code, refused.stdout]).toEqual([
    2,
    expect.stringContaining('a cassette is recorded by one process, and workers are many'),
  ]);
  await ended(there, ...ask, 'recorded', ...record, '--engine', '', '--concurrency', '1');
  await server[Symbol.asyncDispose]();
  const worker = await there.worker('one');
  await ended(there, ...ask, 'replayed', '--replay', 'tape.jsonl');
  expect(await there.rowsOf('replayed')).toEqual(await there.rowsOf('recorded'));
  expect(worker.text()).not.toContain('cassette');
});

const toldFlow = {
  'told/flow.dag.yaml': `inputs: {n: {type: int}}
outputs: {o: {type: string, reference: "\${tell.output}"}}
nodes:
- {name: tell, type: python, source: {type: code, path: tell.ts}, inputs: {n: "\${inputs.n}"}}
`,
  'told/tell.ts': `import { createHash } from 'node:crypto';
export const tell = (_: unknown, { environment }: { environment: Record<string, string> }) =>
  createHash('sha256').update(environment.API_PIN ?? '').digest('hex').slice(0, 8);
`,
};

test('--env: refused where nobody could seal it; with FLOW_ENGINE_KEY it gets to workers of the same key, and nobody reads it between', {
  timeout: 180_000,
}, async () => {
  await using there = await engineProcesses(3);
  writeFiles(there.folder, toldFlow);
  const tell = ['run', 'told', '--data', 'n.jsonl', '--json', '--env', 'API_PIN=pin-4711-秘密', '--name'];
  const refused = await there.flow(...tell.filter((word) => word !== '--json'), 'r').ended;
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('the value of API_PIN does not go to workers as it is: it may be a secret'),
  ]);
  expect(refused.stderr).toContain('FLOW_ENGINE_KEY, the same here and where the workers run, seals it');
  const sealing =
    (more: Readonly<Record<string, string>>) =>
    (name: string, ...argv: readonly string[]) =>
      there.flowWith(more, 'worker', '--name', name, ...argv);
  const [none, other] = [sealing({}), sealing({ FLOW_ENGINE_KEY: randomBytes(32).toString('base64') })];
  const strangers = [none('none'), other('other')];
  await Promise.all(strangers.map((worker) => worker.said('waits for work')));
  const followed = there.runWith(keyed.environment, ...tell, 'r');
  await Promise.all([
    strangers[0]?.said('it has no FLOW_ENGINE_KEY, and the run holds values sealed with the key'),
    strangers[1]?.said('its FLOW_ENGINE_KEY is another'),
  ]);
  expect(await isHeldThere(there, 'pin-4711')).toBe(false);
  await sealing(keyed.environment)('ours').said('waits for work');
  expect((await followed).code).toBe(0);
  await ended(there, ...tell, 'here', '--engine', '');
  expect(await there.rowsOf('r')).toEqual(await there.rowsOf('here'));
  expect(await isHeldThere(there, 'pin-4711')).toBe(false);
});

const secretFlow = {
  'secret/flow.dag.yaml': `inputs: {n: {type: int}, token: {type: secret}}
outputs: {size: {type: int, reference: "\${size.output}"}}
nodes:
- {name: size, type: python, source: {type: code, path: size.ts}, inputs: {token: "\${inputs.token}", n: "\${inputs.n}"}}
`,
  'secret/size.ts': 'export const size = ({ token, n }: { token: string; n: number }) => token.length + n;\n',
  'tokens.jsonl': '{"n": 0, "token": "tok-one-77"}\n{"n": 1, "token": "tok-two-777"}\n',
};

test('inputs of type secret: refused without a key, sealed with one, in no record', { timeout: 180_000 }, async () => {
  await using there = await engineProcesses(1);
  writeFiles(there.folder, secretFlow);
  const argv = ['run', 'secret', '--data', 'tokens.jsonl', '--json', '--name'];
  const refused = await there.run(...argv, 'r');
  expect([refused.code, refused.stdout]).toEqual([
    2,
    expect.stringContaining('the input \\"token\\" is a secret, and does not go to workers as it is'),
  ]);
  await there.flowWith(keyed.environment, 'worker', '--name', 'ours').said('waits for work');
  const { code, stdout } = await there.runWith(keyed.environment, ...argv, 'r');
  expect([code, stdout.includes('tok-')]).toEqual([0, false]);
  expect(await there.rowsOf('r')).toEqual(['0 Completed {"size":10}', '1 Completed {"size":12}']);
  expect([await isHeldThere(there, 'tok-one'), await isHeldThere(there, 'tok-two')]).toEqual([false, false]);
});

const classFlow = {
  'made/flow.flex.yaml': 'entry: made:Made\n',
  'made/made.py': `class Made:
    def __init__(self, word: str):
        self.word = word

    def __call__(self, n: int) -> str:
        return f"{self.word} {n}"
`,
};

test('--init: arguments of a class that is a flow get to workers sealed', { timeout: 180_000 }, async () => {
  await using there = await engineProcesses(2);
  writeFiles(there.folder, classFlow);
  const argv = ['run', 'made', '--data', 'n.jsonl', '--json', '--init', 'word=hello-4711', '--name'];
  const refused = await there.run(...argv, 'r');
  expect([refused.code, refused.stdout]).toEqual([
    2,
    expect.stringContaining('(--init) do not go to workers as they are'),
  ]);
  await there.flowWith(keyed.environment, 'worker', '--name', 'ours').said('waits for work');
  const { code } = await there.runWith(keyed.environment, ...argv, 'r');
  expect(code).toBe(0);
  expect(await there.rowsOf('r')).toEqual([
    '0 Completed {"output":"hello-4711 0"}',
    '1 Completed {"output":"hello-4711 1"}',
  ]);
});
