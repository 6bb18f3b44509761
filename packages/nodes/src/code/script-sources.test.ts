import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { contentDigest } from '../identity/file-digest.ts';
import { codeParts } from './code-parts.ts';
import { scriptSources } from './script-sources.ts';
import { scriptTexts } from './script-texts.ts';

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sources-')));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const tree: Readonly<Record<string, string>> = {
  'a.ts': '',
  'b.js': 'export * from "./lib/c.js";\n',
  'lib/c.ts': '',
  'lib/index.ts': '',
  'data/rows.jsonl': '{}\n',
  'data/more.jsonl': '{}\n',
  'notes.md': '',
  'package.json':
    '{"name": "my-flow", "imports": {"#lib/*": "./lib/*.ts", "#a": {"node": "./a.ts", "default": "./b.js"}}, "exports": {"./b": "./b.js"}}',
  'worker.ts': 'import "./a.ts"',
  'node_modules/left/package.json': '{"version": "1.2.3"}',
  'node_modules/@my/right/package.json': '{"version": "4.0.0"}',
};

test.for<[string, string, readonly string[]]>([
  ['a static import', 'import { a } from "./a.ts";', ['code a.ts']],
  ['an import without a binding', "import './a.ts'", ['code a.ts']],
  ['an import over lines', 'import {\n  a,\n} from\n  "./a.ts";', ['code a.ts']],
  ['an export', 'export { a } from "./a.ts";', ['code a.ts']],
  ['a dynamic import', 'const a = await import("./a.ts");', ['code a.ts']],
  ['require', 'const a = require("./a");', ['code a.ts']],
  ['through another, .js written for .ts', 'import "./b.js"', ['code b.js', 'code lib/c.ts']],
  ['a folder', 'import "./lib"', ['code lib/index.ts']],
  ['a file that is not there', 'import "./none.ts"', []],
  ['a comment', '// import "./a.ts"\n/* from "./a.ts" */', []],
  ['a text in a text', 'const s = "import \'./a.ts\'";', []],
  [
    'packages',
    'import x from "left"; import "@my/right/deep"; import "node:fs"; import "fs/promises";',
    ['package @my/right', 'package left'],
  ],
  ['a package that is not there', 'import "nowhere";', []],
  ['a file named', 'read("data/rows.jsonl")', ['reads data/rows.jsonl']],
  ['a folder named', "const folder = 'data';", ['reads data']],
  ['a template text', 'read(`notes.md`)', ['reads notes.md']],
  ['a template with parts', 'const name = "x"; read(`$' + '{name}.md`)', []],
  ['a template that begins with a folder', 'read(`data/$' + '{name}.jsonl`)', ['reads data']],
  ['an import that begins with a folder', 'await import(`./lib/$' + '{name}.ts`)', ['reads lib']],
  [
    'an import inside a template',
    'const s = `a $' + '{await import("./a.ts")} b`; read("notes.md")',
    ['code a.ts', 'reads notes.md'],
  ],
  [
    'behind a template with a template and an address in it',
    'const s = `$' + '{x ? `a` : `b`} https://x.y`;\nimport("./a.ts")',
    ['code a.ts'],
  ],
  ['behind brackets in a template', 'const s = `$' + '{ {a: 1}.a } {`;\nimport("./a.ts")', ['code a.ts']],
  [
    'behind a regular expression with a quote',
    'function f(s) { return /["`]/.test(s); }\nimport("./a.ts")',
    ['code a.ts'],
  ],
  ['by the imports of package.json', 'import "#lib/c"', ['code lib/c.ts']],
  ['by all of their conditions', 'import "#a"', ['code a.ts', 'code b.js', 'code lib/c.ts']],
  ['by the name of its own package', 'import "my-flow/b"', ['code b.js', 'code lib/c.ts']],
  [
    'a script named for a worker, with what it imports',
    'new Worker(new URL("./worker.ts", import.meta.url))',
    ['code a.ts', 'code worker.ts'],
  ],
  [
    'a variable of the environment',
    "process.env.LANG; process.env['TZ']; const { PATH, HOME: h } = process.env;",
    ['variable HOME', 'variable LANG', 'variable PATH', 'variable TZ'],
  ],
  ['a variable that is named like a secret', 'process.env.API_KEY', []],
  ['its own folder, and above', 'read("."); read("./"); read(".."); read("../..")', []],
  ['out of the folder', 'read("/etc/passwd")', []],
  ['itself', 'read("node.ts")', []],
])('%s', ([, text, expected]) => {
  const folder = folderWith({ ...tree, 'node.ts': text });
  const parts = codeParts(scriptSources(join(folder, 'node.ts'), folder), folder, {});
  expect(
    Object.keys(parts)
      .filter((part) => part !== 'code node.ts')
      .sort(),
  ).toEqual(expected);
  rmSync(folder, { recursive: true });
});

