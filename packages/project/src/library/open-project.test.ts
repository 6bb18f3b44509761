// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of flows look like templates
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import type { JsonObject } from '@unroll/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Notice } from '../host/notice.ts';
import type { ProjectEvent } from '../host/project-event.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import { openProject } from './open-project.ts';
import type { Operation } from './operation.ts';

/** Doubles numbers and adds `more`; 3 cannot be doubled until the file `mended` is there. */
const files: Readonly<Record<string, string>> = {
  'double/flow.dag.yaml': `inputs:
  n: {type: int}
  more: {type: int, default: 1}
outputs:
  o: {type: int, reference: "\${add.output}"}
nodes:
  - {name: double, type: python, source: {type: code, path: double.ts}, inputs: {n: "\${inputs.n}"}}
  - {name: add, type: python, source: {type: code, path: add.ts}, inputs: {n: "\${double.output}", more: "\${inputs.more}"}}
`,
  'double/double.ts': `import { existsSync } from 'node:fs';
export function double({ n }: { n: number }) {
  if (n === 3 && !existsSync(import.meta.dirname + '/mended')) throw new RangeError('no way to double 3');
  return n * 2;
}
`,
  'double/add.ts': 'export function add({ n, more }: { n: number; more: number }) {\n  return n + more;\n}\n',
  'echo/flow.dag.yaml': `inputs:
  said: {type: string, is_chat_input: true}
  chat_history: {type: list, is_chat_history: true, default: []}
  name: {type: string}
outputs:
  answer: {type: string, reference: "\${answer.output}", is_chat_output: true}
nodes:
  - name: answer
    type: python
    source: {type: code, path: answer.ts}
    inputs: {said: "\${inputs.said}", before: "\${inputs.chat_history}", name: "\${inputs.name}"}
`,
  'echo/answer.ts': `export function answer({ said, before, name }: { said: string; before: unknown[]; name: string }) {
  return name + ': ' + said + ' (' + before.length + ' before)';
}
`,
  'n.jsonl': [0, 1, 2, 3, 4]
    .map((n) => `${JSON.stringify({ n, right: n * 2 + 1, expected: { double: n * 2 } })}\n`)
    .join(''),
  'double/eval.yaml': `flow: flow.dag.yaml
data: ../n.jsonl
metrics:
  - {name: right, on: outputs.o, evaluator: equals, expected: "\${row.right}", gate: {min: 1}}
`,
  'connections.yaml': 'local:\n  type: open_ai\n  base_url: http://127.0.0.1:9/v1\n  api_key: none-at-all\n',
};

const folder = mkdtempSync(join(tmpdir(), 'unroll-project-'));
const notices: Notice[] = [];
const project = openProject(folder, {
  environment: { HOME: join(folder, 'home') },
  reporter: (event) => {
    if (event.type === 'notice') notices.push(event.notice);
  },
});

