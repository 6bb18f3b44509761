import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { commonJsMistakes } from './check-common-js.ts';

const asPackage = 'package.json says "type": "module"';
const asWritten = 'what it imports or exports makes a module of it';
const standard = 'write `export default …` in its place: ';
const named = 'write `export const name = …` in its place: ';
const imported = 'write `import fs from "node:fs"`, for instance: ';

/** As Node 22.19 and 24.21 load them, and fail. */
test.for<readonly [path: string, type: string, text: string, told: readonly string[]]>([
  ['n.ts', 'module', 'module.exports = ({ q }) => q;\n', ['module.exports', standard + asPackage]],
  ['n.js', 'module', 'exports.run = ({ q }) => q;\n', ['exports', named + asPackage]],
  ['n.ts', 'module', 'module.exports.run = ({ q }) => q;\n', ['module.exports', named + asPackage]],
  ['n.js', 'module', 'require("node:fs");\n', ['require', imported + asPackage]],
  [
    'n.js',
    'module',
    'const fs = require("node:fs");\nmodule.exports = () => fs;\n',
    ['require', imported + asPackage, 'module.exports', standard + asPackage],
  ],
  [
    'n.mts',
    '',
    'module.exports = ({ q }) => q;\n',
    ['module.exports', `${standard}its ending .mts makes a module of it`],
  ],
  ['n.ts', '', 'import fs from "node:fs";\nmodule.exports = () => fs;\n', ['module.exports', standard + asWritten]],
  ['n.js', 'commonjs', 'import fs from "node:fs";\nexports.run = () => fs;\n', ['exports', named + asWritten]],
  ['n.ts', 'commonjs', 'const a = require("a");\nexport default () => a;\n', ['require', imported + asWritten]],
  // Sound.
  ['n.ts', '', 'module.exports = ({ q }) => q;\n', []],
  ['n.js', 'commonjs', 'const fs = require("node:fs");\nexports.run = () => fs;\n', []],
  ['n.js', '', 'let importance, exportedAs;\nimportance = 1;\nmodule.exports = () => importance;\n', []],
  ['n.cjs', 'module', 'module.exports = ({ q }) => q;\n', []],
  ['n.cts', 'module', 'const fs = require("node:fs");\nmodule.exports = () => fs;\n', []],
  ['n.ts', 'module', 'export default () => "module.exports = 1";\n// module.exports = 1\n', []],
  ['n.js', 'module', 'const module = { exports: {} };\nmodule.exports = 1;\nexport default () => module;\n', []],
  ['n.js', 'module', 'if (typeof module === "object")\nmodule.exports = 1;\nexport default () => 1;\n', []],
  ['n.js', 'module', 'const a = {\nget() {\nmodule.exports = 1;\n} };\nexport default () => a;\n', []],
  ['n.js', 'module', 'if (module.exports == 1) {}\n', []],
  ['n.ts', '{', 'module.exports = ({ q }) => q;\n', []],
])('%s below type %j: %j', ([path, type, text, told]) => {
  const folder = mkdtempSync(join(tmpdir(), 'common-js-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'package.json'), type === '{' ? type : JSON.stringify(type === '' ? {} : { type }));
  writeFileSync(join(folder, path), text);
  const found = commonJsMistakes({ path, text }, join(folder, path));
  expect(found.flatMap(({ message, help = '' }) => [message.split(' ')[3], help])).toEqual(told);
});