test('a link that leads out of the folder is not followed', () => {
  const folder = folderWith({ 'flow/node.ts': 'read("outside.txt")', 'outside.txt': 'secret' });
  symlinkSync(join(folder, 'outside.txt'), join(folder, 'flow/outside.txt'));
  expect(scriptSources(join(folder, 'flow/node.ts'), join(folder, 'flow')).named).toEqual([]);
  rmSync(folder, { recursive: true });
});

test('a file beside the folder that is named by ../ counts, a folder does not', () => {
  const folder = folderWith({ 'flow/node.ts': 'read("../shared/x.json"); read("../shared")', 'shared/x.json': '1' });
  expect(scriptSources(join(folder, 'flow/node.ts'), join(folder, 'flow')).named).toEqual([
    join(folder, 'shared/x.json'),
  ]);
  rmSync(folder, { recursive: true });
});

test('a package counts with all it depends on, and a linked folder with what it holds', () => {
  const identity = (files: Readonly<Record<string, string>>, isLinked = false): string | undefined => {
    const manifest = '{"version": "1.0.0", "dependencies": {"deep": "*"}}';
    const folder = folderWith({ 'flow/n.ts': 'import "top"', 'packages/top/index.js': '', ...files });
    const at = isLinked ? 'packages/top' : 'flow/node_modules/top';
    mkdirSync(join(folder, 'flow/node_modules'), { recursive: true });
    mkdirSync(join(folder, at), { recursive: true });
    writeFileSync(join(folder, at, 'package.json'), manifest);
    if (isLinked) symlinkSync(join(folder, at), join(folder, 'flow/node_modules/top'));
    const { packages } = scriptSources(join(folder, 'flow/n.ts'), join(folder, 'flow'));
    rmSync(folder, { recursive: true });
    return packages['top'];
  };
  const deep = (version: string) => ({ 'flow/node_modules/deep/package.json': `{"version": "${version}"}` });
  expect(identity({})).toBe('1.0.0');
  expect(identity(deep('2.0.0'))).toMatch(/^1\.0\.0, with 1 more [0-9a-f]{12}$/);
  expect(identity(deep('2.0.0'))).toBe(identity({ ...deep('2.0.0'), 'flow/node_modules/top/note.md': 'other' }));
  expect(identity(deep('2.0.1'))).not.toBe(identity(deep('2.0.0')));
  expect(identity({}, true)).toBe(identity({}, true));
  expect(identity({ 'packages/top/index.js': 'export const a = 1' }, true)).not.toBe(identity({}, true));
});

test("a package of flow's own counts by its version, linked or not", () => {
  const identity = (content: string): string | undefined => {
    const folder = folderWith({
      'flow/n.ts': 'import "@unroll/nodes/functions"',
      'packages/nodes/package.json': '{"version": "1.2.3", "dependencies": {"deep": "*"}}',
      'packages/nodes/index.js': content,
      'flow/node_modules/deep/package.json': '{"version": "2.0.0"}',
    });
    mkdirSync(join(folder, 'flow/node_modules/@unroll'), { recursive: true });
    symlinkSync(join(folder, 'packages/nodes'), join(folder, 'flow/node_modules/@unroll/nodes'));
    const { packages } = scriptSources(join(folder, 'flow/n.ts'), join(folder, 'flow'));
    rmSync(folder, { recursive: true });
    return packages['@unroll/nodes'];
  };
  expect([identity('one'), identity('other')]).toEqual(['1.2.3', '1.2.3']);
});

test('texts of a script', () => {
  const text = 'a = "one"; b = /"no"/; c = \'t\\\'wo\'; // "three"\nd = `four`;';
  expect(scriptTexts(text).map((one) => one.text)).toEqual(['one', "t\\'wo", 'four']);
});

test('a folder is told by its names and contents', () => {
  const one = folderWith({ 'x/a': '1', 'x/b': '2' });
  const digest = (folder: string): string | undefined => contentDigest(join(folder, 'x'));
  const others = [
    { 'x/a': '1', 'x/b': '2' },
    { 'x/a': '1', 'x/b': '3' },
    { 'x/a': '1', 'x/c': '2' },
    { 'x/a': '1', 'x/b': '2', 'x/.git/HEAD': '1' },
  ].map(folderWith);
  expect(others.map((folder) => digest(folder) === digest(one))).toEqual([true, false, false, true]);
  expect(contentDigest(join(one, 'none'))).toBeUndefined();
  for (const folder of [one, ...others]) rmSync(folder, { recursive: true });
});
