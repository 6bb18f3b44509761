import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { openIndexDatabase } from '@unroll/nodes/build-index';
import { startAzureSearchServer, startOpenAiServer } from '@unroll/nodes/testing';
import { expect, test } from 'vitest';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const documents = {
  'docs/guide.md': '# 手引き\n\n前書き\n\n## 漏えいの報告\n\n漏えいが起きたら委員会に報告する。\n',
  'docs/faq.jsonl':
    '{"id": "faq-1", "title": "委託", "text": "委託先を監督する。", "lang": "ja"}\n{"id": "faq-2", "text": "An apple.", "lang": "en"}\n',
};

test('build, build again, update, info and query', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, documents);
  expect(await world.flow('index', 'build', 'docs', '--out', 'kb.index', '--embedder', 'offline')).toEqual({
    code: 0,
    stdout: 'kb.index: 4 documents, 4 with vectors (4 made now); 4 added (2 of 2 files opened)\n',
    stderr: '',
  });
  expect((await world.flow('index', 'build', 'docs', '--out', 'kb.index')).stdout).toBe(
    'kb.index: 4 documents, 4 with vectors (0 made now); nothing changed (0 of 2 files opened)\n',
  );
  writeFiles(world.folder, { 'docs/bad.pdf': 'no', 'docs/new.txt': '新しい文書' });
  expect(await world.flow('index', 'update', 'kb.index')).toEqual({
    code: 1,
    stdout: 'kb.index: 5 documents, 5 with vectors (1 made now); 1 added (2 of 4 files opened)\n',
    stderr: 'not read  docs/bad.pdf: the PDF is broken: Invalid PDF structure.\n',
  });
  const info = JSON.parse((await world.flow('index', 'info', 'kb.index', '--json')).stdout);
  expect(info).toMatchObject({
    documents: 5,
    files: 4,
    vectors: 5,
    dimensions: 1024,
    roots: ['docs'],
    fields: { lang: 2, source: 5 },
  });
  const filter = '{"lang": {"exists": false}}';
  const asked = await world.flow(
    'index',
    'query',
    'kb.index',
    '漏えいの報告',
    '--top-k',
    '1',
    '--filter',
    filter,
    '--json',
  );
  expect(JSON.parse(asked.stdout)).toMatchObject([
    { id: 'docs/guide.md#漏えいの報告', title: '手引き > 漏えいの報告' },
  ]);
  expect((await world.flow('index', 'query', 'kb.index', 'apple', '--mode', 'keyword')).stdout).toMatch(
    /^ 1 {2}1\.\d+ {2}faq-2\n {4}An apple\.\n$/u,
  );
});

test('words that stand in most of the documents tell nothing apart, which is said', async () => {
  using world = createTestWorld();
  const notes = ['red', 'blue'].map((color) => [`docs/${color}.md`, `# ${color}\n\nReturns of ${color} socks.\n`]);
  writeFiles(world.folder, Object.fromEntries(notes));
  await world.flow('index', 'build', 'docs', '--out', 'kb.index');
  expect(await world.flow('index', 'query', 'kb.index', 'returns')).toEqual({
    code: 0,
    stdout: ` 1  <0.001  docs/blue.md#blue  blue
    Returns of blue socks.
 2  <0.001  docs/red.md#red  red
    Returns of red socks.
`,
    stderr:
      'note: these scores are next to 0, since each word that was found stands in half of the documents or more (docs/lookup.md)\n',
  });
  expect((await world.flow('index', 'query', 'kb.index', 'red')).stderr).toMatch(/^note: /);
});

test.for([
  { argv: ['build', 'docs'], says: 'where to? Give --out' },
  { argv: ['build', 'docs', '--out', 'kb'], says: 'the name of an index ends in .index, for instance kb.index' },
  { argv: ['build', 'dox', '--out', 'kb.index'], says: 'there is no file or folder dox' },
  { argv: ['build', 'doc', '--out', 'kb.index'], says: 'did you mean "docs"?' },
  { argv: ['build', 'docs', '--out', 'kb.index', '--embedder', 'ofline'], says: 'there is no connection "ofline"' },
  { argv: ['build', 'docs', '--out', 'kb.index', '--model', 'm'], says: '--model and --dimensions need --embedder' },
  { argv: ['query', 'kb.index', 'x'], says: 'there is no index kb.index' },
  { argv: ['query', 'docs/faq.jsonl', 'x'], says: 'docs/faq.jsonl is no index of flow index build' },
])('flow index $argv', async ({ argv, says }) => {
  using world = createTestWorld();
  writeFiles(world.folder, documents);
  const said = await world.flow('index', ...argv);
  expect([said.code, said.stderr.includes(says) || said.stderr]).toEqual([2, true]);
});

