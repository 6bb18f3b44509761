import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const flow = `outputs: {said: {type: string, reference: "\${say.output}"}}
nodes:
- {name: say, type: python, source: {type: code, path: say.py}, inputs: {}}
`;
const tool = 'from promptflow.core import tool\n';
const body = '@tool\ndef say():\n    return "said"\n';

async function checked(files: Readonly<Record<string, string>>, environment = {}) {
  using world = createTestWorld({ environment });
  writeFiles(world.folder, { 'f/flow.dag.yaml': flow, ...files });
  const check = await world.flow('check', 'f');
  const run = await world.flow('run', 'f');
  return { check, run };
}

test('variables that say how Python is run are told by check, where they say nothing, and by the run', async () => {
  const wrong = 'environment_variables: {UNROLL_PYTHON_WORKERS: many, UNROLL_PYTHON_MEMORY: 0}\n';
  const { check, run } = await checked({
    'f/flow.dag.yaml': wrong + flow,
    'f/say.py': `${tool}import nowhere\n${body}`,
  });
  expect(check).toMatchObject({ code: 2 });
  expect(check.stdout).toContain(
    'error PYTHON_SETTING UNROLL_PYTHON_WORKERS is "many", not a whole number of 1 or more',
  );
  expect(check.stdout).toContain('error PYTHON_SETTING UNROLL_PYTHON_MEMORY is "0", not a size of 32MB or more');
  expect(check.stdout).toContain('the module nowhere is not found');
  expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('UNROLL_PYTHON_WORKERS is "many"') });
});

test('an import that is not installed is told by check and run alike, with the line of its package', async () => {
  const { check, run } = await checked({
    'f/say.py': `${tool}import json, no_such_package\nimport helper\n${body}`,
    'f/helper.py': '# 補助\nfrom other_package.part import thing\nimport no_such_package\n',
    'f/requirements.txt': '# what it needs\nNo.Such-Package[all]>=1.0  # at least\n',
  });
  expect(check).toMatchInlineSnapshot(`
    {
      "code": 2,
      "stderr": "",
      "stdout": "f/helper.py:2:6 error IMPORT_MISSING the module other_package is not found by the flow's Python
        from other_package.part import thing
             ~~~~~~~~~~~~~~~~~~
        help: add its package (pip install other-package) to requirements.txt and run flow python setup f, or name a Python that has it: UNROLL_PYTHON=venv/bin/python
    f/say.py:2:14 error IMPORT_MISSING the module no_such_package is not found by the flow's Python
        import json, no_such_package
                     ~~~~~~~~~~~~~~~
        help: flow python setup f installs what requirements.txt lists
        f/requirements.txt:2:1 note: its package is listed here
        f/helper.py:3:8 note: imported here too
    2 errors
    ",
    }
  `);
  expect(run).toEqual({ ...check, stdout: '', stderr: expect.stringContaining(check.stdout.split('\n\n')[0] ?? '?') });
  expect(run.stderr).toMatch(/\nNothing ran: fix what is listed, or see flow help check\.\n$/);
});

test.for([
  ['in a function', `${tool}${body}    import no_such_package\n`],
  ['in try', `${tool}try:\n    import no_such_package\nexcept ImportError:\n    no_such_package = None\n${body}`],
  [
    'under a condition',
    `${tool}from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import no_such_package\n${body}`,
  ],
  ['in a text', `${tool}"""\nimport no_such_package\n"""\n${body}`],
  ['namespaces in a namespace', `${tool}import near.middle.deep.real\nfrom near.middle import deep\n${body}`],
  ['its own module', `${tool}import say_more, os.path, xml.etree.ElementTree\nfrom words import hello\n${body}`],
] as const)('an import that no run needs, or that is there: %s', async ([, text]) => {
  const { check, run } = await checked({
    'f/say.py': text,
    'f/say_more.py': '',
    'f/words/__init__.py': 'hello = 1\n',
    'f/near/middle/deep/real.py': '',
  });
  expect([check.code, check.stderr, run.code]).toEqual([0, '', 0]);
  expect(check.stdout).toBe('✓ f/flow.dag.yaml: 1 node, ready to run\n');
});

