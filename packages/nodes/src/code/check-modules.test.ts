import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createFlowFiles, type InspectedNode } from '@unroll/engine';
import { expect, onTestFinished, test } from 'vitest';
import { checkModules } from './check-modules.ts';

test.skipIf(process.platform === 'win32')(
  'what is imported is checked in a folder with a backslash in its name too',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'check-modules-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, 'a\\b'));
    writeFileSync(join(folder, 'a\\b/one.ts'), "import { two } from './two.ts';\nexport default () => two;\n");
    writeFileSync(join(folder, 'a\\b/two.ts'), 'export const two = ;\n');
    const source = { type: 'code', path: 'a\\b/one.ts' };
    const node = { definition: { type: 'python', source, inputs: {} }, inspection: {} } as unknown as InspectedNode;
    const found = checkModules([node], createFlowFiles(folder, folder));
    expect(found.map(({ code, span }) => [code, span?.file.path])).toEqual([['CODE_SYNTAX', 'a\\b/two.ts']]);
  },
);

/** What is told of a node whose file is `n.ts`. */
function checked(text: string, others: Readonly<Record<string, string>>, inputs: readonly string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'check-modules-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, own] of Object.entries({ ...others, 'n.ts': text })) writeFileSync(join(folder, path), own);
  const source = { type: 'code', path: 'n.ts' };
  const definition = { type: 'python', source, inputs: Object.fromEntries(inputs.map((one) => [one, {}])) };
  const node = { definition, inspection: {} } as unknown as InspectedNode;
  return checkModules([node], createFlowFiles(folder, folder));
}

const takes = (name: string): string =>
  `the function takes "${name}" for one input, and is handed an object of all inputs`;

test.for<readonly [text: string, inputs: readonly string[], told: readonly (string | undefined)[]]>([
  ['export function n(q: string) {}', ['q'], [takes('q'), 'write ({ q }: { q: string })']],
  [
    'export default async (a: number[], b: number = 2) => a;',
    ['a', 'b'],
    [takes('a'), 'write ({ a, b }: { a: number[]; b: number })'],
  ],
  ['export function add(a, b) { return a + b; }', ['a', 'b'], [takes('a'), 'write ({ a, b })']],
  ['export function n(q, context) { return q.toUpperCase(); }', ['q'], [takes('q'), 'write ({ q })']],
  ['export function n(text: string) {}', ['q'], [takes('text'), 'write ({ text }: { text: string })']],
  ['export default function n(q: Inputs) {}', ['q'], []],
  ['export default function n(q) { return next(q); }', ['q'], []],
  ['export default function n(inputs) { return inputs.q; }', ['q'], []],
  ['export default function n(state) { return state.state; }', ['state'], []],
  ['export default function n(q) { const { q: own } = q; return own; }', ['q'], []],
  ['export default function n(q) { return q["q"]; }', ['q'], []],
  ['export default function n({ q }: { q: string }) {}', ['q'], []],
  ['export default function n() {}', ['q'], []],
  ['export default functionNode({ n: (q: string) => q });', ['q'], []],
])('%s of the inputs %j', ([text, inputs, told]) => {
  const found = checked(text, {}, inputs);
  expect(found.flatMap(({ message, help }) => [message, help])).toEqual(told);
});