test('a file that is broken is told by its name, with what makes it again', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, { 'docs/a.md': '# A\n\none\n', 'kb.index': 'garbage' });
  expect(await world.flow('index', 'build', 'docs', '--out', 'kb.index')).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'error: kb.index is no index of flow index build: file is not a database\nflow index build … --out kb.index --rebuild makes it again\n',
  });
  expect((await world.flow('index', 'build', 'docs', '--out', 'kb.index', '--rebuild')).code).toBe(0);
});

test('an index that is made again without the vectors it had is told as that', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, documents);
  const build = ['index', 'build', 'docs', '--out', 'kb.index'];
  await world.flow(...build, '--embedder', 'offline');
  expect(await world.flow(...build, '--rebuild')).toEqual({
    code: 0,
    stdout: 'kb.index: 4 documents; 4 added (2 of 2 files opened)\n',
    stderr: 'warning: kb.index had vectors and has none now: --embedder offline makes them again\n',
  });
  expect((await world.flow(...build, '--rebuild')).stderr).toBe('');
  expect((await world.flow(...build, '--rebuild', '--embedder', 'offline')).stderr).toBe('');
});

test('another model than that of the index is refused, and --rebuild takes it', async () => {
  using world = createTestWorld();
  await using server = await startOpenAiServer();
  writeFiles(world.folder, {
    ...documents,
    'connections.yaml': `mine: {type: open_ai, api_key: key-1234, base_url: "${server.url}/v1"}\n`,
  });
  await world.flow('index', 'build', 'docs', '--out', 'kb.index', '--embedder', 'offline');
  const mine = ['index', 'build', 'docs', '--out', 'kb.index', '--embedder', 'mine', '--model', 'small'];
  expect((await world.flow(...mine)).stderr).toContain('kb.index holds vectors of offline, not of small');
  server.add({
    embeddings: [
      [1, 0],
      [0, 1],
      [1, 1],
      [2, 1],
    ],
  });
  expect((await world.flow(...mine, '--rebuild')).stdout).toBe(
    'kb.index: 4 documents, 4 with vectors (4 made now, 12 tokens); 4 added (2 of 2 files opened)\n',
  );
  expect(readFileSync(join(world.folder, 'kb.index')).includes('key-1234')).toBe(false);
  server.add({ status: 401, error: { message: 'bad key-1234' } });
  const failed = await world.flow('index', 'query', 'kb.index', 'x', '--mode', 'vector');
  expect([failed.code, failed.stderr.includes('key-1234')]).toEqual([1, false]);
});

test('a misspelt key of the connection is told before it is asked: another server may be meant', async () => {
  using world = createTestWorld();
  await using server = await startOpenAiServer();
  const key = `base_url: "${server.url}/v1"`;
  writeFiles(world.folder, {
    'docs/a.md': '# A\n\none\n',
    'connections.yaml': `mine: {type: open_ai, api_key: key-1234, ${key}, api_bse: x}\nother: {type: open_ai, api_key: key-1234, oops: x}\n`,
  });
  const told =
    /^connections\.yaml:1:\d+ warning CONNECTION_FILE a connection of type open_ai has no "api_bse"\n(.*\n)*1 warning\n/;
  const build = ['index', 'build', 'docs', '--out', 'kb.index'];
  server.add({ embeddings: [[1, 0]] });
  expect((await world.flow(...build, '--embedder', 'mine', '--model', 'small', '--json')).stderr).toMatch(told);
  expect((await world.flow('index', 'update', 'kb.index')).stderr).toMatch(told);
  server.add({ embeddings: [[1, 0]] });
  expect((await world.flow('index', 'query', 'kb.index', 'one', '--mode', 'vector')).stderr).toMatch(told);
  expect((await world.flow('connection', 'test', 'mine')).stderr).toMatch(told);
});

