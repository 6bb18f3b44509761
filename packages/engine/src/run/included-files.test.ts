import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { formatDiagnostics } from '../source/format-diagnostic.ts';
import { flowFilesOf } from './included-files.ts';
import { stageFlow } from './stage-flow.ts';

const root = mkdtempSync(join(tmpdir(), 'unroll-includes-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A project whose flow lies in `flow`. */
function projectOf(name: string, files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name, path)), { recursive: true });
    writeFileSync(join(root, name, path), text);
  }
  return join(root, name);
}

const opened = (project: string): ReturnType<typeof flowFilesOf> =>
  flowFilesOf({ file: join(project, 'flow/flow.dag.yaml'), folder: join(project, 'flow') }, project);

test('files land at the root, folders under their own name; later ones and included ones win', () => {
  const project = projectOf('laid', {
    'flow/flow.dag.yaml': 'additional_includes:\n- ../a/help.py\n- ../shared\n- ../b/help.py\n- ../own.txt\n',
    'flow/own.txt': 'flow',
    'flow/shared/flow-only.txt': 'kept',
    'a/help.py': 'a',
    'b/help.py': 'b',
    'shared/prompts/ask.jinja2': 'hello',
    'own.txt': 'outside',
  });
  const { files, includes } = opened(project);
  const seen = ['help.py', './shared/prompts/ask.jinja2', 'own.txt', 'shared/flow-only.txt'].map((path) =>
    files.read(path),
  );
  expect(seen).toEqual([
    { path: 'b/help.py', text: 'b' },
    { path: 'shared/prompts/ask.jinja2', text: 'hello' },
    { path: 'own.txt', text: 'outside' },
    { path: 'flow/shared/flow-only.txt', text: 'kept' },
  ]);
  expect(files.list()).toEqual([
    'flow.dag.yaml',
    'help.py',
    'own.txt',
    'shared/flow-only.txt',
    'shared/prompts/ask.jinja2',
  ]);
  expect(
    formatDiagnostics(includes.diagnostics),
  ).toBe(`flow/flow.dag.yaml:5:3 warning INCLUDE_REPLACES "../own.txt" takes the place of own.txt in the folder of the flow
    - ../own.txt
      ~~~~~~~~~~
1 warning`);
});

test.each([
  ['as JSON', '{"nodes": [], "additional_includes": ["../a/help.py"]}'],
  ['with a blank before it', ' additional_includes:\n - ../a/help.py\n'],
  ['as an explicit key', '? additional_includes\n: [../a/help.py]\n'],
])('the key is found %s', (how, text) => {
  const project = projectOf(`written ${how}`, { 'flow/flow.dag.yaml': text, 'a/help.py': 'a' });
  expect(opened(project).files.read('help.py')?.text).toBe('a');
});

test('a flow with includes runs in a copy, which is taken away', () => {
  const project = projectOf('copied', {
    'flow/flow.dag.yaml': 'additional_includes:\n- ../data\n- ../tools.zip\n',
    'flow/keep.txt': 'k',
    'flow/.venv/bin/python': '',
    'data/words.txt': 'words',
    'tools/inner/tool.py': 'x = "日本"\n'.repeat(50),
  });
  const { files, includes } = opened(project);
  const copy = stageFlow(files, includes);
  const { folder } = copy.files;
  expect(readFileSync(join(folder, 'data/words.txt'), 'utf8')).toBe('words');
  expect(copy.files.resolve('data/words.txt')).toBe(join(folder, 'data/words.txt'));
  expect(copy.files.read('data/words.txt')?.path).toBe('data/words.txt');
  expect(copy.files.resolve('../data/words.txt')).toBeUndefined();
  expect(existsSync(join(folder, '.venv/bin/python'))).toBe(true);
  const read =
    'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(z.namelist(), z.read("tools/inner/tool.py").decode().count("日本"))';
  expect(execFileSync('python3', ['-c', read, join(folder, 'tools.zip')], { encoding: 'utf8' })).toBe(
    "['tools/inner/tool.py'] 50\n",
  );
  copy[Symbol.dispose]();
  expect(existsSync(folder)).toBe(false);
  expect(existsSync(join(project, 'flow/.venv/bin/python'))).toBe(true);
});

