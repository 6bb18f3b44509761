import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { minimalDocx } from '../packages/nodes/src/testing/minimal-docx.ts';
import { minimalPdf } from '../packages/nodes/src/testing/minimal-pdf.ts';
import { type InstalledProject, installPackages } from './installed/install-packages.ts';
import { openSideBySide, type SideBySide } from './installed/side-by-side.ts';

const root = join(import.meta.dirname, '..');
let project: InstalledProject;
let both: SideBySide;

/** What is installed does what the sources do, byte for byte: what only the building of the packages breaks is found here. */
beforeAll(async () => {
  project = installPackages(inject('packedPackages'), 'with peers');
  both = await openSideBySide(project);
});
afterAll(() => rmSync(project.folder, { recursive: true, force: true }));

/** Writes a file on both sides. */
function write(file: string, content: string | Uint8Array): void {
  for (const folder of both.folders) {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
}

const foldersOf = (place: string): readonly string[] =>
  readdirSync(join(root, place), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

/** Of flows whose rows come from elsewhere. */
const ownRows: Readonly<Record<string, readonly unknown[]>> = {
  'toolgen-judge': [
    { query: 'いつ着きますか', status: 'answered', answer: '12分遅れです。', facts: ['12分'], actions: [] },
    { query: 'Is it late?', status: 'gave_up', answer: '' },
  ],
  'privacy-agent': [
    { query: 'こんにちは！' },
    { query: 'ありがとうございました。' },
    { query: '「個人データ」とは何ですか？第２７条も教えて' },
  ],
};

/** Every flow of the samples: the folder, or the file where it holds others. */
const samples = foldersOf('flows').flatMap((name) =>
  readdirSync(join(root, 'flows', name))
    .filter((file) => file.endsWith('.dag.yaml'))
    .map((file) => (file === 'flow.dag.yaml' ? name : `${name}/${file}`)),
);

/** The records of the nodes, which say of every step what went in and came out. */
async function expectSameNodes(run: string): Promise<void> {
  const [sources, installed] = await both.run('export', run, '--nodes');
  expect(installed).toEqual(sources);
  expect(sources).not.toEqual([]);
}

test.for(samples)('the flow %s', { timeout: 120_000 }, async (sample) => {
  const flow = `flows/${sample}`;
  const [name = ''] = sample.split('/');
  const datasets: string[] = readdirSync(join(root, 'flows', name)).filter((file) => file === 'data.jsonl');
  if (ownRows[name] !== undefined) {
    write(`flows/${name}/own.jsonl`, ownRows[name].map((row) => `${JSON.stringify(row)}\n`).join(''));
    datasets.push('own.jsonl');
  }
  expect(datasets).not.toEqual([]);
  for (const command of ['check', 'expand']) {
    const [sources, installed] = await both.run(command, flow);
    expect(installed).toEqual(sources);
  }
  for (const [at, data] of datasets.entries()) {
    const run = `${sample.replace('/', '-')}-${at}`;
    // One row at a time, since rows are told as they end.
    const argv = ['--data', `flows/${name}/${data}`, '--name', run, '--concurrency', '1', '--json'];
    const [ran, ranInstalled] = await both.run('run', flow, ...argv);
    expect(ranInstalled).toEqual(ran);
    await expectSameNodes(run);
  }
});

/** The build of sources and of a bundle are digests of different files. */
const withoutBuild = (told: unknown): unknown =>
  JSON.parse(JSON.stringify(told, (key, value: unknown) => (key === 'build' ? undefined : value)));

test.for(foldersOf('evals'))('the evaluation %s', { timeout: 120_000 }, async (name) => {
  const run = `eval-${name}`;
  const [sources, installed] = await both.run('eval', `evals/${name}`, '--name', run, '--json');
  expect(withoutBuild(installed)).toEqual(withoutBuild(sources));
  await expectSameNodes(run);
});

test.for(foldersOf('packages/cli/templates'))('what flow init writes: %s', { timeout: 60_000 }, async (name) => {
  await both.run('init', `made-${name}`, '--template', name);
  const [ran, ranInstalled] = await both.run('run', `made-${name}`, '--name', `made-${name}`, '--json');
  expect(ranInstalled).toEqual(ran);
  await expectSameNodes(`made-${name}`);
});

const article = (number: string): string =>
  `第${number}条（安全管理措置）\n\n${'個人情報取扱事業者は、「個人データ」の漏えい、滅失又は毀損を防ぐ。よいですか？はい！ＡＩも１０件ー'.repeat(20)}\n\n`;
const documents: Readonly<Record<string, string | Uint8Array>> = {
  '規程.txt': `第１章 総則\n\n${article('１')}${article('2')}■ 注意\n\n【重要】読むこと。\n`,
  '手引き.md': `# 手引き\n\n## 漏えい\n\n${article('二十六')}\n## 開示\n\n本人から求められたら開示します。\n`,
  'page.html': `<h1>利用目的</h1><p>${article('17')}</p><ul><li>「通知」</li></ul>`,
  'memo.docx': minimalDocx([{ style: 'Heading1', text: '委託' }, { text: '委託先を監督します。' }]),
  'old.pdf': minimalPdf([
    [
      { hex: '8cc2906c8fee95f1', size: 18, y: 760 },
      { text: 'Personal information', size: 10, y: 700 },
    ],
  ]),
};

test('an index of documents', { timeout: 120_000 }, async () => {
  for (const [name, content] of Object.entries(documents)) write(`docs/${name}`, content);
  const [built, builtInstalled] = await both.run(
    ...['index', 'build', 'docs', 'flows/privacy-agent/knowledge'],
    ...['--out', 'kb.index', '--embedder', 'offline', '--json'],
  );
  expect(builtInstalled).toEqual(built);
  expect(built).toMatchObject({ problems: [] });
  for (const question of ['漏えいに気づいたら', '「通知」！', 'supervision of a contractor']) {
    const [found, foundInstalled] = await both.run('index', 'query', 'kb.index', question, '--json');
    expect(foundInstalled).toEqual(found);
  }
  const [sources, installed] = both.read('kb.index');
  expect(installed.equals(sources)).toBe(true);
});