test('a model that made no vector is replaced by the next that is named', async () => {
  using world = createTestWorld();
  await using server = await startOpenAiServer();
  writeFiles(world.folder, {
    'docs/a.md': '# A\n\none\n',
    'connections.yaml': `mine: {type: open_ai, api_key: key-1234, base_url: "${server.url}/v1"}\n`,
  });
  const build = ['index', 'build', 'docs', '--out', 'kb.index', '--embedder', 'mine', '--model'];
  server.add({ status: 404, error: { message: 'no such model' } });
  expect((await world.flow(...build, 'smal')).code).toBe(1);
  server.add({ embeddings: [[1, 0]] });
  expect(await world.flow(...build, 'small')).toMatchObject({
    code: 0,
    stdout: 'kb.index: 1 documents, 1 with vectors (1 made now, 3 tokens); nothing changed (0 of 1 files opened)\n',
  });
});

test('an index that is made again stays as it was until the new one is whole, which goes on where it failed', async () => {
  using world = createTestWorld();
  await using server = await startOpenAiServer();
  writeFiles(world.folder, {
    'docs/a.md': '# Apples\n\nRed.\n',
    'connections.yaml': `mine: {type: open_ai, api_key: key-1234, base_url: "${server.url}/v1"}\n`,
  });
  await world.flow('index', 'build', 'docs', '--out', 'kb.index');
  writeFiles(world.folder, { 'docs/a.md': '# Pears\n\nGreen.\n' });
  const again = ['index', 'build', 'docs', '--out', 'kb.index', '--embedder', 'mine', '--model', 'small', '--rebuild'];
  server.add({ status: 401, error: { message: 'no' } });
  const failed = await world.flow(...again);
  expect(failed.code).toBe(1);
  expect(failed.stderr).toContain('kb.index stays as it was until the new one is whole: the same command goes on\n');
  expect(failed.stdout).toBe(
    'kb.index.building: 1 documents, 0 with vectors (0 made now); 1 added (1 of 1 files opened)\n',
  );
  const query = async (word: string): Promise<string> => (await world.flow('index', 'query', 'kb.index', word)).stdout;
  expect(await query('apples')).toContain('Red.');
  server.add({ embeddings: [[1, 0]] });
  const { code, stdout } = await world.flow(...again);
  expect([code, stdout]).toEqual([
    0,
    'kb.index: 1 documents, 1 with vectors (1 made now, 3 tokens); nothing changed (0 of 1 files opened)\n',
  ]);
  expect(readdirSync(world.folder).filter((name) => name.startsWith('kb.'))).toEqual(['kb.index']);
  server.add({ embeddings: [[1, 0]] });
  expect(await query('pears')).toContain('Green.');
});

test('two processes that make an index, or make it again, come one after the other', async () => {
  using world = createTestWorld();
  await using server = await startOpenAiServer();
  writeFiles(world.folder, {
    'docs/a.md': '# Apples\n\nRed.\n',
    'connections.yaml': `mine: {type: open_ai, api_key: key-1234, base_url: "${server.url}/v1"}\n`,
  });
  const make = ['index', 'build', 'docs', '--out', 'kb.index', '--embedder', 'mine', '--model', 'small'];
  for (const more of [[], ['--rebuild']]) {
    server.add({ embeddings: [[1, 0]] });
    server.add({ embeddings: [[1, 0]] });
    const ended = await Promise.all([world.flow(...make, ...more), world.flow(...make, ...more)]);
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ]);
  }
  expect(readdirSync(world.folder).filter((name) => name.startsWith('kb.'))).toEqual(['kb.index']);
});

test('a link to an index stays one where the index is made again', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, { 'docs/a.md': '# Apples\n\nRed.\n', 'shared/note.md': '' });
  await world.flow('index', 'build', 'docs', '--out', 'shared/kb.index');
  symlinkSync(join('shared', 'kb.index'), join(world.folder, 'kb.index'));
  writeFiles(world.folder, { 'docs/a.md': '# Pears\n\nGreen.\n' });
  await world.flow('index', 'build', 'docs', '--out', 'kb.index', '--rebuild');
  expect((await world.flow('index', 'query', 'shared/kb.index', 'pears')).stdout).toContain('Green.');
});

