import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';
import type { ObservedCase } from '../testing/observed-flow.ts';
import { testObserved } from '../testing/test-observed.ts';

const node = (body: string, head = ''): string => `${head}\nexport default async () => {\n  ${body}\n};\n`;
const fs = "import * as fs from 'node:fs';\nimport * as promises from 'node:fs/promises';\n";
const server: Server = createServer((_request, response) => response.end('a'));

/** Each way in which code gets at something that no text of it names. */
const cases: readonly ObservedCase[] = [
  {
    name: 'secret_variable',
    code: node('return process.env.OBSERVED_API_KEY;'),
    variables: { OBSERVED_API_KEY: 'a' },
    later: { variables: { OBSERVED_API_KEY: 'b' } },
    alsoRuns: ['spread_variables'],
  },
  {
    name: 'computed_variable',
    code: node("return process.env[['OBSERVED', 'COMPUTED'].join('_')];"),
    variables: { OBSERVED_COMPUTED: 'a' },
    later: { variables: { OBSERVED_COMPUTED: 'b' } },
    alsoRuns: ['spread_variables'],
  },
  {
    name: 'absent_variable',
    code: node("return process.env[['OBSERVED', 'ABSENT'].join('_')] ?? 'a';"),
    later: { variables: { OBSERVED_ABSENT: 'b' } },
    alsoRuns: ['spread_variables'],
  },
  {
    name: 'asked_variable',
    code: node("return ['OBSERVED', 'ASKED'].join('_') in process.env ? 'b' : 'a';"),
    later: { variables: { OBSERVED_ASKED: '' } },
    alsoRuns: ['spread_variables'],
  },
  {
    name: 'spread_variables',
    code: node("return Object.entries({ ...process.env }).find(([name]) => name.endsWith('ED_SPREAD'))?.[1];"),
    variables: { OBSERVED_SPREAD: 'a' },
    later: { variables: { OBSERVED_SPREAD: 'b' } },
  },
  {
    name: 'imported_environment',
    code: node("return env['OBSERVED_' + 'IMPORTED'];", "import { env } from 'node:process';"),
    variables: { OBSERVED_IMPORTED: 'a' },
    later: { variables: { OBSERVED_IMPORTED: 'b' } },
    alsoRuns: ['spread_variables'],
  },
  {
    name: 'variable_at_load',
    code: `const tone = process.env['OBSERVED_' + 'LOADED'];\n${node('return tone;')}`,
    variables: { OBSERVED_LOADED: 'a' },
    later: { variables: { OBSERVED_LOADED: 'b' } },
    alsoRuns: ['spread_variables'],
  },
  {
    name: 'index_of_documents',
    code: node(
      "return openIndex('FOLDER/outside/' + 'faq.jsonl').search('word')[0]?.text.at(-1);",
      "import { openIndex } from '@unroll/nodes/lookup';",
    ),
    files: { 'outside/faq.jsonl': '{"id": "1", "text": "word a"}\n' },
    later: { files: { 'outside/faq.jsonl': '{"id": "1", "text": "word b"}\n' } },
  },
  {
    name: 'data_url',
    code: node("return (await import('data:text/javascript,export default process.env.OBSERVED_URL')).default;"),
    variables: { OBSERVED_URL: 'a' },
    later: { variables: { OBSERVED_URL: 'b' } },
    alsoRuns: ['spread_variables'],
  },
  {
    name: 'absolute_path',
    code: node("return fs.readFileSync('FOLDER/outside/absolute.txt', 'utf8');", fs),
    files: { 'outside/absolute.txt': 'a' },
    later: { files: { 'outside/absolute.txt': 'b' } },
  },
  {
    name: 'read_by_promise',
    code: node("return promises.readFile(new URL('../outside/' + 'promise.txt', import.meta.url), 'utf8');", fs),
    files: { 'outside/promise.txt': 'a' },
    later: { files: { 'outside/promise.txt': 'b' } },
  },
  {
    name: 'named_import_of_fs',
    code: node(
      "return readFileSync(['FOLDER', 'outside', 'named.txt'].join('/'), 'utf8');",
      "import { readFileSync } from 'node:fs';",
    ),
    files: { 'outside/named.txt': 'a' },
    later: { files: { 'outside/named.txt': 'b' } },
  },
  {
    name: 'promisified',
    code: node(
      "return promisify(fs.readFile)('FOLDER/outside/promisified.txt', 'utf8');",
      `${fs}import { promisify } from 'node:util';`,
    ),
    files: { 'outside/promisified.txt': 'a' },
    later: { files: { 'outside/promisified.txt': 'b' } },
  },
  {
    name: 'read_as_stream',
    code: node(
      "let all = ''; for await (const piece of fs.createReadStream('FOLDER/outside/stream.txt')) all += piece; return all;",
      fs,
    ),
    files: { 'outside/stream.txt': 'a' },
    later: { files: { 'outside/stream.txt': 'b' } },
  },
  {
    name: 'open_file',
    code: node(
      "const file = await promises.open('FOLDER/outside/open.txt'); try { return await file.readFile('utf8'); } finally { await file.close(); }",
      fs,
    ),
    files: { 'outside/open.txt': 'a' },
    later: { files: { 'outside/open.txt': 'b' } },
  },
  {
    name: 'exists',
    code: node("return fs.existsSync('FOLDER/outside/' + 'there.txt') ? 'b' : 'a';", fs),
    later: { files: { 'outside/there.txt': '' } },
  },
  {
    name: 'size',
    code: node("return fs.statSync('FOLDER/outside/' + 'size.txt').size > 1 ? 'b' : 'a';", fs),
    files: { 'outside/size.txt': '1' },
    later: { files: { 'outside/size.txt': '12' } },
  },
  {
    name: 'names_in_folder',
    code: node("return fs.readdirSync('FOLDER/outside/names').length > 1 ? 'b' : 'a';", fs),
    files: { 'outside/names/1': '' },
    later: { files: { 'outside/names/2': '' } },
  },
  {
    name: 'names_below',
    code: node(
      "return (await promises.readdir('FOLDER/outside/below', { recursive: true })).length > 2 ? 'b' : 'a';",
      fs,
    ),
    files: { 'outside/below/in/1': '' },
    later: { files: { 'outside/below/in/2': '' } },
  },
  {
    name: 'computed_import',
    code: node("return (await import(['./plugged', 'ts'].join('.'))).default;"),
    files: { 'flow/plugged.ts': "export default 'a';" },
    later: { files: { 'flow/plugged.ts': "export default 'b';" } },
  },
  {
    name: 'import_of_an_import',
    code: node("return (await import(['../outside/first', 'ts'].join('.'))).default;"),
    files: { 'outside/first.ts': "export { default } from './second.ts';", 'outside/second.ts': "export default 'a';" },
    later: { files: { 'outside/second.ts': "export default 'b';" } },
  },
  {
    name: 'computed_json',
    code: node("return (await import(['./plugged', 'json'].join('.'), { with: { type: 'json' } })).default.v;"),
    files: { 'flow/plugged.json': '{"v": "a"}' },
    later: { files: { 'flow/plugged.json': '{"v": "b"}' } },
  },
  {
    name: 'computed_require',
    code: node(
      "return createRequire(import.meta.url)(['./required', 'cjs'].join('.'));",
      "import { createRequire } from 'node:module';",
    ),
    files: { 'flow/required.cjs': "module.exports = 'a';" },
    later: { files: { 'flow/required.cjs': "module.exports = 'b';" } },
  },
  {
    name: 'import_that_fails',
    code: node("try { return (await import('./maybe' + '.ts')).default; } catch { return 'a'; }"),
    later: { files: { 'flow/maybe.ts': "export default 'b';" } },
  },
  {
    name: 'entries_of_package_json',
    code: node("return (await import('#' + 'chosen')).default;"),
    files: {
      'flow/package.json': '{"type": "module", "imports": {"#chosen": "./one.ts"}}',
      'flow/one.ts': "export default 'a';",
      'flow/two.ts': "export default 'b';",
    },
    later: { files: { 'flow/package.json': '{"type": "module", "imports": {"#chosen": "./two.ts"}}' } },
  },
  {
    name: 'computed_package',
    code: node("return (await import(['le', 'ft'].join(''))).default;"),
    files: {
      'flow/node_modules/left/package.json': '{"name": "left", "version": "1.0.0", "type": "module", "main": "i.js"}',
      'flow/node_modules/left/i.js': "export default 'a';",
    },
    later: {
      files: {
        'flow/node_modules/left/package.json': '{"name": "left", "version": "1.0.1", "type": "module", "main": "i.js"}',
        'flow/node_modules/left/i.js': "export default 'b';",
      },
    },
  },
  {
    name: 'kept_since_an_earlier_row',
    code: `${fs}let kept: string | undefined;\n${node("kept ??= fs.readFileSync('FOLDER/outside/kept.txt', 'utf8'); return kept;")}`,
    files: { 'outside/kept.txt': 'a' },
    later: { files: { 'outside/kept.txt': 'b' } },
  },
  {
    name: 'kept_by_a_module',
    code: node('return shared();', "import { shared } from './shared.ts';"),
    files: {
      'flow/shared.ts':
        "import { readFile } from 'node:fs/promises';\nlet kept: string | undefined;\nexport async function shared() {\n  await null;\n  kept ??= await readFile(['FOLDER', 'outside', 'shared.txt'].join('/'), 'utf8');\n  return kept;\n}\n",
      'outside/shared.txt': 'a',
    },
    later: { files: { 'outside/shared.txt': 'b' } },
    alsoRuns: ['kept_by_the_same_module'],
  },
  {
    name: 'kept_by_the_same_module',
    code: node('return shared();', "import { shared } from './shared.ts';"),
    later: { files: { 'outside/shared.txt': 'b' } },
    alsoRuns: ['kept_by_a_module'],
  },
  {
    name: 'child_process',
    code: node(
      "return execFileSync('cat', ['FOLDER/outside/child.txt'], { encoding: 'utf8' });",
      "import { execFileSync } from 'node:child_process';",
    ),
    files: { 'outside/child.txt': 'a' },
    later: { files: { 'outside/child.txt': 'b' } },
    isUnseen: true,
  },
  {
    name: 'network',
    code: node('return (await fetch(process.env.OBSERVED_ADDRESS)).text();'),
    later: {},
    isUnseen: true,
  },
];

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.env['OBSERVED_ADDRESS'] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

testObserved(cases, 'ts');