test.for([
  { text: 'import no_such.part\n', missing: 'no_such', at: 'f/say.py:2:8' },
  { text: 'from words.gone import hello\n', missing: 'words.gone', at: 'f/say.py:2:6' },
  { text: 'from words import near\n', missing: 'no_such', at: 'f/words/near.py:1:8' },
  { text: 'import words\n', missing: 'deeper', at: 'f/words/__init__.py:1:35' },
  { text: 'from promptflow.core import tool as t, Flow\n', missing: 'promptflow.core.Flow', at: 'f/say.py:2:6' },
  {
    text: 'from promptflow import Prompty\n',
    missing: 'promptflow.Prompty',
    at: 'f/say.py:2:6',
    help: 'from promptflow.core import Prompty',
  },
  {
    text: 'import wrods\n',
    missing: 'wrods',
    at: 'f/say.py:2:8',
    help: 'did you mean "words"? else list its package (pip install wrods) in',
  },
  { text: 'from promptflow.client import PFClient\n', missing: 'promptflow.client', at: 'f/say.py:2:6' },
])('$text', async ({ text, missing, at, help = '' }) => {
  const { check, run } = await checked({
    'f/say.py': `${tool}${text}${body}`,
    'f/words/__init__.py': missing === 'deeper' ? 'from . import near; "𠮷野家"; import deeper\n' : '',
    'f/words/near.py': missing === 'deeper' ? '' : 'import no_such\n',
  });
  const line = `${at} error IMPORT_MISSING the module ${missing} is not found by the flow's Python\n`;
  expect([check.code, run.code]).toEqual([2, 2]);
  expect(check.stdout).toContain(line);
  expect(check.stdout).toContain(`help: ${help}`);
  expect(run.stderr).toContain(line);
});

test('what an installed Prompt flow does not give is told, and what it gives by a function is not', async () => {
  using world = createTestWorld();
  const path = join(world.folder, 'site-packages');
  writeFiles(world.folder, {
    'site-packages/promptflow/__init__.py':
      'def __getattr__(name):\n    if name == "tool":\n        from promptflow.core import tool\n        return tool\n    raise AttributeError(name)\n',
    'site-packages/promptflow/core.py': 'def tool(function):\n    function.__tool = True\n    return function\n',
    'f/flow.dag.yaml': `environment_variables: {PYTHONPATH: "${path}"}\n${flow.replace('inputs: {}', 'module: promptflow.core.part')}`,
    'f/say.py': `from promptflow import core, tool, trace\nfrom promptflow.core import tool, Flux\n${body}`,
  });
  const check = await world.flow('check', 'f');
  const run = await world.flow('run', 'f');
  const told = [
    "f/flow.dag.yaml:4:73 error IMPORT_MISSING the module promptflow.core.part is not found by the flow's Python",
    'f/say.py:1:1 error CODE_NAME promptflow does not define trace',
    'f/say.py:2:1 error CODE_NAME promptflow.core does not define Flux',
  ];
  expect([check.code, check.stdout.match(/^f\/.*$/gm), run.code]).toEqual([2, told, 2]);
  expect(check.stdout).toContain('help: from promptflow.tracing import trace\n');
  for (const line of told) expect(run.stderr).toContain(line);
});

test('a file that an installed package may make as it is imported is a warning; any other that is missing is not', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'site-packages/maker/__init__.py': 'from maker.parts import made\n',
    'site-packages/maker/parts.py': 'from pathlib import Path\nmade = Path("made.txt").write_bytes(b"x")\n',
    'f/flow.dag.yaml': `environment_variables: {PYTHONPATH: "${join(world.folder, 'site-packages')}"}\n${flow}`,
    'f/say.py': `import maker\n${tool}kept = open("made.txt").read()\n${body}`,
  });
  const check = await world.flow('check', 'f');
  expect([check.code, check.stdout.split('\n')[0]]).toEqual([
    0,
    'f/say.py:3:8 warning FILE_MISSING the file opens "made.txt" whenever it is loaded, and there is no such file yet: the package maker, which names it, may make it',
  ]);
  expect((await world.flow('run', 'f')).code).toBe(0);
  writeFiles(world.folder, { 'f/say.py': `import maker\n${tool}kept = open("other.txt").read()\n${body}` });
  expect((await world.flow('check', 'f')).stdout).toContain('error FILE_MISSING the file opens "other.txt"');
});

