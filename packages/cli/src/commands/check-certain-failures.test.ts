// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { expect, test } from 'vitest';
import { besideRun, type SmallFlow } from '../testing/beside-run.ts';
import { ask, chats, code, greet, lookup, packageOfTools, packageTool, python } from '../testing/small-nodes.ts';

const tool = 'from promptflow.core import tool\n@tool\n';

const offline = 'model: {api: chat, configuration: {connection: offline}, parameters: {}}\n';
const offered = '{type: function, function: {name: f, parameters: {type: object, properties: {}}}}';

/** What each of them was told to be before: ready to run, or a mistake that stops nothing. */
const flows: Readonly<Record<string, SmallFlow>> = {
  'literals that do not fit a default or a connection of Python': {
    nodes: [python('a', '{q: abc}'), python('b', '{q: 3}')],
    files: {
      'a.py': `${tool}def a(q=3, r=-1.5, s=[1], t=True):\n    return q\n`,
      'b.py': `from promptflow.connections import OpenAIConnection\n${tool}def b(q: OpenAIConnection):\n    return q\n`,
    },
  },
  'literals that fit a default of Python': {
    nodes: [python('a', '{q: "7", r: 2, s: "[1]", t: "false", u: 3, v: abc}')],
    files: { 'a.py': `${tool}def a(q=3, r=-1.5, s=[1], t=True, u=None, v={}):\n    return str([q, r, s, t, u, v])\n` },
  },
  'what the class of a tool is made with': {
    above: 'inputs: {q: {type: string, default: hi}}\n',
    nodes: [python('a', '{q: a}'), python('b', '{q: a, r: "${inputs.q}"}')],
    files: { 'a.py': provider('C', 'r: str'), 'b.py': provider('D', 'r') },
  },
  'classes of tools that are made with what is given, or otherwise than is seen': {
    nodes: [python('a', '{q: a, r: b}'), python('b', '{q: a}'), python('c', '{q: a}')],
    files: {
      'a.py': provider('C', 'r: str, *, s=NOTHING, **more').replace('class', 'NOTHING = None\nclass'),
      'b.py': `${provider('D', 'r')}    __init__ = lambda self: None\n`,
      'c.py': provider('E', 'r').replace(
        'class',
        'def made(one):\n    return type("E", (one,), {"__init__": lambda self: None})\n@made\nclass',
      ),
    },
  },
  'code that fails whenever it is loaded': {
    nodes: [python('a', '{q: hi}'), code('b'), code('c')],
    files: {
      'a.py': `from helper import said\n${tool}def a(q):\n    return said(q)\n`,
      'helper.py': 'def said(text):\n    return text\n\nraise RuntimeError("not yet")\n',
      'b.ts': 'export default () => "b";\n\nthrow new Error("not yet");\n',
      'c.ts': 'const said = 1;\nlet said = 2;\nexport default () => said;\n',
    },
  },
  'code that fails only where it comes to it': {
    nodes: [python('a', '{q: hi}'), code('b')],
    files: {
      'a.py': `if 1 > 2:\n    raise RuntimeError("never")\n${tool}def a(q):\n    return q\n`,
      'b.ts': `const said: number = 1;
if (said > 1)
throw new Error("never");
else { const said = 2; }
switch (said) { case 2: throw new Error("never"); }
interface Kept { q: string }
class Kept { said = said }
export default () => { const said = 3; return said; };
`,
    },
  },
  'names of Python that nothing gives': {
    nodes: [python('a', '{q: hi}'), python('b', '{q: hi}'), python('c', '{q: hi}')],
    files: {
      'a.py': `import helper\nfrom os import getcwd, pathh\n${tool}def a(q: strr, r: list = lsit()):\n    return helper.said(q)\n`,
      'b.py': `${tool}def b(q):\n    if q:\n        q = q + "!"\n    return qq\n`,
      'c.py': `${tool}def c(q):\n    return "x" if q else missing\n`,
      'helper.py': 'def said(text):\n    return txt.strip()\n\nclass Kind(Base):\n    pass\n',
    },
  },
  'names of Python that may be given': {
    nodes: [python('a', '{q: hi}'), python('b', '{q: hi}')],
    files: {
      'a.py': `from __future__ import annotations
from os import path, sep
from os.path import join
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import pandas as pd
try:
    unicode
except NameError:
    unicode = str
${tool}def a(q: pd.DataFrame, *more: Any, **rest: Any) -> Nothing:
    told: Later = [one for one in q if (last := one)]
    def inner():
        nonlocal told
        global kept
        kept = told
    inner()
    try:
        told = long(last)
    except NameError:
        pass
    return [__file__ != "", len(told), kept, type(rest).__name__, [each for each in more]]
`,
      'b.py': `from json import *\nimport made\n${tool}def b(q):\n    return dumps(q)\n`,
      'made.py':
        'import enum, signal\nenum.IntEnum._convert_("Made", __name__, lambda one: False, source=signal)\nkind = Made\n',
    },
  },
  'prompties that Python code calls': {
    nodes: [python('a', '{q: hi}')],
    files: {
      'a.py': `from helper import ask\n${tool}def a(q):\n    return ask(q)\n`,
      'helper.py': `from promptflow.core import Prompty\n\ndef ask(q):\n    return Prompty.load("sub/ask.prompty")(q=q) + Prompty.load('none.prompty')() + Prompty.load(source="sub/nowhere.prompty")(q=q)\n`,
      'sub/ask.prompty': `---\n${offline}---\nuser:\n{{ q }}\n`,
      'sub/nowhere.prompty': '---\nmodel: {api: chat, configuration: {type: openai}}\n---\nuser:\n{{ q }}\n',
      'none.prompty': 'user:\nhi\n',
      'unnamed.prompty': 'user:\nhi\n',
    },
  },
  'files that Python files open when they are loaded': {
    nodes: [python('a', '{q: hi}')],
    files: {
      'a.py': `import helper\nwith open("none.json", "r") as file:\n    pass\n${tool}def a(q):\n    return open("called.json").read()\nsomething = open("sub/there.txt", mode="rb").read()\ntry:\n    open("tried.txt")\nexcept OSError:\n    pass\n`,
      'helper.py': 'said = [line.strip() for line in open("lines.txt", encoding="utf-8")]\n',
      'sub/there.txt': 'x',
    },
  },
  'files that Python files may make before they open them': {
    nodes: [python('a', '{q: hi}')],
    files: {
      'a.py': `import helper\n${tool}def a(q):\n    return q\nopen("made.txt").read()\n`,
      'helper.py': 'with open("made.txt", "w") as file:\n    file.write("x")\n',
    },
  },
  'variables that Python files ask for when they are loaded': {
    above: 'environment_variables: {GIVEN_IN_FLOW: x}\n',
    nodes: [python('a', '{q: hi}')],
    files: {
      'a.py': `import os\nfrom os import environ\n${tool}def a(q, z=environ["NOT_SET_DEFAULT"]):\n    return os.environ["NOT_SET_CALLED"]\nKEY = os.environ["NOT_SET_KEY"]\nGIVEN = os.environ["GIVEN_IN_FLOW"]\nELSE = os.environ.get("NOT_SET_GET") or os.environ["NOT_SET_BRANCH"]\n`,
    },
  },
  'variables that Python code may set': {
    nodes: [python('a', '{q: hi}')],
    files: {
      'a.py': `import os\nimport settings\n${tool}def a(q):\n    return q\nKEY = os.environ["NOT_SET_KEY"]\n`,
      'settings.py': 'import os\nos.environ["NOT_SET_" + "KEY"] = "x"\n',
    },
  },
  'prompties that Python code gives a model': {
    nodes: [python('a', '{q: hi}')],
    files: {
      'a.py': `from promptflow.core import Prompty\n${tool}def a(q):\n    return Prompty.load("ask.prompty", model={"configuration": {}})(q=q)\n`,
      'ask.prompty': '---\nmodel: {api: chat, configuration: {type: openai}}\n---\nuser:\n{{ q }}\n',
    },
  },
  'templates whose values are all written in the flow': {
    above: 'inputs: {q: {type: string, default: hi}}\n',
    nodes: [
      prompt('a', '{q: [{a: 1}]}'),
      prompt('b', '{q: hi}'),
      prompt('c', '{q: "${inputs.q}"}'),
      ask('d', 'api: chat', '{model: m, q: hi}'),
      '{name: e, type: prompty, source: {type: code, path: e.prompty}, inputs: {}}',
    ],
    files: {
      'a.jinja2': '{{ q[0].b.c }}\n',
      'b.jinja2': '{% if q == "ho" %}{% include "b" %}{% endif %}{{ q }}\n',
      'c.jinja2': '{% if q == "ho" %}{% include "b" %}{% endif %}{{ q }}\n',
      'd.jinja2': '{{ q }}\n',
      'e.prompty': `---\n${offline}---\nuser:\n{{ 1 % 0 }}\n`,
    },
  },
  'tools and functions that are refused before a model is asked': {
    nodes: [
      ask('a', 'api: chat', '{model: m, tools: [{name: x}]}'),
      ask('b', 'api: chat', '{model: m, functions: [{description: x}]}'),
      ask('c', 'api: chat', `{model: m, tools: [${offered}], tool_choice: {type: function}}`),
      '{name: d, type: prompty, source: {type: code, path: d.prompty}, inputs: {}}',
    ],
    files: {
      ...chats('abc'),
      'd.prompty': `---\n${offline.replace('parameters: {}', 'parameters: {tools: [a]}')}---\nuser:\nhi\n`,
    },
  },
  'tools and functions that are sent': {
    nodes: [
      ask('a', 'api: chat', `{model: m, tools: [${offered}], tool_choice: auto, functions: []}`),
      ask('b', 'api: chat', `{model: m, tools: '[{"type": "web_search"}]'}`).replace('offline', 's'),
    ],
    files: { ...chats('ab'), 'connections.yaml': 's: {type: scripted, file: s.yaml}\n', 's.yaml': '- reply: hi\n' },
  },
  'properties that an output never has': {
    above: `outputs:
  a: {type: string, reference: "\${a.output.text}"}
  b: {type: string, reference: "\${a.output.[0].text}"}
  c: {type: string, reference: "\${c.output.idz}"}
  d: {type: string, reference: "\${d.output.x}"}
  e: {type: string, reference: "\${d.output.[0]}"}
`,
    nodes: [
      lookup('a', 'faq.jsonl'),
      '{name: c, type: tool_lookup, catalogue: tools.json, inputs: {query: hi}}',
      prompt('d', '{}'),
    ],
    files: {
      'faq.jsonl': '{"id": "1", "text": "hi"}\n',
      'tools.json':
        '[{"name": "say_hi", "description": "Says hi.", "parameters": {"type": "object", "properties": {}}}]',
      'd.jinja2': 'hi',
    },
  },
  'a property that a loop does not have': {
    above:
      'outputs: {a: {type: string, reference: "${l.output.anwser}"}, b: {type: string, reference: "${l.output.answer}"}}\nloops:\n- {name: l, times: 1, state: "${a.output}", nodes: [{name: b, type: python, source: {type: code, path: a.ts}, inputs: {state: "${loop.state}"}}]}\n',
    nodes: [code('a')],
    files: { 'a.ts': 'export default ({ state }: { state?: unknown }) => ({ finished: true, content: state });\n' },
  },
  'queries and categories that are none': {
    nodes: [
      '{name: a, type: tool_lookup, catalogue: tools.json, inputs: {query: 5}}',
      packageTool(
        'b',
        'promptflow.tools.azure_content_safety.analyze_text',
        '{connection: safe, text: hi, hate_category: high, violence_category: disable}',
      ),
      packageTool('c', 'probe_tools.with_connection', '{connection: own}'),
    ],
    files: {
      ...packageOfTools,
      'tools.json':
        '[{"name": "say_hi", "description": "Says hi.", "parameters": {"type": "object", "properties": {}}}]',
      'connections.yaml':
        'safe: {type: azure_content_safety, endpoint: "http://127.0.0.1:9", api_key: abcdefgh12}\nown: {type: custom, configs: {k: v}, secrets: {secret: abcdefgh12}}\n',
    },
  },
  'images that are not there': {
    above:
      'inputs: {q: {type: image, default: gone.png}, r: {type: list, default: [{"data:image/png;path": gone.png}]}, s: {type: image, default: "https://127.0.0.1:9/a.png"}}\noutputs: {q: {type: string, reference: "${inputs.q}"}}\n',
    nodes: [prompt('a', '{q: "${inputs.q}", r: "${inputs.r}", s: "${inputs.s}"}')],
    files: { 'a.jinja2': '{{ q }}{{ r }}{{ s }}' },
  },
  'connections that the class of a flow takes': {
    flex: 'entry: m:Greet\ninit:\n  c: {type: AzureOpenAIConnection, default: gone}\n  d: {type: AzureOpenAIConnection, default: offline}\n  e: {connection: gone, azure_deployment: d}\nsample: {inputs: {}}\n',
    files: {
      'm.py': `from promptflow.connections import AzureOpenAIConnection
from promptflow.core import AzureOpenAIModelConfiguration
${greet(', c: AzureOpenAIConnection, d: AzureOpenAIConnection, e: AzureOpenAIModelConfiguration')}`,
    },
  },
  'a package tool that fills a template, without one': {
    nodes: [
      packageTool('a', 'promptflow.tools.openai_gpt4v.OpenAI.chat', '{connection: offline, model: m}'),
      packageTool('b', 'promptflow.tools.open_model_llm.OpenModelLLM.call', '{endpoint_name: localConnection/x}'),
    ],
  },
  'a sample that is not there': {
    flex: 'entry: m:f\nsample: gone.json\n',
    files: { 'm.py': 'def f(q: int):\n    return q\n' },
  },
  'a sample that does not fit': {
    flex: 'entry: m:f\nsample: {q: abc}\n',
    files: { 'm.py': 'def f(q: int, r: str):\n    return q\n' },
  },
};

function prompt(name: string, inputs: string): string {
  return `{name: ${name}, type: prompt, source: {type: code, path: ${name}.jinja2}, inputs: ${inputs}}`;
}

function provider(name: string, parameters: string): string {
  return `from promptflow.core import ToolProvider, tool
class ${name}(ToolProvider):
    def __init__(self, ${parameters}):
        super().__init__()
    @tool
    def f(self, q: str):
        return q
`;
}

test('check tells what fails for certain when a node is made ready or in each row', async () => {
  await expect(await besideRun(flows)).toMatchFileSnapshot('check-certain-failures.golden.txt');
});
