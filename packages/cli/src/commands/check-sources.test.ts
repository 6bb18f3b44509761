import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const python = (name: string, source: string): string =>
  `- {name: ${name}, type: python, source: ${source}, inputs: {}}`;
const code = (name: string, path: string): string => python(name, `{type: code, path: ${path}}`);

/** Each of them kept a flow from running that was said to be ready. */
const flow = `outputs: {said: {type: string, reference: "\${no_path.output}"}}
nodes:
${[
  python('no_path', '{type: code}'),
  python('with_prompt', '{type: package_with_prompt, path: two.py}'),
  python('no_tool_named', '{type: package}'),
  code('no_code', 'notes.txt'),
  code('no_tool', 'no_tool.py'),
  code('forgotten', 'forgotten.py'),
  code('two', 'two.py'),
  code('no_text', 'no_text.py'),
  code('no_function', 'no_function.ts'),
  code('no_syntax', 'no_syntax.ts'),
  code('no_import', 'no_import.ts'),
  code('no_javascript', 'no_javascript.js'),
  code('several', 'several.ts'),
  code('not_imported', 'not_imported.py'),
  code('relative', 'relative.py'),
  code('no_such_name', 'no_such_name.py'),
  '- {name: no_connection, type: python, source: {type: package, tool: promptflow.tools.serpapi.SerpAPI.search}, inputs: {query: a}}',
  '- {name: twice, type: custom_llm, source: {type: package_with_prompt, tool: promptflow.tools.open_model_llm.OpenModelLLM.call, path: twice.jinja2}, inputs: {api: chat}}',
  '- {name: no_template, type: llm, connection: offline, api: chat, source: {type: code}, inputs: {model: m}}',
  '- {name: no_source, type: prompt, inputs: {}}',
  '- {name: custom, type: custom_llm, source: {type: code, path: a.jinja2}, inputs: {}}',
  '- {name: foreign, type: llm, module: no_such_module.part, connection: offline, api: chat, source: {type: code, path: a.jinja2}, inputs: {model: m}}',
].join('\n')}
`;

const decorated = 'from promptflow.core import tool\n\n@tool\ndef one():\n    return 1\n';

const files = {
  'f/flow.dag.yaml': flow,
  'f/notes.txt': 'notes',
  'f/a.jinja2': '# user:\nhi\n',
  'f/no_tool.py': 'x = 1\n',
  'f/forgotten.py': 'from promptflow.core import tool\n\ndef say():\n    return "said"\n',
  'f/two.py': `${decorated}\n@tool\ndef two():\n    return 2\n`,
  'f/no_function.ts': 'const said = 1;\n',
  'f/no_syntax.ts': 'export const said = 1;\nconst other = ;\n',
  'f/no_javascript.js': 'export const said = (;\n',
  'f/several.ts': 'export function one() {}\nexport const two = async (q: string) => q;\n',
  'f/not_imported.py': '@tool\ndef say():\n    return 1\n',
  'f/relative.py': `${decorated.replace('\n', '\nfrom .helper import word\n')}`,
  'f/no_such_name.py': `${decorated.replace('\n', '\nfrom helper import word, wrod\n')}`,
  'f/helper.py': 'word = 1\n',
  'f/twice.jinja2': '# user:\n{{ endpoint_name }}\n',
  'f/no_import.ts': [
    "import { a } from 'no-such-package';",
    "import type { B } from 'no-such-types';",
    "import { c } from './gone.ts';",
    "export { d } from 'no-such-package';",
    "import { readFileSync } from 'node:fs';",
    "import { here } from './here.ts';",
    '// import x from "in-a-comment";',
    'const text = \'import y from "in-a-text"\';',
    "export const run = async () => [a, c, here, text, await import('asked-for-later')];",
  ].join('\n'),
  'f/here.ts': "import inner from 'not-there-either';\nexport const here = inner;\n",
};

test('a source that no node can be made of is told by check with its place, and the flow does not run', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, files);
  writeFileSync(join(world.folder, 'f/no_text.py'), Buffer.from(decorated.replace('1\n', '"\xff"\n'), 'latin1'));
  const check = await world.flow('check', 'f');
  await expect(check.stdout).toMatchFileSnapshot('check-sources.golden.txt');
  expect(check.code).toBe(2);
  expect((await world.flow('run', 'f')).code).toBe(2);
});

test.for([
  [
    'a lone function in a flow of ours',
    'say.py',
    'def say():\n    return 1\n',
    'loops: [{name: rounds, times: 1, state: {}, until: finished, nodes: [{name: turn, type: python, source: {type: code, path: say.py}, inputs: {}}]}]\n',
  ],
  ['a tool by a decorator of their own', 'say.py', 'from own import node\n\n@node\ndef say():\n    return 1\n', ''],
  [
    'a tool under another name',
    'say.py',
    'from promptflow.core import tool as node\n\n@node\ndef say():\n    return 1\n',
    '',
  ],
  ['one of two under a condition', 'say.py', `${decorated}if True:\n    @tool\n    def one():\n        return 2\n`, ''],
  [
    'tools of others',
    'say.py',
    `from langchain.tools import tool\n${decorated}\n@tool\ndef two():\n    return 2\n`,
    '',
  ],
  ['names that are made', 'say.py', `from made import anything\n${decorated}`, ''],
  ['a name of Python itself', 'say.py', `${decorated.replace('@tool', '@tool\n@staticmethod')}`, ''],
  ['another encoding', 'say.py', `# -*- coding: latin-1 -*-\n${decorated}`, ''],
  ['what nests too deep', 'say.ts', `export const run = () => ${'('.repeat(20_000)}1${')'.repeat(20_000)};\n`, ''],
  ['what stands behind it', 'say.ts', 'export const run = () => 1;\n', ''],
  ['CommonJS', 'say.cjs', "exports.say = () => require('node:os').EOL;\n", ''],
] as const)('where it cannot be told, nothing is: %s', async ([, path, text, more]) => {
  using world = createTestWorld();
  const node = `${more}nodes:\n- {name: say, type: python, source: {type: code, path: ${path}}, inputs: {}}\n`;
  writeFiles(world.folder, {
    'f/flow.dag.yaml': node,
    [`f/${path}`]: text,
    'f/made.py': 'globals()["anything"] = 1\n',
  });
  const { stdout } = await world.flow('check', 'f');
  expect(stdout).not.toContain('CODE_');
  expect(stdout).not.toContain('PYTHON_');
});
