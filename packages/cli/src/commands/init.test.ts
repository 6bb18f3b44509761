import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

test.for([
  { template: 'agent', says: 'You have 30 days to send something back.' },
  { template: 'chat', says: 'Received: What can you do?' },
  { template: 'rag', says: 'Clean the filter every two weeks' },
  { template: 'python', says: '- tea: 3' },
  { template: 'standard', says: 'Received: Personal data' },
  { template: 'evaluation', says: 'accuracy' },
])('the template $template passes flow check and runs offline', { timeout: 20_000 }, async ({ template, says }) => {
  using world = createTestWorld();
  expect(await world.flow('init', 'mine', '--template', template)).toMatchObject({ code: 0, stderr: '' });
  expect(existsSync(join(world.folder, 'mine/README.md'))).toBe(true);
  const [first = ''] = readFileSync(join(world.folder, 'mine/flow.dag.yaml'), 'utf8').split('\n');
  const [, schema = 'none'] = /^# yaml-language-server: \$schema=(\S+)$/.exec(first) ?? [];
  expect(JSON.parse(readFileSync(join(world.folder, 'mine', schema), 'utf8')).title).toContain('A flow');
  expect(await world.flow('check', 'mine')).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(/^✓ /),
  });
  const ran = await world.flow('run', 'mine');
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(ran.stdout).toContain(says);
});

test.for([
  { template: 'agent', says: '商品は届いてから30日以内であれば返品できます' },
  { template: 'chat', says: '何ができますか' },
  { template: 'rag', says: 'フィルターは2週間に1回' },
  { template: 'python', says: '- 会議: 3' },
  { template: 'standard', says: '個人データを第三者に渡すには' },
  { template: 'evaluation', says: 'accuracy\n  1.0' },
])(
  'the template $template speaks Japanese to a reader of Japanese',
  { timeout: 20_000 },
  async ({ template, says }) => {
    using world = createTestWorld({ language: 'ja', environment: { PATH: process.env['PATH'] ?? '' } });
    const made = JSON.parse((await world.flow('init', '窓口', '--template', template, '--json')).stdout);
    expect(made.files.filter((file: string) => file.includes('.ja.'))).toEqual([]);
    const text = (path: string): string => readFileSync(join(world.folder, '窓口', path), 'utf8');
    expect(text('README.md')).toMatch(/^# .*\p{Script=Katakana}|^# .*\p{Script=Han}/u);
    expect(await world.flow('check', '窓口')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^✓ /) });
    const ran = await world.flow('run', '窓口');
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toContain(says);
    if (made.files.includes('eval.yaml')) expect((await world.flow('eval', '窓口', '--quiet')).code).toBe(0);
  },
);

test('what to type next can be typed, also where the name of the folder has a space', async () => {
  using world = createTestWorld();
  const { stdout } = await world.flow('init', 'my first flow');
  expect(stdout).toContain("next    flow run 'my first flow'\n        flow check 'my first flow'\n");
});