beforeAll(async () => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  await project.runDataset('double', { data: 'n.jsonl', name: 'first' }).result;
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function typesOf(operation: Operation<{ readonly type: string }, unknown>): Promise<readonly string[]> {
  const types: string[] = [];
  for await (const { type } of operation) types.push(type);
  return types;
}

test('flows: what the folder holds, and one by its name', async () => {
  const files = ['double/flow.dag.yaml', 'echo/flow.dag.yaml'].map((file) => join(folder, file));
  expect(project.flows.list().map(({ file }) => file)).toEqual(files);
  expect(project.flows.find('double').folder).toBe(join(folder, 'double'));
  expect(() => project.flows.find('dubble')).toThrow(ProjectFailure);
  expect(await project.check('double')).toMatchObject({ isRight: true });
});

test('runNode: one node alone, with given inputs and with those of a run', async () => {
  const given = project.runNode('double', { node: 'add', inputs: { n: 5, more: 2 } });
  expect(await typesOf(given)).toEqual([
    ...['run-started', 'row-started', 'node-started', 'node-ended', 'row-ended', 'rows-ended', 'run-ended'],
  ]);
  const { run, row, record } = await given.result;
  expect({ output: run.output, status: row.status }).toEqual({ output: 7, status: 'Completed' });
  await using store = await project.runs.open(record.id);
  expect(await store.nodes(0)).toMatchObject([{ node: 'add', output: 7 }]);
  const again = project.runNode('double', { node: 'add', inputs: { more: 10 } }, { from: record.id });
  expect((await again.result).run).toMatchObject({ inputs: { n: 5, more: 10 }, output: 15 });
  await expect(project.runNode('double', { node: 'ad', inputs: {} }).result).rejects.toMatchObject({
    code: 'NodeNotFound',
    help: 'did you mean "add"?',
  });
});

test('resume and retryFailed go on where a run was stopped or failed', async () => {
  const first = project.runDataset('double', { data: 'n.jsonl', name: 'stopped', concurrency: 1 });
  for await (const event of first) if (event.type === 'row-ended') break;
  const { result } = await first.result;
  expect(result.stopped).toBe(true);
  const resumed = await project.resume('stopped').result;
  expect(resumed.view.rows).toMatchObject({ completed: 4, failed: 1 });
  writeFileSync(join(folder, 'double/mended'), '');
  const retried = await project.retryFailed('stopped').result;
  expect(retried.view.rows).toMatchObject({ completed: 5, failed: 0 });
  rmSync(join(folder, 'double/mended'));
  await expect(project.resume('none of these').result).rejects.toThrow(ProjectFailure);
});

test('settings that cannot be read end an operation before it begins, all told at once', () => {
  const wrong = { data: 'n.jsonl', repeat: 0, sampel: 2 } as object;
  expect(() => project.runDataset('double', wrong)).toThrow(/repeat.*sampel|sampel.*repeat/s);
});

test('plan: what a run would take', async () => {
  expect(await project.plan('double', { data: 'n.jsonl', repeat: 2 })).toMatchObject({
    forecast: { rows: 10 },
    flow: 'double',
    data: 'n.jsonl',
    since: undefined,
    basis: 'stopped',
  });
});

test('a reporter hears of all that happens, in order; who iterates a run over data, of all but its nodes', async () => {
  const heard: string[] = [];
  const reporter = ({ type }: ProjectEvent): void => void heard.push(type);
  const listened = openProject(folder, { environment: {}, reporter });
  const run = listened.runDataset('double', { data: 'n.jsonl', rows: '1', name: 'heard' });
  const ofRow = ['row-started', 'node-started', 'node-ended', 'node-started', 'node-ended', 'row-ended'];
  const iterated = await typesOf(run);
  expect(heard).toEqual(['run-started', ...ofRow, 'rows-ended', 'run-ended']);
  expect(iterated).toEqual(heard.filter((type) => !type.startsWith('node-')));
});

test('why: from where an output was taken', async () => {
  await project.runDataset('double', { data: 'n.jsonl', since: 'first', rows: '0-2', name: 'since' }).result;
  const { nodes } = await project.why('since', { row: '1', node: 'add' });
  expect(nodes).toMatchObject([{ run: { node: 'add', cachedFrom: 'first' }, explanation: { kind: 'taken' } }]);
  await expect(project.why('since', { node: 'nobody' })).rejects.toThrow(ProjectFailure);
});

test('export: rows, and records of nodes, part by part', async () => {
  const rows = (await Array.fromAsync(project.export('first'))).join('').trimEnd().split('\n');
  expect(rows.map((row) => JSON.parse(row).status)).toEqual([
    'Completed',
    'Completed',
    'Completed',
    'Failed',
    'Completed',
  ]);
  const csv = (await Array.fromAsync(project.export('first', { format: 'csv' }))).join('');
  expect(csv.split('\r\n')[0]).toContain('outputs.o');
  const nodes = (await Array.fromAsync(project.export('first', { nodes: true }))).join('').trimEnd().split('\n');
  expect(nodes).toHaveLength(10);
});

test('a flow whose code is long in being imported says so before it runs', async () => {
  const waiting = `import os, time
from promptflow.core import tool
while not os.path.exists(os.path.join(os.path.dirname(__file__), 'go')):
    time.sleep(0.05)
@tool
def say(x):
    return x
`;
  mkdirSync(join(folder, 'slow'));
  writeFileSync(join(folder, 'slow/say.py'), waiting);
  writeFileSync(
    join(folder, 'slow/flow.dag.yaml'),
    `inputs: {x: {type: string}}
outputs: {o: {type: string, reference: "\${say.output}"}}
nodes:
- {name: say, type: python, source: {type: code, path: say.py}, inputs: {x: "\${inputs.x}"}}
`,
  );
  const row = project.runRow('slow', { x: 'at last' });
  for await (const event of row) {
    if (
      event.type === 'notice' &&
      event.notice.kind === 'note' &&
      /is still being made ready/.test(event.notice.message)
    )
      writeFileSync(join(folder, 'slow/go'), '');
  }
  expect((await row.result).row.outputs).toEqual({ o: 'at last' });
});

test('connections: kept, changed and deleted; their secrets are shown to nobody', async () => {
  const { connections } = project;
  const fields = { type: 'open_ai', base_url: 'http://127.0.0.1:9/v1', api_key: 'first-secret' };
  await connections.create('kept', fields, { place: 'project' });
  await connections.update('kept', { base_url: 'http://127.0.0.1:8/v1' });
  expect(await connections.describe('kept')).toMatchObject({
    from: '.flow/connections',
    configs: { base_url: 'http://127.0.0.1:8/v1' },
    secrets: { api_key: '******' },
  });
  expect(connections.find('kept')?.secrets).toEqual({ api_key: 'first-secret' });
  await expect(connections.create('bare', { type: 'open_ai' }, { place: 'project' })).rejects.toThrow(/needs api_key/);
  await connections.delete('kept');
  await expect(connections.delete('kept')).rejects.toMatchObject({ code: 'ConnectionNotFoundError' });
});

test('connections: listed, found, and one that is not there', async () => {
  expect(project.connections.list()).toMatchObject([{ name: 'local' }]);
  expect(project.connections.find('local')).toMatchObject({ type: 'open_ai', secrets: { api_key: 'none-at-all' } });
  expect(await project.connections.test('local')).toMatchObject({ works: false });
  await expect(project.connections.test('lokal')).rejects.toMatchObject({ code: 'ConnectionNotFoundError' });
});

test('datasets: what a file holds; none is a failure', async () => {
  const data = await project.datasets.open('n.jsonl');
  const rows = await Array.fromAsync(data.rows());
  expect(rows[1]).toMatchObject({ line: 1, values: { n: 1, right: 3 } });
  await expect(project.datasets.open('m.jsonl')).rejects.toMatchObject({ code: 'DataNotFound' });
  const misread = { fromat: 'csv' } as object;
  await expect(project.datasets.open('n.jsonl', misread)).rejects.toThrow('unknown key "fromat"');
});

test('runs: what is said of one is read by a schema, like all settings', async () => {
  const wrong = { nmae: 'whole', tags: { a: 1 } } as object;
  await expect(project.runs.mark('first', wrong)).rejects.toThrow(/tags: must be a list.*unknown key "nmae"/);
  expect(await project.runs.mark('first', { name: 'whole', addTags: ['a'] })).toEqual({ name: 'whole', tags: ['a'] });
  expect(await project.runs.mark('first', { name: null, tags: [] })).toEqual({ tags: [] });
});

test('inputs that are no values, and a run to be removed that has no name, are refused', async () => {
  const itself: Record<string, unknown> = {};
  itself['self'] = itself;
  for (const [inputs, message] of [
    [null, 'inputs must be an object'],
    [undefined, 'inputs must be an object'],
    [['a'], 'inputs must be an object'],
    [{ n: itself }, 'inputs are nested deeper than 1000 levels, or hold themselves'],
    [{ n: undefined }, 'the input "n" is missing'],
    [{ n: () => 1 }, 'the input "n" holds a function, which JSON cannot say'],
    [{ n: [{ at: new Date(0) }] }, 'the input "n" holds a Date, which JSON cannot say'],
    [{ n: { a: [undefined] } }, 'the input "n" holds undefined, which JSON cannot say'],
  ] as const) {
    const run = async () => await project.runRow('double', inputs as never).result;
    await expect(run()).rejects.toThrow(ProjectFailure);
    await expect(run()).rejects.toThrow(message);
  }
  await expect(project.runDataset('double', {}).result).rejects.toThrow('which data?');
  await expect(project.runs.remove(undefined as never)).rejects.toThrow('which run is to be removed?');
});

test('inputs from another realm, as under Jest, are inputs like others', async () => {
  const inputs = runInNewContext(
    '({ said: "hi", name: "Ai", chat_history: [{ inputs: { said: "a" }, outputs: { answer: "b" } }] })',
  );
  const { row } = await project.runRow('echo', inputs as JsonObject).result;
  expect([row.error, row.outputs]).toEqual([undefined, { answer: 'Ai: hi (1 before)' }]);
});

test('runs: listed, checked, removed, and what is more than may stay', async () => {
  await project.runRow('double', { n: 1 }, { name: 'extra' }).result;
  expect((await project.runs.list({ limit: 1 }))[0]).toMatchObject({ id: 'extra', status: 'Completed', rows: 1 });
  expect(await project.runs.check('extra')).toEqual([]);
  const kept = await project.runs.kept();
  const surplus = await project.runs.surplus({ count: 1 });
  expect(surplus).toHaveLength(kept.length - 1);
  expect(await project.runs.surplus({})).toEqual([]);
  await project.runs.remove('extra');
  expect((await project.runs.kept()).map(({ id }) => id)).not.toContain('extra');
  await expect(project.runs.check('extra')).rejects.toThrow(ProjectFailure);
});

test('chat: what was said is handed to the next turn, each turn is a row of one record', async () => {
  await using chat = await project.chat('echo', { name: 'Aiko' });
  expect((await chat.say('hello')).row.outputs).toEqual({ answer: 'Aiko: hello (0 before)' });
  expect((await chat.say('again')).row.outputs).toEqual({ answer: 'Aiko: again (1 before)' });
  const together = await Promise.all(['one', 'two'].map((said) => chat.say(said)));
  expect(together.map(({ row }) => [row.line, row.outputs['answer']])).toEqual([
    [2, 'Aiko: one (2 before)'],
    [3, 'Aiko: two (3 before)'],
  ]);
  await expect(chat.say((() => 1) as never)).rejects.toThrow('holds a function, which JSON cannot say');
  await expect(chat.say(undefined as never)).rejects.toThrow('the input "said" is missing');
  chat.forget();
  expect((await chat.say('anew')).row).toMatchObject({ line: 4, outputs: { answer: 'Aiko: anew (0 before)' } });
  expect(chat.turns).toBe(5);
  await using store = await project.runs.open(chat.record?.id);
  expect((await Array.fromAsync(store.rows())).flat().map(({ inputs }) => inputs['said'])).toEqual([
    'hello',
    'again',
    'one',
    'two',
    'anew',
  ]);
  await expect(project.chat('double')).rejects.toMatchObject({ code: 'NoChatFlow' });
  await expect(project.chat('echo')).rejects.toMatchObject({ code: 'InputNotFound' });
});

test('chat: what was said before it was told to forget is forgotten, an answer that comes later too', async () => {
  await using chat = await project.chat('echo', { name: 'Aiko' });
  const hello = chat.say('hello');
  const again = chat.say('again');
  chat.forget();
  const anew = chat.say('anew');
  const answers = (await Promise.all([hello, again, anew])).map(({ row }) => row.outputs['answer']);
  expect(answers).toEqual(['Aiko: hello (0 before)', 'Aiko: again (1 before)', 'Aiko: anew (0 before)']);
});

test('chat: one that is closed takes no further turn, and may be closed again', async () => {
  const chat = await project.chat('echo', { name: 'Aiko' });
  await chat.say('hello');
  await Promise.all([chat[Symbol.asyncDispose](), chat[Symbol.asyncDispose]()]);
  await expect(chat.say('again')).rejects.toMatchObject({ code: 'ChatClosed', message: 'the chat is closed' });
  await chat[Symbol.asyncDispose]();
  expect(await project.runs.check(chat.record?.id ?? '')).toEqual([]);
});

test('indexes: built, updated, asked, described', async () => {
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs/consent.md'), '# Consent\n\nConsent is asked for before data are given away.\n');
  const stages: string[] = [];
  const build = project.indexes.build('docs.index', ['docs']);
  for await (const { stage } of build) stages.push(stage);
  expect(stages).toContain('read');
  expect((await build.result).report.documents).toEqual({ added: 1, changed: 0, removed: 0 });
  writeFileSync(join(folder, 'docs/breach.md'), '# Breach\n\nA breach is reported within days.\n');
  expect((await project.indexes.update('docs.index').result).description).toMatchObject({ documents: 2, vectors: 0 });
  expect((await project.indexes.query('docs.index', 'breach reported'))[0]?.text).toContain('within days');
  expect(await project.indexes.describe('docs.index')).toMatchObject({ documents: 2, roots: ['docs'] });
  await expect(project.indexes.query('dosc.index', 'breach')).rejects.toMatchObject({ code: 'IndexNotFound' });
  await expect(project.indexes.build('docs', ['docs']).result).rejects.toThrow('ends in .index');
});

test('parity: a run of Prompt flow, imported, and its flow run again', async () => {
  const theirs = join(import.meta.dirname, '../../../../cases/promptflow/run_layout');
  cpSync(theirs, join(folder, 'theirs'), { recursive: true });
  expect(await project.runs.import('theirs')).toMatchObject({ id: 'syn_run_2', rows: 3, failed: 1, nodes: 4 });
  await expect(project.runs.import('theirs')).rejects.toThrow('there is a run syn_run_2 already');
  const operation = project.parity('double', 'first', { concurrency: 1 });
  const types = await typesOf(operation);
  expect(types.filter((type) => type === 'row-ended')).toHaveLength(5);
  expect((await operation.result).report).toMatchObject({ isSame: true });
});

test('evaluate, gate, acceptBaseline and oracle', { timeout: 60_000 }, async () => {
  const whole = { rows: '0-2' };
  const { result, isPassed } = await project.evaluate('double', whole).result;
  expect(isPassed).toBe(true);
  expect(result.metrics).toMatchObject([{ name: 'right', summary: { mean: 1 } }]);
  const accepted = await project.acceptBaseline('double', whole).result;
  expect(accepted).toMatchObject({ path: 'double/baseline.json', isReplaced: false, result: { rows: { total: 3 } } });
  expect(JSON.parse(readFileSync(join(folder, accepted.path), 'utf8'))).toHaveProperty('metrics');
  expect((await project.gate('double', whole).result).isPassed).toBe(true);
  const given = await project.oracle('double', { nodes: ['double'] }).result;
  expect({ gains: given.gains.map(({ node }) => node), leftOut: given.leftOut }).toEqual({
    gains: ['double'],
    leftOut: [],
  });
});