test('one that is missing is told with its place and what is there', () => {
  const project = projectOf('missing', {
    'flow/flow.dag.yaml': 'additional_includes:\n- ../shared/hepler.py\n',
    'shared/helper.py': '',
  });
  const [diagnostic] = opened(project).includes.diagnostics;
  expect(diagnostic).toMatchObject({
    severity: 'error',
    code: 'INCLUDE_MISSING',
    help: `${join(project, 'shared')} holds helper.py`,
    details: { kind: 'include-missing', path: '../shared/hepler.py' },
  });
  expect(diagnostic?.span).toMatchObject({ start: 23, end: 42 });
});

test('a link that leads nowhere, as editors lock files with, is no part of the copy', () => {
  const project = projectOf('locked', {
    'flow/flow.dag.yaml': 'additional_includes:\n- ../own.txt\n',
    'flow/ask.jinja2': 'hello',
    'flow/inner/more.txt': '',
    'own.txt': 'outside',
  });
  for (const at of ['.#ask.jinja2', 'inner/.#more.txt']) symlinkSync('me@here.4711:17', join(project, 'flow', at));
  symlinkSync('.', join(project, 'flow/self'));
  const { files, includes } = opened(project);
  using copy = stageFlow(files, includes);
  expect(
    ['ask.jinja2', 'own.txt', 'inner/more.txt', 'self/ask.jinja2'].every((at) =>
      existsSync(join(copy.files.folder, at)),
    ),
  ).toBe(true);
});

test('a folder that is too large, and what is no file, are told with their place', () => {
  const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`many/f${at}`, '']));
  const project = projectOf('hostile', {
    'flow/flow.dag.yaml': 'additional_includes:\n- ../many\n- ../pipe\n- ../held\n- /dev/null\n',
    'held/a.txt': 'a',
    ...many,
  });
  execFileSync('mkfifo', [join(project, 'pipe'), join(project, 'held/inner')]);
  symlinkSync(project, join(project, 'held/circle'));
  const { files, includes } = opened(project);
  expect(
    includes.diagnostics.map(({ severity, code, message, span }) => [severity, code, message, span?.start]),
  ).toEqual([
    ['error', 'INCLUDE_TOO_LARGE', '"../many" holds more than 10,000 files', 23],
    ['error', 'INCLUDE_NO_FILE', '"../pipe" is a named pipe, and cannot be included', 33],
    ['warning', 'INCLUDE_NO_FILE', '"../held" holds inner, which is a named pipe: left out', 43],
    ['error', 'INCLUDE_NO_FILE', '"/dev/null" is a device, and cannot be included', 53],
  ]);
  expect(files.list()).toEqual(['flow.dag.yaml', 'held/a.txt']);
});

test('a large file is too large before it is copied; the whole disk ends soon', () => {
  const project = projectOf('large', { 'flow/flow.dag.yaml': 'additional_includes:\n- ../big\n- /\n', 'big/a': '' });
  truncateSync(join(project, 'big/a'), 1_000_000_001);
  const { includes } = opened(project);
  expect(includes.diagnostics.map(({ code, message }) => [code, message])).toEqual([
    ['INCLUDE_TOO_LARGE', '"../big" holds more than 1 GB'],
    ['INCLUDE_TOO_LARGE', expect.stringMatching(/^"\/" holds more than (10,000 files|1 GB)$/)],
  ]);
});

test.for([
  ['nothing', ''],
  ['a key without a value', 'additional_includes:\n'],
  ['a text', 'additional_includes: ../own.txt\n'],
  ['what is no path', 'additional_includes: [5, {a: b}]\n'],
  ['a list that cannot be read', 'additional_includes: [\n'],
] as const)('%s includes no file', ([, text]) => {
  const project = projectOf('none', { 'flow/flow.dag.yaml': text, 'own.txt': 'outside' });
  const { files, includes } = opened(project);
  expect([includes.files.size, includes.archives.size, includes.diagnostics]).toEqual([0, 0, []]);
  expect(files.list()).toEqual(['flow.dag.yaml']);
});