test('a name that an installed package does not give is told with the nearest, and none of which nobody can tell', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'site-packages/plain/__init__.py': 'from plain.parts import Client as AzureClient\n',
    'site-packages/plain/parts.py': 'class Client: pass\n',
    'site-packages/lazy/__init__.py': 'def __getattr__(name):\n    return name\n',
    'site-packages/starred.py': 'from plain import *\nfrom os import *\n',
    'site-packages/matched.py': 'match {"a": 1}:\n    case {"a": one, **rest}:\n        pass\n',
    'f/flow.dag.yaml': `environment_variables: {PYTHONPATH: "${join(world.folder, 'site-packages')}"}\n${flow}`,
    'f/say.py': `${tool}from plain import AzureCleint, parts\nfrom plain.parts import gone\nfrom lazy import any_of_them\nfrom starred import AzureClient, getcwd\nfrom matched import one, rest\n${body}`,
  });
  const check = await world.flow('check', 'f');
  const run = await world.flow('run', 'f');
  expect([check.code, check.stdout, run.code]).toEqual([
    2,
    `f/say.py:2:1 error CODE_NAME plain does not define AzureCleint
    from plain import AzureCleint, parts
    ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
    help: did you mean AzureClient?
f/say.py:3:1 error CODE_NAME plain.parts does not define gone
    from plain.parts import gone
    ~~~~~~~~~~~~~~~~~~~~~~~~~~~~
2 errors
`,
    2,
  ]);
});

test('a module that an installed package does not have is told, and none where the package may give more than its files', async () => {
  using world = createTestWorld();
  const plain = 'import sys\nHAS = sys.modules.get("plain") or "plain" in sys.modules or sys.modules[__name__]\n';
  const open = {
    'alias/__init__.py': 'import os, sys\nsys.modules["alias.gone"] = os\n',
    'deep/__init__.py': 'from deep.more import door\n',
    'deep/more.py': 'from sys import modules\nimport os\nmodules["deep.gone"] = door = os\n',
    'path/__init__.py': 'import os\n__path__.append(os.path.join(os.path.dirname(__file__), "..", "hidden"))\n',
    'hidden/gone.py': '',
    'indexed/__init__.py': 'import os, sys\nNAMES = ["indexed.gone"]\nsys.modules[NAMES[0]] = os\n',
  };
  const names = ['alias', 'deep', 'path', 'indexed'];
  const used = names.map((name) => `import ${name}.gone\n`).join('');
  writeFiles(world.folder, {
    'site-packages/plain/__init__.py': plain,
    'site-packages/plain/parts/__init__.py': '',
    ...Object.fromEntries(Object.entries(open).map(([path, text]) => [`site-packages/${path}`, text])),
    'f/flow.dag.yaml': `environment_variables: {PYTHONPATH: "${join(world.folder, 'site-packages')}"}\n${flow}`,
    'f/say.py': `${tool}${used}${body}`,
  });
  const right = await world.flow('check', 'f');
  const ran = await world.flow('run', 'f');
  expect([right.code, right.stdout, ran.code]).toEqual([0, '✓ f/flow.dag.yaml: 1 node, ready to run\n', 0]);
  writeFiles(world.folder, { 'f/say.py': `${tool}${used}from plain.gone import Error\n${body}` });
  const check = await world.flow('check', 'f');
  const run = await world.flow('run', 'f');
  expect([check.code, run.code]).toEqual([2, 2]);
  expect(check.stdout).toContain(
    "f/say.py:6:6 error IMPORT_MISSING the module plain.gone is not found by the flow's Python\n",
  );
  expect(check.stdout).toContain('help: plain is installed, and its version there has no such module');
});

