import { expect, test } from 'vitest';
import { besideRun, type SmallFlow } from '../testing/beside-run.ts';
import { packageTool, python } from '../testing/small-nodes.ts';

const code = `from promptflow.core import tool
from promptflow.contracts.types import AssistantDefinition
@tool
def f(d: AssistantDefinition):
    return [d.model, len(d.tools)]
`;

/** Nodes whose input \`d\` is as it is written here, each with a file of its own. */
function given(...written: readonly string[]): Pick<SmallFlow, 'nodes' | 'files'> {
  const names = written.map((_, at) => 'abcdefgh'.charAt(at));
  return {
    nodes: names.map((name, at) => python(name, `{d: ${written[at]}}`)),
    files: Object.fromEntries(names.map((name) => [`${name}.py`, code])),
  };
}

function defined(text: string, more: Readonly<Record<string, string>> = {}): SmallFlow {
  const { nodes = [], files } = given('d.yaml');
  return { nodes, files: { ...files, 'd.yaml': text, ...more } };
}

const flows: Readonly<Record<string, SmallFlow>> = {
  'what names no definition': {
    ...given('5', 'asistant.yaml', '{model: m}', '../d.yaml', 'd.txt'),
    files: { ...given('', '', '', '', '').files, 'assistant.yaml': 'model: m\n', 'd.txt': 'model: m\n' },
  },
  'a definition that is no YAML': defined('model: m\ninstructions: "open\n'),
  'a definition that is a list': defined('- model: m\n'),
  'tools that are no list': defined('model: m\ntools:\n'),
  'tools of an assistant that lack something': defined(
    `model: m
tools:
- function
- {tool_type: python}
- {type: functoin}
- {type: function, source: {type: code, path: t.py}}
- {type: function, tool_type: llm, source: {type: code, path: t.py}}
- {type: function, tool_type: python}
- {type: function, tool_type: python, source: t.py}
- {type: function, tool_type: python, source: {type: package_with_prompt, path: t.py}}
- {type: function, tool_type: python, source: {type: code}}
- {type: function, tool_type: python, source: {type: package, path: t.py}}
- {type: function, tool_type: python, source: {path: tt.py}}
- {type: function, tool_type: python, source: {path: t.py}, predefined_inputs: [a]}
`,
    { 't.py': 'from promptflow.core import tool\n@tool\ndef t():\n    return 1\n' },
  ),
  'functions of an assistant that cannot be loaded': defined(
    'tools:\n- {type: function, tool_type: python, source: {path: t.py}}\n- {type: function, tool_type: python, source: {path: u.py}}\n',
    { 't.py': 'import no_such_package\n\ndef t():\n    return 1\n', 'u.py': 'one = 1\n' },
  ),
  'tools that are nothing, as Prompt flow takes them': {
    ...given('a.yaml', 'b.yaml'),
    files: { ...given('', '').files, 'a.yaml': 'model: m\ntools: {}\n', 'b.yaml': 'model: m\ntools: ""\n' },
  },
  'the assistant of a tool of a package': {
    nodes: [packageTool('a', 'assistant_tools.f', '{d: d.yaml}'), packageTool('b', 'assistant_tools.f', '{d: e.yaml}')],
    files: {
      'd.yaml': 'model: m\ntools:\n- {type: functoin}\n',
      'e.yaml': 'model: m\n',
      'assistant_tools.py': `${code}
def list_tools():
    return {"assistant_tools.f": {"name": "F", "type": "python", "module": "assistant_tools", "function": "f", "inputs": {"d": {"type": ["assistant_definition"]}}}}
`,
      'assistant_tools-1.0.dist-info/METADATA': 'Metadata-Version: 2.1\nName: assistant-tools\nVersion: 1.0\n',
      'assistant_tools-1.0.dist-info/entry_points.txt':
        '[package_tools]\nassistant_tools = assistant_tools:list_tools\n',
    },
  },
  'a definition with little': {
    ...given('d.yaml', 'empty.yaml', 'd.json', '""'),
    files: {
      ...given('', '', '', '').files,
      'd.py': code
        .replace('d: AssistantDefinition', 'd: AssistantDefinition = None')
        .replace('[d.model, len(d.tools)]', 'd'),
      'd.yaml':
        'modle: m\ntools:\n- {type: code_interpreter}\n- {type: retrieval, more: 1}\n- {type: function, tool_type: python, source: {path: t.py}, predefined_inputs: {n: 1}}\n',
      'empty.yaml': '# nothing yet\n',
      'd.json': '{"model": "m"}',
      't.py': 'from promptflow.core import tool\n@tool\ndef t(n: int):\n    return n\n',
    },
  },
};

test('check tells which definitions of assistants keep a node from being made ready', async () => {
  await expect(await besideRun(flows)).toMatchFileSnapshot('check-assistants.golden.txt');
});
