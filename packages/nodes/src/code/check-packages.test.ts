import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createFlowFiles, type InspectedNode } from '@unroll/engine';
import { afterAll, expect, test } from 'vitest';
import { checkModules } from './check-modules.ts';

const folder = mkdtempSync(join(tmpdir(), 'check-packages-'));
afterAll(() => rmSync(folder, { recursive: true }));

const packages: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // As lodash gives what it has: through a variable, with words like those of modules at the beginning of lines.
  whole: {
    'package.json': '{"main": "whole.js"}',
    'whole.js': 'var importsKeys;\nvar all = {chunk: function () {}};\nimportsKeys = 1;\nmodule.exports = all;\n',
    'chunk.js': 'module.exports = function () {};\n',
    'fp/index.js': 'module.exports = {};\n',
  },
  plain: {
    'package.json': '{"main": "./lib/index.js"}',
    'lib/index.js':
      'exports.Router = function () {};\nObject.assign(exports, {});\n__exportStar(require("./more"), exports);\n',
    'lib/more.js': 'Object.defineProperty(exports, "__esModule", { value: true });\nexports.json = () => 1;\n',
  },
  // One file for `import`, another for `require`.
  both: {
    'package.json': '{"exports": {".": {"import": "./b.mjs", "require": "./b.cjs"}, "./tool": "./tool.cjs"}}',
    'b.mjs': 'export const a = 1;\n',
    'b.cjs': 'exports.b = 1;\n',
    'tool.cjs': 'exports.tool = 1;\n',
    'hidden.js': '',
  },
  many: {
    'package.json': '{"type": "module", "exports": {"types": "./m.d.ts", "default": "./m.js"}}',
    'm.js':
      "export * from './n.js';\nexport * as deep from './n.js';\nexport * from 'plain';\nexport { b as c } from './n.js';\n",
    'n.js': "export const a = 1, b = 2;\nexport default 1;\nexport * from './m.js';\nexport { a as more };\n",
  },
  native: { 'package.json': '{"exports": {"node-addons": "./n.cjs"}}', 'n.cjs': 'exports.a = 1;\n' },
  again: { 'package.json': '{"main": "a.js"}', 'a.js': 'module.exports = require("util");\n' },
  unmarked: { 'package.json': '{"main": "u.js"}', 'u.js': 'export const a = 1;\n' },
};

for (const [name, files] of Object.entries(packages)) {
  for (const [path, text] of Object.entries(files)) {
    const full = join(folder, 'node_modules', name, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
  }
}

const asType = 'if it is a type, write `type` before it, or `import type`';
const lacks = (name: string, of: string): string => `the package "${of}" does not export ${name}`;
const whole = (found: string): string => `write "${found}": Node takes the whole name of a file`;
const nothing = (name: string): string => `there is nothing to import as "${name}", though its package is there`;
const notFound = (name: string, of: string): string => `Node finds no export ${name} in "${of}", which is CommonJS`;

/** As Node 22.19, 24.21 and 26.10 load them. */
test.for<readonly [statement: string, told: readonly string[]]>([
  [
    "import { chunk } from 'whole'",
    [notFound('chunk', 'whole'), 'import all of it: import all from "whole", then all.chunk'],
  ],
  ["import all, { default as again } from 'whole'", []],
  ["import * as all from 'whole'", []],
  ["import chunk from 'whole/chunk'", [nothing('whole/chunk'), whole('whole/chunk.js')]],
  ["import chunk from 'whole/chunk.js'", []],
  ["import fp from 'whole/fp'", [nothing('whole/fp'), whole('whole/fp/index.js')]],
  ["import { Router, json } from 'plain'", []],
  ["import { type Any, Rooter } from 'plain'", [notFound('Rooter', 'plain'), 'did you mean "Router"?']],
  ["import { a } from 'both'", []],
  ["import { tool } from 'both/tool'", []],
  ["import hidden from 'both/hidden.js'", [nothing('both/hidden.js'), '']],
  ["import { a } from 'native'", []],
  [
    "import { inspect } from 'again'",
    [notFound('inspect', 'again'), 'import all of it: import all from "again", then all.inspect'],
  ],
  ["import { a } from 'unmarked'", []],
  ["import { A, a, type B } from 'unmarked'", [lacks('A', 'unmarked'), 'did you mean "a"?']],
  ["import { a, b, c, deep, more, json } from 'many'", []],
  ["import all, { named } from 'many'", [lacks('default', 'many'), asType, lacks('named', 'many'), asType]],
  ["import { dep } from 'many'", [lacks('dep', 'many'), 'did you mean "deep"?']],
  [
    "import { a } from 'none'",
    ['the module none is not found', "npm install none in the flow's folder, or in one above it"],
  ],
])('%s', ([statement, told]) => expect(toldOf(statement)).toEqual(told));

test('a package that a loader of the user finds is no mistake', () => {
  const hooks = registerHooks({
    resolve: (name, context, next) =>
      name === 'elsewhere' ? { url: 'file:///elsewhere.js', shortCircuit: true } : next(name, context),
  });
  try {
    expect(toldOf("import { a } from 'elsewhere'")).toEqual([]);
  } finally {
    hooks.deregister();
  }
});

function toldOf(statement: string): readonly string[] {
  writeFileSync(join(folder, 'n.ts'), `${statement};\nexport default () => 1;\n`);
  const definition = { type: 'python', source: { type: 'code', path: 'n.ts' }, inputs: {} };
  const node = { definition, inspection: {} } as unknown as InspectedNode;
  const found = checkModules([node], createFlowFiles(folder, folder));
  return found.flatMap(({ message, help = '' }) => [message, help]);
}