test.for([
  ['made = plain.made_it()', 'f/say.py:3:1 error CODE_NAME plain does not define made_it'],
  [
    'import plain.parts as parts\nclass Own(parts.Cleint): pass',
    'f/say.py:4:1 error CODE_NAME plain.parts does not define Cleint',
  ],
  ['import helper\nword = helper.wrod', 'f/say.py:4:1 error CODE_NAME helper.py does not define wrod'],
  ['import os\nhere = os.pathh.join("a")', 'f/say.py:4:1 error CODE_NAME os does not define pathh'],
  ['made = plain.Client()\nplain.parts.Client()', ''],
  ['if hasattr(plain, "made_it"):\n    made = plain.made_it()', ''],
  ['try:\n    made = plain.made_it()\nexcept AttributeError:\n    made = None', ''],
  ['class Holder: made_it = 1\nplain = Holder()\nmade = plain.made_it', ''],
  ['plain.made_it = 1\nmade = plain.made_it', ''],
  ['import lazy\nmade = lazy.any_of_them', ''],
  ['import helper\nhelper.late = 1\nmade = helper.late', ''],
] as const)('what a file takes from a module as it is loaded is there, or is told: %s', async ([code, told]) => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'site-packages/plain/__init__.py': 'from plain.parts import Client\n',
    'site-packages/plain/parts.py': 'class Client: pass\n',
    'site-packages/lazy/__init__.py': 'def __getattr__(name):\n    return name\n',
    'f/flow.dag.yaml': `environment_variables: {PYTHONPATH: "${join(world.folder, 'site-packages')}"}\n${flow}`,
    'f/say.py': `${tool}import plain\n${code}\n${body}`,
    'f/helper.py': 'word = 1\n',
  });
  const check = await world.flow('check', 'f');
  const run = await world.flow('run', 'f');
  expect([check.code, run.code]).toEqual(told === '' ? [0, 0] : [2, 2]);
  expect(check.stdout).toContain(told === '' ? ': 1 node, ready to run\n' : `${told}\n`);
});

test('modules below a name of many packages are told with their own packages', async () => {
  const own = {
    'azure.search.documents': ['azure.search.documents.models', 'azure-search-documents'],
    'azure.core': ['azure.core.credentials', 'azure-core'],
    'azureml.fsspec': ['azureml.fsspec', 'azureml-fsspec'],
    'google.cloud.bigquery': ['google.cloud.bigquery.table', 'google-cloud-bigquery'],
    'google.generativeai': ['google.generativeai', 'google-generativeai'],
    'google.oauth2': ['google.oauth2.service_account', 'google-auth'],
  };
  const imports = Object.values(own).map(([written]) => `import ${written}\n`);
  const text = `${tool}${imports.join('')}from azure.search.documents import SearchClient\n${body}`;
  // Other parts are there where another package of that name is installed.
  for (const others of [{}, { 'f/azure/other.py': '', 'f/google/cloud/other.py': '' }]) {
    const { check } = await checked({ 'f/say.py': text, ...others });
    expect(check.stdout).toContain('\n6 errors\n');
    for (const [missing, [, name]] of Object.entries(own)) {
      const told = `IMPORT_MISSING the module ${missing} is not found by the flow's Python\n`;
      expect(check.stdout.split(told)[1]?.split('UNROLL_PYTHON')[0]).toContain(`(pip install ${name})`);
    }
  }
});

test('where code changes where modules are looked for, what is not found is a warning', async () => {
  const { check, run } = await checked({
    'f/say.py': `${tool}import sys\nsys.path.append("../lib")\nimport far\n${body}`,
    'lib/far.py': '',
  });
  expect([check.code, run.code]).toEqual([0, 0]);
  expect(check.stdout).toContain('f/say.py:4:8 warning IMPORT_MISSING the module far is not found');
});

