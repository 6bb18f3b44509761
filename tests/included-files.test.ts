import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openFlow } from '@unroll/engine';
import { nodeTypes } from '@unroll/nodes';
import { promptFlow } from '@unroll/promptflow';
import { afterAll, expect, test } from 'vitest';

const root = mkdtempSync(join(tmpdir(), 'unroll-included-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const files = {
  'flow/flow.dag.yaml': `additional_includes: [../shared, ../ask.jinja2]
inputs:
  name: {type: string}
outputs:
  text: {type: string, reference: "\${greet.output}"}
nodes:
- {name: ask, type: prompt, source: {type: code, path: ask.jinja2}, inputs: {name: "\${inputs.name}"}}
- {name: greet, type: python, source: {type: code, path: greet.py}, inputs: {text: "\${ask.output}"}}
`,
  'flow/greet.py': `import os
from promptflow.core import tool
from shared.help import loud

@tool
def greet(text: str):
    beside = os.path.dirname(os.path.abspath(__file__))
    assert os.path.exists(os.path.join(beside, "ask.jinja2")) and os.getcwd() == beside
    return loud(text)
`,
  'shared/help.py':
    'def loud(text):\n    if text == "":\n        raise ValueError("nothing to say")\n    return text.upper()\n',
  'ask.jinja2': 'hello {{ name }}',
};

test('code imports what is included and finds it beside itself', async () => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const connections = { find: () => undefined, names: () => [] };
  const options = { nodeTypes: nodeTypes({ extensions: [promptFlow()] }), connections, shownFrom: root };
  const opened = await openFlow({ file: join(root, 'flow/flow.dag.yaml'), folder: join(root, 'flow') }, options);
  expect(opened.diagnostics).toEqual([]);
  await using flow = opened.flow;
  const result = await flow?.runRow({ name: 'Ada' });
  expect(result?.row.outputs).toEqual({ text: 'HELLO ADA' });
  expect(readdirSync(join(root, 'flow')).sort()).toEqual(['flow.dag.yaml', 'greet.py']);
});

test('code of such a flow finds packages above its folder, the nearest first', async () => {
  const made = (name: string, said: string) => ({
    [`${name}/package.json`]: '{"type": "module", "exports": "./index.js"}',
    [`${name}/index.js`]: `export const said = '${said}';\n`,
  });
  const below = {
    ...made('project/node_modules/near', 'near'),
    ...made('node_modules/near', 'wrong'),
    ...made('node_modules/far', 'far'),
    'project/src/words.ts':
      "import { said as near } from 'near';\nimport { said as far } from 'far';\nexport const words = [near, far];\n",
    'project/flow/say.ts': "import { words } from './src/words.ts';\nexport const say = () => words.join(' ');\n",
    'project/flow/flow.dag.yaml': `additional_includes: [../src]
outputs: {text: {type: string, reference: "\${say.output}"}}
nodes:
- {name: say, type: python, source: {type: code, path: say.ts}}
`,
  };
  for (const [path, text] of Object.entries(below)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const folder = join(root, 'project/flow');
  const options = { nodeTypes: nodeTypes(), connections: { find: () => undefined, names: () => [] }, shownFrom: root };
  const opened = await openFlow({ file: join(folder, 'flow.dag.yaml'), folder }, options);
  expect(opened.diagnostics).toEqual([]);
  await using flow = opened.flow;
  expect((await flow?.runRow({}))?.row.outputs).toEqual({ text: 'near far' });
});
