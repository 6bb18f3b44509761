import { describe } from 'vitest';
import type { ObservedCase } from '../testing/observed-flow.ts';
import { testObserved } from '../testing/test-observed.ts';

const node = (body: string, head = ''): string => `${head}\nexport default async () => {\n  ${body}\n};\n`;
const fs = "import * as fs from 'node:fs';\nimport * as promises from 'node:fs/promises';\n";
const required = "import { createRequire } from 'node:module';";

/** Ways that go past the plain functions, and places where what code made itself and what it is given lie side by side. */
const cases: readonly ObservedCase[] = [
  {
    name: 'native_realpath',
    code: node(
      "try { return fs.realpathSync.native('FOLDER/outside/' + 'native.txt') && 'b'; } catch { return 'a'; }",
      fs,
    ),
    later: { files: { 'outside/native.txt': '' } },
  },
  {
    name: 'folder_copied',
    code: node(
      "const target = fs.mkdtempSync(tmpdir() + '/copied-'); fs.cpSync('FOLDER/outside/copied', target + '/in', { recursive: true }); return fs.readFileSync(target + '/in/deep/1.txt', 'utf8');",
      `${fs}import { tmpdir } from 'node:os';`,
    ),
    files: { 'outside/copied/deep/1.txt': 'a' },
    later: { files: { 'outside/copied/deep/1.txt': 'b' } },
  },
  {
    name: 'beside_a_copy',
    code: node(
      "fs.copyFileSync('FOLDER/outside/copy.txt', 'FOLDER/outside/target'); return fs.readFileSync('FOLDER/outside/target.txt', 'utf8');",
      fs,
    ),
    files: { 'outside/copy.txt': '', 'outside/target.txt': 'a' },
    later: { files: { 'outside/target.txt': 'b' } },
  },
  {
    name: 'beside_a_temporary_folder',
    code: node(
      "fs.rmSync(fs.mkdtempSync('FOLDER/outside/temp'), { recursive: true }); return fs.readFileSync('FOLDER/outside/template.txt', 'utf8');",
      fs,
    ),
    files: { 'outside/template.txt': 'a' },
    later: { files: { 'outside/template.txt': 'b' } },
  },
  {
    name: 'pattern_of_another_folder',
    code: node("return fs.globSync('FOLDER/outside/pattern/*.txt').length > 1 ? 'b' : 'a';", fs),
    files: { 'outside/pattern/1.txt': '' },
    later: { files: { 'outside/pattern/2.txt': '' } },
  },
  {
    name: 'opened_folder',
    code: node(
      "let count = 0; for await (const _ of await promises.opendir('FOLDER/outside/opened')) count += 1; return count > 1 ? 'b' : 'a';",
      fs,
    ),
    files: { 'outside/opened/1': '' },
    later: { files: { 'outside/opened/2': '' } },
  },
  {
    name: 'home_folder',
    code: node('return homedir().slice(-1);', "import { homedir } from 'node:os';"),
    variables: { HOME: '/tmp/home-a' },
    later: { variables: { HOME: '/tmp/home-b' } },
  },
  {
    name: 'environment_file',
    code: node("process.loadEnvFile('FOLDER/outside/variables.env'); return process.env.OF_FILE_ONLY;"),
    files: { 'outside/variables.env': 'OF_FILE_ONLY=a' },
    later: { files: { 'outside/variables.env': 'OF_FILE_ONLY=b' } },
  },
  {
    name: 'file_of_a_package',
    code: node(
      "return fs.readFileSync(['FOLDER/flow', ['node', 'modules'].join('_'), 'plain/data.txt'].join('/'), 'utf8');",
      fs,
    ),
    files: {
      'flow/node_modules/plain/package.json': '{"name": "plain", "version": "1.0.0"}',
      'flow/node_modules/plain/data.txt': 'a',
    },
    later: { files: { 'flow/node_modules/plain/data.txt': 'b' } },
  },
  {
    name: 'evaluated_in_a_context',
    code: node(
      'return runInThisContext(\'(fs) => fs.readFileSync("FOLDER/outside/evaluated.txt", "utf8")\', { filename: \'/other/file.js\' })(fs);',
      `${fs}import { runInThisContext } from 'node:vm';`,
    ),
    files: { 'outside/evaluated.txt': 'a' },
    later: { files: { 'outside/evaluated.txt': 'b' } },
  },
  {
    name: 'named_by_source_url',
    code: node('return eval(\'process.env["OBSERVED_EVALUATED"] //# sourceURL=elsewhere.js\');'),
    variables: { OBSERVED_EVALUATED: 'a' },
    later: { variables: { OBSERVED_EVALUATED: 'b' } },
  },
  {
    name: 'import_with_query',
    code: node("return (await import('./asked.ts?x=' + 1)).default;"),
    files: { 'flow/asked.ts': "export default 'a';" },
    later: { files: { 'flow/asked.ts': "export default 'b';" } },
  },
  {
    name: 'resolved_only',
    code: node("try { return import.meta.resolve('late') && 'b'; } catch { return 'a'; }"),
    later: {
      files: {
        'flow/node_modules/late/package.json': '{"name": "late", "version": "1.0.0", "type": "module", "main": "i.js"}',
        'flow/node_modules/late/i.js': '',
      },
    },
  },
  {
    name: 'required_resolved_only',
    code: node(
      "try { return createRequire(import.meta.url).resolve('later') && 'b'; } catch { return 'a'; }",
      "import { createRequire } from 'node:module';",
    ),
    later: {
      files: {
        'flow/node_modules/later/package.json': '{"name": "later", "version": "1.0.0", "main": "i.js"}',
        'flow/node_modules/later/i.js': '',
      },
    },
  },
  {
    name: 'after_a_timer',
    code: node(
      "return new Promise((done) => setTimeout(() => fs.readFile('FOLDER/outside/timer.txt', 'utf8', (_, text) => done(text)), 1));",
      fs,
    ),
    files: { 'outside/timer.txt': 'a' },
    later: { files: { 'outside/timer.txt': 'b' } },
  },
  {
    name: 'file_for_a_folder',
    code: node(
      "return fs.readdirSync('FOLDER/outside/kinds', { withFileTypes: true }).some((entry) => entry.isFile() && entry.name === 'one') ? 'b' : 'a';",
      fs,
    ),
    files: { 'outside/kinds/two': '' },
    later: { files: { 'outside/kinds/one': '' } },
  },
  {
    name: 'native_addon',
    code: node("try { createRequire(import.meta.url)('words'); } catch {} return 'a';", required),
    files: {
      'flow/node_modules/words/package.json': '{"name": "words", "version": "1.0.0", "main": "words.node"}',
      'flow/node_modules/words/words.node': '',
    },
    later: {},
    isUnseen: true,
  },
  {
    name: 'native_addon_of_ones_own',
    code: node("try { createRequire(import.meta.url)('./own.node'); } catch {} return 'a';", required),
    files: { 'flow/own.node': '' },
    later: {},
    isUnseen: true,
  },
  {
    name: 'native_addon_that_reads_nothing',
    code: node(
      "try { createRequire(import.meta.url)('bufferutil'); } catch {} return String(process.env.NATIVE_READS);",
      required,
    ),
    files: {
      'flow/node_modules/bufferutil/package.json': '{"name": "bufferutil", "version": "1.0.0", "main": "b.node"}',
      'flow/node_modules/bufferutil/b.node': '',
    },
    variables: { NATIVE_READS: 'a' },
    later: { variables: { NATIVE_READS: 'b' } },
  },
  {
    name: 'worker_thread',
    code: node(
      'const worker = new Worker(\'require("node:worker_threads").parentPort.postMessage("a")\', { eval: true }); return new Promise((done) => worker.once(\'message\', done));',
      "import { Worker } from 'node:worker_threads';",
    ),
    later: {},
    isUnseen: true,
  },
  {
    name: 'database',
    code: node(
      "const database = new DatabaseSync(':memory:'); database.close(); return 'a';",
      "import { DatabaseSync } from 'node:sqlite';",
    ),
    later: {},
    isUnseen: true,
  },
  {
    name: 'names_of_hosts',
    code: node(
      "return resolver.lookup('127.0.0.1').then(() => 'a');",
      "import * as resolver from 'node:dns/promises';",
    ),
    later: {},
    isUnseen: true,
  },
  {
    name: 'watched_file',
    code: node("fs.watch('FOLDER/outside').close(); return 'a';", fs),
    later: {},
    isUnseen: true,
  },
];

/** What both give is told apart by the second alone: its input is the same when the first runs again. */
const keptFunction: readonly ObservedCase[] = [
  {
    name: 'keeps_for_all',
    code: node("globalThis.readKept ??= (await import('./' + 'keeper.ts')).read; globalThis.readKept(); return 'a';"),
    files: {
      'flow/keeper.ts':
        "import { readFileSync } from 'node:fs';\nexport const read = () => readFileSync('FOLDER/outside/keeper.txt', 'utf8');\n",
      'outside/keeper.txt': 'a',
    },
  },
  {
    name: 'uses_what_is_kept',
    after: 'keeps_for_all',
    code: node('return globalThis.readKept();'),
    later: { files: { 'outside/keeper.txt': 'b' } },
    alsoRuns: ['keeps_for_all'],
  },
];

testObserved(cases, 'ts');

// Alone, one after the other: calls that wait get threads of their own, and none sees what another keeps.
describe('a function kept where all scripts of a thread find it', () => testObserved(keptFunction, 'ts'));