test('a lookup node asks the index by meaning and words; ids and scores are in the record', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    ...documents,
    'flow.dag.yaml': `inputs: {query: {type: string}, lang: {type: object}}
outputs: {hits: {type: list, reference: "\${find.output}"}}
nodes:
- {name: find, type: lookup, index: kb.index, mode: hybrid, top_k: 2, fields: [lang], inputs: {query: "\${inputs.query}", filter: "\${inputs.lang}"}}
`,
  });
  await world.flow('index', 'build', 'docs', '--out', 'kb.index', '--embedder', 'offline');
  const said = await world.flow('run', '.', '--input', 'query=委託先', '--input', 'lang={"lang": "ja"}', '--json');
  expect(JSON.parse(said.stdout).outputs.hits).toEqual([
    { id: 'faq-1', title: '委託', text: '委託先を監督する。', score: expect.any(Number), lang: 'ja' },
  ]);
  const shown = JSON.parse((await world.flow('show', '--node', 'find', '--json')).stdout);
  expect(JSON.stringify(shown)).toContain('"id":"faq-1"');
});

test('an index at Azure holds the same as the file, and a lookup node asks it', async () => {
  using world = createTestWorld();
  await using server = await startAzureSearchServer();
  writeFiles(world.folder, {
    ...documents,
    'connections.yaml': `search: {type: cognitive_search, api_key: ${server.key}, api_base: "${server.url}"}\n`,
    'flow.dag.yaml': `inputs: {query: {type: string}}
outputs: {hits: {type: list, reference: "\${find.output}"}}
nodes:
- {name: find, type: lookup, connection: search, index: kb, filter: {lang: ja}, inputs: {query: "\${inputs.query}"}}
`,
  });
  const build = ['index', 'build', 'docs', '--out', 'kb.index', '--embedder', 'offline', '--azure', 'search'];
  expect((await world.flow(...build)).stdout).toContain('\nkb at Azure: 4 sent, 0 deleted, 0 unchanged\n');
  expect((await world.flow(...build)).stdout).toContain('\nkb at Azure: 0 sent, 0 deleted, 4 unchanged\n');
  const asked = await world.flow('index', 'query', 'kb', 'apple', '--azure', 'search', '--json');
  expect(JSON.parse(asked.stdout)).toMatchObject([{ id: 'faq-2', fields: { lang: 'en' } }]);
  server.fail({ status: 429, headers: { 'retry-after-ms': '1' } });
  const said = JSON.parse((await world.flow('run', '.', '--input', 'query=委託先 apple', '--json')).stdout);
  expect(said.outputs.hits).toMatchObject([{ id: 'faq-1', lang: 'ja' }]);
  expect(server.seen.filter(({ method }) => method === 'GET')).toHaveLength(2);
});

test('an index whose build was killed, or is under way, is searched with a warning', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, { 'docs/a.md': '# Apples\n\nRed.\n' });
  await world.flow('index', 'build', 'docs', '--out', 'kb.index');
  const database = openIndexDatabase(join(world.folder, 'kb.index'), 'write');
  // As a build leaves it from its first change to its end.
  database.exec("DELETE FROM settings WHERE name = 'digest'");
  database.close();
  const stderr =
    'warning: a build of kb.index failed, was stopped, or is under way: not all documents are in it as they are (flow index update kb.index goes on)\n';
  expect(await world.flow('index', 'query', 'kb.index', 'pears')).toEqual({
    code: 0,
    stdout: 'nothing found\n',
    stderr,
  });
  expect(await world.flow('index', 'info', 'kb.index')).toMatchObject({ code: 0, stderr });
  writeFiles(world.folder, {
    'flow.dag.yaml': `outputs: {hits: {type: list, reference: "\${find.output}"}}
nodes:
  - {name: find, type: lookup, index: kb.index, inputs: {query: pears}}
`,
  });
  const check = await world.flow('check', '.');
  expect(check).toMatchObject({ code: 0, stdout: expect.stringContaining('3:39 warning INDEX_UNFINISHED a build of') });
  expect(check.stdout).toContain('flow index update kb.index goes on with it');
  await world.flow('index', 'update', 'kb.index');
  expect((await world.flow('check', '.')).stdout).not.toContain('INDEX_UNFINISHED');
  expect(await world.flow('index', 'query', 'kb.index', 'pears')).toMatchObject({
    stdout: 'nothing found\n',
    stderr: '',
  });
});