test('--language goes before the language of the reader', async () => {
  using world = createTestWorld({ language: 'ja' });
  await world.flow('init', 'mine', '--language', 'en');
  expect(readFileSync(join(world.folder, 'mine/README.md'), 'utf8')).toMatch(/^# An agent/);
});

/** A flow or an evaluation without what is said in a language: comments, and texts that are not words of it. */
const shapeOf = (yaml: string): unknown =>
  JSON.parse(JSON.stringify(parseYaml(yaml)), (key, value) =>
    ['default', 'description'].includes(key) && typeof value === 'string' ? '…' : value,
  );

const templates = join(import.meta.dirname, '../../templates');
const inJapanese = globSync('**/*.ja.*', { cwd: templates });

test.for(inJapanese)('%s says what the English file says', (file) => {
  const [japanese, english] = [file, file.replace('.ja.', '.')].map((name) =>
    readFileSync(join(templates, name), 'utf8'),
  );
  if (japanese === undefined || english === undefined) throw new Error('bug: no such file');
  expect(japanese).toMatch(/\p{Script=Hiragana}/u);
  const count = (text: string): number => text.split('\n').filter((line) => line.startsWith('#')).length;
  if (file.endsWith('.yaml')) expect(shapeOf(japanese)).toEqual(shapeOf(english));
  if (file.endsWith('.md')) expect(count(japanese)).toBe(count(english));
  if (file.endsWith('.jsonl')) expect(japanese.split('\n')).toHaveLength(english.split('\n').length);
});

test('the agent comes with an evaluation whose gates it meets', async () => {
  using world = createTestWorld();
  const made = await world.flow('init', 'mine');
  expect(made.stdout).toContain('flow eval mine');
  const { code, stdout } = await world.flow('eval', 'mine', '--json');
  const { metrics } = JSON.parse(stdout) as { metrics: readonly { summary: { mean: number } }[] };
  // Its questions come from the data, though the flow's own question has a default.
  expect(metrics.map(({ summary }) => summary.mean)).toEqual([1, 1, 1, 1]);
  expect(code).toBe(0);
});

test.for(['en', 'ja'])('the sample of an evaluation tells the command that grades its data (%s)', async (language) => {
  using world = createTestWorld({ environment: { PATH: process.env['PATH'] ?? '' } });
  await world.flow('init', 'mine', '--template', 'evaluation', '--language', language);
  const page = readFileSync(join(world.folder, 'mine/README.md'), 'utf8');
  const [, options = ''] = /flow run \. (--data data\.jsonl[^#\n]*)/.exec(page) ?? [];
  const words = options.replaceAll("'", '').replace('data.jsonl', 'mine/data.jsonl').trim().split(/\s+/);
  const ran = await world.flow('run', 'mine', ...words);
  expect(ran).toMatchObject({ code: 0, stderr: expect.not.stringContaining('warning') });
  expect(ran.stdout).toContain('0.666');
});

test('the agent searches twice at most, and says so when nothing is found', async () => {
  using world = createTestWorld();
  await world.flow('init', 'mine');
  const json = async (query: string) =>
    JSON.parse((await world.flow('run', 'mine', '--json', '--input', `query=${query}`)).stdout);
  const terms = await json('How long is the warranty?');
  expect(terms.outputs.answer).toContain('two years');
  expect(terms.nodes.agent_3.status).toBe('Completed');
  const nothing = await json('Which colours do zebras like?');
  expect(nothing.outputs.answer).toContain('Nothing that answers the question was found');
});

test('the agent finds what is asked in Japanese of notes in Japanese', async () => {
  using world = createTestWorld();
  await world.flow('init', '問い合わせ窓口');
  const notes =
    '# 店のメモ\n\n## 返品\n返品は届いてから30日以内です。\n\n## 営業\n営業時間は平日の9時から18時までです。\n';
  writeFiles(world.folder, { '問い合わせ窓口/notes.md': notes });
  const json = async (query: string) =>
    JSON.parse((await world.flow('run', '問い合わせ窓口', '--json', '--input', `query=${query}`)).stdout);
  expect((await json('返品は何日までできますか')).outputs.answer).toContain('返品は届いてから30日以内です。');
  const unknown = await json('ＦＡＸは何番ですか');
  expect(unknown.outputs.answer).toContain('見つかりませんでした');
  expect(unknown.nodes.function_1.output.function_results[0].content).toEqual(['該当する項目はありません。']);
});

test('a folder that holds something is left alone', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, { 'mine/notes.txt': 'x' });
  expect(await world.flow('init', 'mine')).toEqual({
    code: 2,
    stdout: '',
    stderr: 'error: mine is not empty\nName a new folder: flow init FOLDER\n',
  });
  const wrong = await world.flow('init', 'other', '--template', 'agnet');
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain('Allowed choices are agent, chat, rag, python, standard, evaluation.');
});

test('the schemas beside a new flow and its evaluation are those that editors are told of', async () => {
  using world = createTestWorld();
  await world.flow('init', 'new');
  const text = (path: string): string => readFileSync(join(world.folder, 'new', path), 'utf8');
  for (const [file, schema] of [
    ['flow.dag.yaml', 'flow.schema.json'],
    ['eval.yaml', 'eval.schema.json'],
  ] as const) {
    expect(text(file).split('\n')[0]).toBe(`# yaml-language-server: $schema=${schema}`);
    expect(text(schema)).toBe(readFileSync(new URL(`../../../../schema/${schema}`, import.meta.url), 'utf8'));
  }
});
