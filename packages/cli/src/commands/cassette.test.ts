import { existsSync, lstatSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startOpenAiServer } from '@unroll/nodes/testing';
import { expect, test } from 'vitest';
import { notesWorld } from '../testing/notes-flow.ts';
import { createTestWorld, type TestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const rows = ['notes', '--data', 'rows.jsonl'];
const key = 'sk-never-recorded-0123456789';

/** The notes flow with a model behind a real client; its connection is a file that can be taken away. */
function modelWorld(url: string): TestWorld {
  const world = notesWorld();
  const path = join(world.folder, 'notes/flow.dag.yaml');
  writeFileSync(path, readFileSync(path, 'utf8').replace('connection: offline', 'connection: mine'));
  writeFileSync(
    join(world.folder, 'connections.yaml'),
    `mine: {type: open_ai, api_key: ${key}, base_url: ${url}/v1}\n`,
  );
  return world;
}

const outputs = (world: TestWorld, run: string) => world.flow('show', run, '--json', '--row', '1');

test('recorded with a model, replayed without: no network, no connection, the same outputs', async () => {
  const tape = await (async () => {
    await using server = await startOpenAiServer(
      ['一', '二', '三'].map((content) => ({ message: { content: `${content}: ${key} は鍵` } })),
    );
    using world = modelWorld(server.url);
    const { code, stderr } = await world.flow('run', ...rows, '--record', 'tapes/notes.yaml', '--concurrency', '1');
    expect([code, stderr]).toEqual([0, expect.stringContaining('tapes/notes.yaml: 0 replayed, 2 recorded')]);
    expect(server.requests).toHaveLength(2);
    return {
      text: readFileSync(join(world.folder, 'tapes/notes.yaml'), 'utf8'),
      row: (await outputs(world, 'latest')).stdout,
    };
  })();
  expect(tape.text).not.toContain(key);
  expect(tape.text).not.toContain('127.0.0.1');
  using world = modelWorld('http://127.0.0.1:9');
  rmSync(join(world.folder, 'connections.yaml'));
  writeFileSync(join(world.folder, 'tape.yaml'), tape.text);
  const { code, stderr } = await world.flow('run', ...rows, '--replay', 'tape.yaml');
  expect([code, stderr]).toEqual([0, expect.stringContaining('tape.yaml: 2 replayed\n')]);
  const [before, after] = [tape.row, (await outputs(world, 'latest')).stdout].map((text) => JSON.parse(text).outputs);
  expect(after).toEqual({ answer: String(before.answer).replace(key, '***') });
  expect(readFileSync(join(world.folder, 'tape.yaml'), 'utf8')).toBe(tape.text);
  for (const more of [[], ['--row', '1']]) {
    const { stdout } = await world.flow('show', 'latest', ...more);
    expect(stdout.split('\n')[2]).toBe(
      'replayed from tape.yaml: no model was asked, tokens and cost are those of the recording',
    );
  }
});

test('a prompt that changed fails its node and is shown by words', async () => {
  using world = notesWorld();
  await world.flow('run', ...rows, '--record', 'tape.yaml');
  const path = join(world.folder, 'notes/ask.jinja2');
  writeFileSync(path, readFileSync(path, 'utf8').replace('briefly', 'at length'));
  const { code, stderr } = await world.flow('run', ...rows, '--rows', '1', '--replay', 'tape.yaml');
  expect(code).toBe(1);
  expect(stderr.slice(stderr.indexOf('cassette'))).toMatchInlineSnapshot(`
    "cassette  tape.yaml: 0 replayed, 1 not on it, 2 on it not asked for
      ask asked otherwise than call 2 (ask)
        messages[0].content: You answer [-briefly-]{+at length+}.
      not asked for: call 1 (ask), 2 (ask)
    "
  `);
  const { stdout } = await world.flow('show', 'latest', '--row', '1', '--node', 'ask', '--json');
  expect(JSON.parse(stdout).nodes.ask.error).toMatchObject({ code: 'CassetteMiss' });
  const added = await world.flow('run', ...rows, '--rows', '1', '--record', 'tape.yaml');
  expect(added.stderr).toContain('tape.yaml: 0 replayed, 1 recorded, 2 on it not asked for');
  const anew = await world.flow('run', ...rows, '--record', 'tape.yaml', '--record-mode', 'all');
  expect(anew.stderr).toContain('tape.yaml: 0 replayed, 2 recorded\n');
});

test('two runs that record on one cassette at once lose no call of each other', async () => {
  using world = notesWorld();
  const runs = ['0', '1'].map((row) => world.flow('run', ...rows, '--rows', row, '--record', 'tape.yaml'));
  expect((await Promise.all(runs)).map(({ code }) => code)).toEqual([0, 0]);
  const { code, stderr } = await world.flow('run', ...rows, '--replay', 'tape.yaml');
  expect([code, stderr]).toEqual([0, expect.stringContaining('tape.yaml: 2 replayed\n')]);
  expect(existsSync(join(world.folder, 'tape.yaml.lock'))).toBe(false);
});

test('a cassette that was cut is not answered from, nor recorded on', async () => {
  using world = notesWorld();
  await world.flow('run', ...rows, '--record', 'tape.yaml');
  const path = join(world.folder, 'tape.yaml');
  const cut = readFileSync(path, 'utf8').split('\n').slice(0, -5).join('\n');
  writeFileSync(path, cut);
  for (const option of ['--replay', '--record']) {
    const { code, stderr } = await world.flow('run', ...rows, option, 'tape.yaml');
    expect([code, stderr]).toEqual([2, expect.stringContaining('error: tape.yaml has lost its end')]);
  }
  expect(readFileSync(path, 'utf8')).toBe(cut);
});

test('a link to a cassette stays a link', async () => {
  using world = notesWorld();
  await world.flow('run', ...rows, '--rows', '0', '--record', 'tapes/one.yaml');
  symlinkSync('tapes/one.yaml', join(world.folder, 'link.yaml'));
  await world.flow('run', ...rows, '--record', 'link.yaml');
  expect(lstatSync(join(world.folder, 'link.yaml')).isSymbolicLink()).toBe(true);
  expect((await world.flow('run', ...rows, '--replay', 'tapes/one.yaml')).code).toBe(0);
});

test.for<[readonly string[], string]>([
  [['--replay', 'none.yaml'], 'error: there is no cassette none.yaml\nflow run … --record none.yaml makes one.\n'],
  [
    ['--replay', 'rows.jsonl'],
    'error: rows.jsonl, document 1 cannot be read: nothing may stand here: the value before it is complete\n',
  ],
  [['--replay', 'a', '--record', 'b'], 'error: --record and --replay exclude each other\n'],
])('%j', async ([options, message]) => {
  using world = notesWorld();
  expect(await world.flow('run', 'notes', '--input', 'question=同意', ...options)).toMatchObject({
    code: 2,
    stderr: message,
  });
  expect(existsSync(join(world.folder, 'b'))).toBe(false);
});

test('calls that code makes itself are on no cassette, which is told when it is recorded and when it is replayed', async () => {
  await using server = await startOpenAiServer(['一', '二'].map((content) => ({ message: { content } })));
  using world = createTestWorld();
  writeFiles(world.folder, {
    'f/flow.dag.yaml':
      'inputs: {q: {type: string}}\noutputs: {a: {type: string, reference: "${ask.output}"}}\nnodes:\n- {name: ask, type: python, source: {type: code, path: ask.ts}, inputs: {q: "${inputs.q}"}}\n',
    'f/ask.ts': `export const ask = async ({ q }: { q: string }) => {
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: q }] });
  const answer = await fetch('${server.url}/v1/chat/completions', { method: 'POST', headers: { 'content-type': 'application/json', authorization: 'Bearer k' }, body });
  return ((await answer.json()) as { choices: { message: { content: string } }[] }).choices[0]?.message.content;
};
`,
  });
  const told =
    'warning: models were asked by the code of ask itself: such calls are not on tape.yaml, and a replay asks the service again\n';
  const recorded = await world.flow('run', 'f', '-i', 'q=1', '--record', 'tape.yaml');
  expect(recorded.stdout).toContain('一');
  expect([recorded.code, recorded.stderr]).toEqual([0, expect.stringContaining(told)]);
  const replayed = await world.flow('run', 'f', '-i', 'q=1', '--replay', 'tape.yaml');
  expect([replayed.code, replayed.stderr]).toEqual([0, expect.stringContaining(told)]);
  expect(server.requests).toHaveLength(2);
});