test.for([
  ['warning', 'import subprocess, sys\nsubprocess.check_call([sys.executable, "-m", "pip", "install", "far==1.0"])'],
  ['warning', 'import os\nos.system(f"pip install -q far")'],
  ['error', '# os.system("pip install far")\nprint("run: pip install far")'],
])('a module may be there once the code has installed it: %s, %s', async ([severity, statement]) => {
  const { check } = await checked({ 'f/say.py': `${tool}${statement}\nimport far\n${body}` });
  expect(check.stdout).toContain(`f/say.py:4:8 ${severity} IMPORT_MISSING the module far is not found`);
});

test.for(['helper.late = 1', 'setattr(helper, "late", 1)', 'helper.__dict__["late"] = 1'])(
  'a name that another file gives to a module is there: %s',
  async (statement) => {
    const { check, run } = await checked({
      'f/say.py': `${tool}import giver\nfrom helper import late\n${body}`,
      'f/giver.py': `import helper\n${statement}\n`,
      'f/helper.py': 'early = 1\n',
    });
    expect([check.code, check.stdout, run.code]).toEqual([0, '✓ f/flow.dag.yaml: 1 node, ready to run\n', 0]);
  },
);

test('a file that Python cannot read is told with its place', async () => {
  const { check, run } = await checked({ 'f/say.py': `${tool}def say(:\n` });
  expect([check.code, run.code]).toEqual([2, 2]);
  expect(check.stdout).toContain(
    "f/say.py:2:9 error PYTHON_SYNTAX invalid syntax: the flow's Python cannot read this file\n",
  );
  expect(run.stderr).toContain('f/say.py:2:9 error PYTHON_SYNTAX');
});

test('modules laid out by additional_includes are found, and what they import is looked for', async () => {
  const included = `additional_includes: [../shared/words.py]\n${flow}`;
  const text = `${tool}import words\n${body}`;
  const right = await checked({ 'f/flow.dag.yaml': included, 'f/say.py': text, 'shared/words.py': '' });
  expect([right.check.code, right.run.code]).toEqual([0, 0]);
  const wrong = await checked({ 'f/flow.dag.yaml': included, 'f/say.py': text, 'shared/words.py': 'import no_such\n' });
  expect([wrong.check.code, wrong.run.code]).toEqual([2, 2]);
  expect(wrong.check.stdout).toContain('shared/words.py:1:8 error IMPORT_MISSING the module no_such');
});

test('tools of an agent and a flow that is code are looked at too', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'f/flow.flex.yaml': 'entry: main:run\n',
    'f/main.py': 'import no_such\n\ndef run():\n    return 1\n',
  });
  expect((await world.flow('check', 'f')).stdout).toContain('f/main.py:1:8 error IMPORT_MISSING the module no_such');
  writeFiles(world.folder, {
    'a/flow.dag.yaml': `inputs: {q: {type: string, default: hi}}
outputs: {said: {type: string, reference: "\${ask.output}"}}
nodes:
- {name: ask, type: agent, source: {type: code, path: ask.jinja2}, connection: offline, tools: tools.yaml, inputs: {model: m, q: "\${inputs.q}"}}
`,
    'a/ask.jinja2': 'user:\n{{q}}\n',
    'a/tools.yaml': 'tools:\n- {name: add, description: Adds., code: tools.py}\n',
    'a/tools.py': 'import no_such\n\ndef add(a: int) -> int:\n    return a\n',
  });
  expect((await world.flow('check', 'a')).stdout).toContain('a/tools.py:1:8 error IMPORT_MISSING the module no_such');
});