/** What is told of `n.ts` beside the other files: severity, message and help. */
test.for<readonly [text: string, others: Readonly<Record<string, string>>, told: readonly string[]]>([
  ['import { x } from "./min.js";\nexport default () => x;\n', { 'min.js': 'var a=1,b=2;export{a as x,b};' }, []],
  ['import { x } from "./min.js";\nexport default () => x;\n', { 'min.js': '/** One. */ export const x = 1;' }, []],
  [
    'import { z } from "./min.js";\nexport default () => z;\n',
    { 'min.js': 'var a=1;export{a as x};' },
    ['error min.js does not export z', ''],
  ],
  [
    'import { x } from "./util";\nexport default () => x;\n',
    { 'util.ts': 'export const x = 1;' },
    ['error there is no file "./util" to import', 'write "./util.ts": Node takes the whole name of a file'],
  ],
  [
    'import { x } from "./util.js";\nexport default () => x;\n',
    { 'util.ts': 'export const x = 1;' },
    ['error there is no file "./util.js" to import', 'write "./util.ts": Node takes the whole name of a file'],
  ],
  [
    'import { x } from "./util.ts";\nexport default () => x;\n',
    { 'Util.ts': 'export const x = 1;' },
    ['error there is no file "./util.ts" to import', 'write "./Util.ts": capital and small letters count'],
  ],
  ['import "./none.js";\nexport default () => 1;\n', {}, ['error there is no file "./none.js" to import', '']],
  [
    'import { x } from "@/lib/x";\nexport default () => x;\n',
    {},
    [
      'error the module @/lib/x is not found',
      'a short name of tsconfig.json, which Node does not read: write the path from this file',
    ],
  ],
  [
    'enum Kind { A }\nexport default () => Kind.A;\n',
    {},
    [
      'error TypeScript enum is not supported in strip-only mode: Node cannot read this file',
      'write an object in its place: `const Kind = { A: "a", B: "b" } as const`',
    ],
  ],
  [
    'class A { constructor(readonly a: string) {} }\nexport default () => new A("b").a;\n',
    {},
    [
      'error TypeScript parameter property is not supported in strip-only mode: Node cannot read this file',
      'declare the property in the class, and set it in the constructor: `this.a = a`',
    ],
  ],
  [
    'export default class Node {}\n',
    {},
    [
      'error the file exports a class as default, and no function',
      'export the function that is the node: `export default function …`',
    ],
  ],
  [
    'export default { run() {} };\n',
    {},
    [
      'error the file exports an object as default, and no function',
      'export the function that is the node: `export default function …`',
    ],
  ],
  ['export default {};\nexport function run() {}\n', {}, []],
  [
    'const here = join(__dirname, "a");\nexport default () => here;\n',
    {},
    ['error there is no __dirname in a module', 'write import.meta.dirname'],
  ],
  [
    'export default () => __filename;\n',
    {},
    ['warning there is no __filename in a module', 'write import.meta.filename'],
  ],
  // Sound files, each of which was told to be none.
  ['const tick = (s) => /`/.test(s);\nexport default ({ q }) => tick(q);\nconst x = `"`;\n', {}, []],
  ['function isA(s) {\n  return /"/.test(s);\n}\nexport default ({ q }) => isA(q) ? \'"\' : "";\n', {}, []],
  ['export default ({ q }) => sql`a ${sql`b ${q} \\``} from "t" where`;\n', {}, []],
  [
    'const here = import.meta.dirname ?? __dirname;\nexport default () => here;\n',
    {},
    ['warning there is no __dirname in a module', 'write import.meta.dirname'],
  ],
  ['export default [({ q }) => q][0];\n', {}, []],
  ['export default { run: ({ q }) => q }.run;\n', {}, []],
  [
    'import { a, b } from "./two.ts";\nexport default () => [a, b];\n',
    { 'two.ts': 'export let a = 1, b: number | undefined;\n' },
    [],
  ],
  [
    'import "./old.js";\nexport default () => 1;\n',
    { 'old.js': 'const fs = require("node:fs");\nglobalThis.text = `\nimport x from "y";\nexport default 1;\n`;\n' },
    [],
  ],
  ['const __dirname = import.meta.dirname;\nexport default () => __dirname;\n', {}, []],
  ['module.exports = () => __dirname;\n', {}, []],
])('%j beside %j', ([text, others, told]) => {
  const found = checked(text, others);
  expect(found.flatMap(({ severity, message, help = '' }) => [`${severity} ${message}`, help])).toEqual(told);
});

test.for<readonly [text: string, told: readonly string[]]>([
  ['class A {\n  @logged\n  b() {}\n}\nexport default () => new A();\n', ['@logged']],
  ['@injectable() class A {}\nexport default () => new A();\n', ['@injectable']],
  ['class A { @(await find()) b() {} }\nexport default () => new A();\n', ['@']],
  ['// @ts-ignore\n/** @param x */\nexport default () => `a@b.c ${/@x/.source} @x` + "@y";\n', []],
  ["import { x } from '@unroll/engine';\nexport default () => x;\n", []],
])('decorators of %j', ([text, told]) => {
  const found = checked(text, {}).filter(({ code }) => code === 'CODE_SYNTAX');
  expect(found.map(({ span }) => text.slice(span?.start, span?.end))).toEqual(told);
});

