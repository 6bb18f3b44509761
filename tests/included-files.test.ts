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