test('a file that is the code of a flow is in no package, unless its entry names one', async () => {
  using world = createTestWorld();
  const code = 'from .words import word\n\ndef run():\n    return word\n';
  writeFiles(world.folder, {
    'f/flow.flex.yaml': 'entry: main:run\n',
    'f/main.py': code,
    'f/words.py': 'word = 1\n',
    'p/flow.flex.yaml': 'entry: package.main:run\n',
    'p/package/main.py': code,
    'p/package/words.py': 'word = 1\n',
  });
  expect((await world.flow('check', 'f')).stdout).toContain(
    'f/main.py:1:1 error CODE_NAME the file of a node is in no package, so that a relative import finds nothing\n',
  );
  expect(await world.flow('run', 'f')).toMatchObject({ code: 2 });
  expect(await world.flow('run', 'p')).toMatchObject({ code: 0 });
});

test('a tool of a package that is not installed', async () => {
  const text = flow.replace('{type: code, path: say.py}', '{type: package, tool: no_such_tools.tool.say}');
  const { check, run } = await checked({ 'f/flow.dag.yaml': text });
  expect([check.code, run.code]).toEqual([2, 2]);
  expect(check.stdout).toContain(
    "f/flow.dag.yaml:3:59 error IMPORT_MISSING the module no_such_tools is not found by the flow's Python\n",
  );
  expect(check.stdout).toContain('pip install no-such-tools');
});

test.for([
  { tool: 'word_tools.say', ready: true },
  { tool: 'words.said', ready: true },
  { tool: 'gone_words.said', ready: true },
  { tool: 'word_tools.gone', ready: false },
  { tool: 'promptflow.tools.of_old.Tool.call', ready: false },
])('a tool that no package lists is told by check and run alike: $tool', async ({ tool: id, ready }) => {
  const text = flow.replace('{type: code, path: say.py}', `{type: package, tool: ${id}}`);
  const { check, run } = await checked({
    'f/flow.dag.yaml': text,
    'f/word_tools.py': `${tool}${body}\ndef list_tools():\n    print("listing")\n    return {"word_tools.say": {"name": "Say", "type": "python", "module": "word_tools", "function": "say", "deprecated_tools": ["words.said", "gone_words.said"]}}\n`,
    'f/words.py': '',
    'f/word_tools-1.0.dist-info/METADATA': 'Metadata-Version: 2.1\nName: word-tools\nVersion: 1.0\n',
    'f/word_tools-1.0.dist-info/entry_points.txt': '[package_tools]\nword_tools = word_tools:list_tools\n',
  });
  expect([check.code, run.code]).toEqual(ready ? [0, 0] : [2, 2]);
  const told = `f/flow.dag.yaml:3:59 error IMPORT_MISSING no package of tools that the flow's Python has lists ${id}\n`;
  expect(check.stdout).toContain(ready ? 'ready to run' : told);
  if (!ready) expect(run.stderr).toContain(told);
});

test.for([
  ['import no_such_part', "(ModuleNotFoundError) No module named 'no_such_part'"],
  ['raise ValueError("needs a key")', '(ValueError) needs a key'],
] as const)('a tool whose module cannot be imported is told with the reason: %s', async ([line, reason]) => {
  const text = flow.replace('{type: code, path: say.py}', '{type: package, tool: word_tools.say}');
  const { check, run } = await checked({
    'f/flow.dag.yaml': text,
    'f/words.py': `${line}\n`,
    'f/word_tools.py': `def list_tools():\n    return {"word_tools.say": {"name": "Say", "type": "python", "module": "words", "function": "say"}}\n`,
    'f/word_tools-1.0.dist-info/METADATA': 'Metadata-Version: 2.1\nName: word-tools\nVersion: 1.0\n',
    'f/word_tools-1.0.dist-info/entry_points.txt': '[package_tools]\nword_tools = word_tools:list_tools\n',
  });
  expect([check.code, run.code]).toEqual([2, 2]);
  const told = `f/flow.dag.yaml:3:59 error IMPORT_MISSING the package of tool word_tools.say cannot be imported: ${reason}\n`;
  expect(check.stdout).toContain(told);
  expect(run.stderr).toContain(told);
});