test.for<readonly [text: string, place: string]>([
  ['const x = ;\nexport default () => x;\n', ';'],
  ['class A { constructor(readonly a: string) {} }\nexport default () => new A("b").a;\n', 'a: string'],
  ['export default () => 1;\nenum Kind { A }\n', 'enum Kind { A }'],
  ['export default () => "あ" + ;\n', 'export default () => "あ" + ;'],
])('%j is told at %j', ([text, place]) => {
  const [{ span } = {}] = checked(text, {});
  expect(text.slice(span?.start, span?.end)).toBe(place);
});

/** A flow in `flows/a` whose node imports `what`, beside code of the project outside of its folder. */
function checkedIn(project: Readonly<Record<string, string>>, what: string) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'check-modules-')));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const node = `import { x } from '${what}';\nexport default () => x;\n`;
  for (const [path, text] of Object.entries({ ...project, 'flows/a/n.ts': node })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  mkdirSync(join(root, 'node_modules/@acme'), { recursive: true });
  symlinkSync('../../shared', join(root, 'node_modules/@acme/shared'), 'junction');
  symlinkSync('../../shared/src/index.ts', join(root, 'flows/a/link.ts'));
  const definition = { type: 'python', source: { type: 'code', path: 'n.ts' }, inputs: {} };
  const files = createFlowFiles(join(root, 'flows/a'), root);
  return checkModules([{ definition, inspection: {} } as unknown as InspectedNode], files);
}

const asSource = '{"name": "@acme/shared", "exports": "./src/index.ts"}';
const inTwoWays = '{"name": "@acme/shared", "exports": {"import": "./src/index.ts", "require": "./src/old.cjs"}}';
const further = "import { y } from './two.ts';\nexport const x = y;\n";
const ofEnum = 'shared/src/two.ts TypeScript enum is not supported in strip-only mode: Node cannot read this file';

test
  .skipIf(process.platform === 'win32')
  .for<readonly [what: string, project: Readonly<Record<string, string>>, told: readonly string[]]>([
    [
      '../../shared/src/index.ts',
      { 'shared/src/index.ts': further, 'shared/src/two.ts': 'export enum y { A }\n' },
      [ofEnum],
    ],
    [
      '../../shared/src/index.ts',
      { 'shared/src/index.ts': further },
      ['shared/src/index.ts there is no file "./two.ts" to import'],
    ],
    [
      '../../shared/src/index.ts',
      { 'shared/src/index.ts': further, 'shared/src/two.ts': 'export const z = 1;\n' },
      ['shared/src/index.ts ../../shared/src/two.ts does not export y'],
    ],
    [
      '../../shared/src/index.ts',
      { 'shared/src/index.ts': "import z from '@/z';\nexport const x = z;\n" },
      ['shared/src/index.ts the module @/z is not found'],
    ],
    ['../../shared/src/index.ts', { 'shared/src/index.ts': 'export const x = 1;\n' }, []],
    [
      '@acme/shared',
      { 'shared/package.json': asSource, 'shared/src/index.ts': further, 'shared/src/two.ts': 'export enum y { A }\n' },
      [ofEnum],
    ],
    [
      '@acme/shared',
      { 'shared/package.json': asSource, 'shared/src/index.ts': 'export const z = 1;\n' },
      ['flows/a/n.ts ../../shared/src/index.ts does not export x'],
    ],
    ['@acme/shared', { 'shared/package.json': inTwoWays, 'shared/src/index.ts': 'export const z = 1;\n' }, []],
    ['one', { 'node_modules/one/package.json': '{}', 'node_modules/one/index.js': 'enum x {}\n' }, []],
    ['./link.ts', { 'shared/src/index.ts': further }, []],
  ])('an import of %s beside %j', ([what, project, told]) => {
  expect(checkedIn(project, what).map(({ message, span }) => `${span?.file.path} ${message}`)).toEqual(told);
});