test('without Python a flow of Python is not ready', async () => {
  const path = process.env['PATH'];
  process.env['PATH'] = '/nowhere';
  try {
    const { check, run } = await checked({ 'f/say.py': `${tool}${body}` });
    expect([check.code, run.code]).toEqual([2, 2]);
    expect(check.stdout).toContain(
      'f/flow.dag.yaml:3:37 error PYTHON_MISSING this flow has Python nodes and no Python was found',
    );
  } finally {
    process.env['PATH'] = path;
  }
});

test('without Python a flow with a loop and an agent in TypeScript is ready', async () => {
  const path = process.env['PATH'];
  process.env['PATH'] = '/nowhere';
  try {
    const { check, run } = await checked({
      'f/flow.dag.yaml': `outputs:
  counted: {type: string, reference: "\${count.output.answer}"}
  asked: {type: string, reference: "\${ask.output.status}"}
nodes:
- {name: begin, type: python, source: {type: code, path: begin.ts}, inputs: {}}
- {name: ask, type: agent, connection: offline, source: {type: code, path: ask.jinja2}, tools: tools.yaml, inputs: {model: offline}}
loops:
- name: count
  times: 2
  state: \${begin.output}
  until: finished
  nodes:
  - {name: step, type: python, source: {type: code, path: step.ts}, inputs: {state: "\${loop.state}"}}
`,
      'f/begin.ts': 'export default function begin() {\n  return { left: 2, finished: false };\n}\n',
      'f/step.ts':
        'export default function step({ state }: { state: { left: number } }) {\n  return { left: state.left - 1, finished: state.left === 1, content: "done" };\n}\n',
      'f/ask.jinja2': 'user:\nhello\n',
      'f/tools.yaml': 'tools:\n- {name: add, description: Adds., code: tools.ts}\n',
      'f/tools.ts': 'export function add({ a }: { a: number }): number {\n  return a;\n}\n',
    });
    expect(check).toEqual({ code: 0, stderr: '', stdout: expect.stringContaining('ready to run') });
    expect(run.code).toBe(0);
  } finally {
    process.env['PATH'] = path;
  }
});

test.for([
  { type: 'Union[AzureOpenAIConnection, OpenAIConnection]', given: 'offline', takes: 'azure_open_ai or open_ai' },
  { type: 'CustomConnection', given: 'mine', takes: 'custom' },
  { type: 'OpenAIConnection', given: 'mine', takes: undefined },
])('a connection for a parameter of type $type: $given', async ({ type, given, takes }) => {
  const { check, run } = await checked({
    'f/flow.dag.yaml': flow.replace('inputs: {}', `inputs: {to: ${given}}`),
    'f/say.py': `from typing import Union\nfrom promptflow.core import tool\nfrom promptflow.connections import *\n${body.replace('say()', `say(to: ${type})`)}`,
    'f/connections.yaml': 'mine: {type: open_ai, api_key: sk-none}\n',
  });
  expect([check.code, run.code]).toEqual(takes === undefined ? [0, 0] : [2, 2]);
  if (takes === undefined) return;
  expect(check.stdout).toContain('error CONNECTION_TYPE connection');
  expect(check.stdout).toContain(`help: it takes ${takes}\n`);
});

test.for([
  'from helper import open\nSAID = open("none.txt")',
  'def open(name):\n    return name\nSAID = open("none.txt")',
  'import shutil\nshutil.unpack_archive("said.zip")\nSAID = open("none.txt")',
  'import os\nnames = {"key": "NOT_SET"}\nos.environ[names["key"]] = "x"\nSAID = os.environ["NOT_SET"]',
  'from helper import request\nSAID = request.environ["NOT_SET"]',
])('what may be given as the file is loaded is not said to be missing: %s', async (text) => {
  using world = createTestWorld();
  const helper = 'class request:\n    environ = {"NOT_SET": "x"}\ndef open(name):\n    return name\n';
  writeFiles(world.folder, {
    'f/flow.dag.yaml': flow,
    'f/say.py': `${tool}${text}\n${body}`,
    'f/helper.py': text.includes('helper') ? helper : '',
  });
  const { code, stdout } = await world.flow('check', 'f');
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('ready to run') });
});
