import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { completeMapping, Float, type JsonObject, type OpenedFlow, openFlow } from '@unroll/engine';
import { connectionSource, nodeTypes } from '@unroll/nodes';
import { startOpenAiServer } from '@unroll/nodes/testing';
import { bindTestInputs, promptFlow } from '@unroll/promptflow';
import { afterAll, expect, test } from 'vitest';

const root = mkdtempSync(join(tmpdir(), 'unroll-flex-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let count = 0;

function open(
  code: string,
  yaml: string,
  init: JsonObject = {},
  files: Readonly<Record<string, string>> = {},
): Promise<OpenedFlow> {
  count += 1;
  const folder = join(root, `flow-${count}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'main.py'), code);
  writeFileSync(join(folder, 'flow.flex.yaml'), yaml);
  writeFileSync(
    join(folder, 'connections.yaml'),
    'mine: {type: azure_open_ai, api_key: sekret-1, api_base: "https://x", api_version: v}\n',
  );
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const connections = connectionSource({ folders: [folder], environment: {} });
  return openFlow(
    { file: join(folder, 'flow.flex.yaml'), folder },
    { nodeTypes: nodeTypes({ extensions: [promptFlow()] }), connections, init },
  );
}

const dataclass = 'from dataclasses import dataclass\n\n@dataclass\nclass Reply:\n    text: str\n    size: int = 0\n\n';

test.for([
  {
    what: 'a function',
    code: 'def run(q: str, n: int = 2):\n    return q * n\n',
    inputs: { q: 'ab' },
    outputs: { output: 'abab' },
  },
  {
    what: 'inputs as they are, whatever its annotations',
    code: 'def run(s: str, n: int, xs: list):\n    return [s, n, xs]\n',
    inputs: { s: 5, n: '1', xs: 'no list' },
    outputs: { output: [5, '1', 'no list'] },
  },
  {
    what: 'inputs by the types of the file',
    code: 'def run(s, n, xs):\n    return [s, n, xs]\n',
    yaml: 'inputs: {s: {type: string}, n: {type: int}, xs: {type: list}}',
    inputs: { s: 5, n: '1', xs: '[2]' },
    outputs: { output: ['5', 1, [2]] },
  },
  {
    what: 'texts by the types of JSON Schema in the file',
    code: 'def run(b, n, m, xs):\n    return [b, n, m, xs]\n',
    yaml: 'inputs: {b: {type: boolean}, n: {type: number}, m: {type: number}, xs: {type: array}}',
    inputs: { b: 'false', n: '1', m: '1.5', xs: '[2]' },
    outputs: { output: [false, 1, 1.5, [2]] },
  },
  {
    what: 'a class below a decorator that makes it a function, as @trace does where promptflow is installed',
    code: `import functools

def traced(made):
    @functools.wraps(made)
    def wrapped(*args, **kwargs):
        return made(*args, **kwargs)
    return wrapped

@traced
class run:
    def __init__(self, mark: str = "!"):
        self.mark = mark

    def __call__(self, q: str):
        return q + self.mark
`,
    inputs: { q: 'ab' },
    outputs: { output: 'ab!' },
  },
  {
    what: 'an empty default of the file, which leaves it to the code',
    code: 'def run(a: str, b: str = None):\n    return [a, b]\n',
    yaml: 'inputs: {a: {type: string}, b: {type: string, default: ""}}',
    inputs: { a: 'x' },
    outputs: { output: ['x', null] },
  },
  {
    what: 'a default of the file before that of the code',
    code: 'def run(a: str = "code"):\n    return a\n',
    yaml: 'inputs: {a: {type: string, default: file}}',
    inputs: {},
    outputs: { output: 'file' },
  },
  {
    what: 'an input of the signature that the file does not list',
    code: 'def run(a, b=1):\n    return [a, b]\n',
    yaml: 'inputs: {a: {type: string}}',
    inputs: { a: 'x', b: 2 },
    outputs: { output: ['x', 2] },
  },
  {
    what: 'generators in the fields of a dataclass',
    code: `${dataclass}def run():\n    return Reply((str(i) for i in range(3)))\n`,
    inputs: {},
    outputs: { text: '012', size: 0 },
  },
  {
    what: 'what tools import of promptflow: its connections and the context of a run',
    code: 'from promptflow._sdk.entities import AzureOpenAIConnection\nfrom promptflow.tracing._operation_context import OperationContext\n\ndef run():\n    return [AzureOpenAIConnection.__name__, OperationContext.get_instance().flow_id]\n',
    inputs: {},
    outputs: { output: ['AzureOpenAIConnection', 'default_flow_id'] },
  },
  {
    what: 'inputs that may be left out',
    code: 'def run(q: str, xs: list = None, m: dict = None):\n    return [q, xs, m]\n',
    inputs: { q: 'x', m: { a: 3 } },
    outputs: { output: ['x', null, { a: 3 }] },
  },
  {
    what: 'an async function',
    code: 'import asyncio\n\nasync def run(q):\n    await asyncio.sleep(0)\n    return {"got": q}\n',
    inputs: { q: 'x' },
    outputs: { got: 'x' },
  },
  {
    what: 'a generator',
    code: 'def run(q: str):\n    for letter in q:\n        yield letter\n',
    inputs: { q: 'abc' },
    outputs: { output: 'abc' },
  },
  {
    what: 'an async generator',
    code: 'async def run(q: str):\n    for letter in q:\n        yield letter\n',
    inputs: { q: 'abc' },
    outputs: { output: 'abc' },
  },
  {
    what: 'a dataclass',
    code: `${dataclass}def run(q: str) -> Reply:\n    return Reply(q, len(q))\n`,
    inputs: { q: 'abc' },
    outputs: { text: 'abc', size: 3 },
  },
  {
    what: 'a TypedDict',
    code: 'from typing import TypedDict\n\nclass Reply(TypedDict):\n    a: int\n\ndef run() -> "Reply":\n    return {"a": 1, "b": 2}\n',
    inputs: {},
    outputs: { a: 1, b: 2 },
  },
  {
    what: 'declared outputs',
    code: 'def run():\n    return {"a": 1, "b": 2}\n',
    yaml: 'outputs: {b: {type: int}}',
    inputs: {},
    outputs: { a: 1, b: 2 },
  },
  {
    what: 'one declared output and a plain result',
    code: 'def run():\n    return 5\n',
    yaml: 'outputs: {output: {type: int}}',
    inputs: {},
    outputs: { output: 5 },
  },
  {
    what: 'a class',
    code: 'class run:\n    def __init__(self, mark="!"):\n        self.mark = mark\n\n    def __call__(self, *, q: str):\n        return q + self.mark\n',
    inputs: { q: 'x' },
    outputs: { output: 'x!' },
  },
  {
    what: 'a class with an async call',
    code: 'class run:\n    async def __call__(self, q: str):\n        return q\n',
    inputs: { q: 'x' },
    outputs: { output: 'x' },
  },
  {
    what: 'a default that is no literal',
    code: 'import os\n\ndef run(q: str, sep: str = os.sep):\n    return q + sep\n',
    inputs: { q: 'x' },
    outputs: { output: 'x/' },
  },
  {
    what: 'connections of the environment',
    code: 'from promptflow.connections import AzureOpenAIConnection, OpenAIConnection\n\ndef run():\n    azure, own = AzureOpenAIConnection.from_env("a"), OpenAIConnection.from_env()\n    return [azure.name, azure.api_base, azure.api_version, own.api_key, own.base_url]\n',
    yaml: 'environment_variables: {AZURE_OPENAI_ENDPOINT: "https://x", AZURE_OPENAI_API_KEY: k, OPENAI_API_KEY: o}',
    inputs: {},
    outputs: { output: ['a', 'https://x', '2024-02-01', 'o', null] },
  },
  {
    what: 'no connection of an environment that lacks it',
    code: 'from promptflow.connections import AzureOpenAIConnection\n\ndef run():\n    try:\n        AzureOpenAIConnection.from_env()\n    except Exception as error:\n        return [type(error).__name__, str(error)]\n',
    inputs: {},
    outputs: {
      output: [
        'RequiredEnvironmentVariablesNotSetError',
        "Required environment variables ['AZURE_OPENAI_ENDPOINT', 'AZURE_OPENAI_API_KEY'] to build AzureOpenAIConnection not set.",
      ],
    },
  },
  {
    what: 'environment variables',
    code: 'import os\n\ndef run():\n    return os.environ["WORD"]\n',
    yaml: 'environment_variables: {WORD: hi}',
    inputs: {},
    outputs: { output: 'hi' },
  },
])('$what', async ({ code, yaml = '', inputs, outputs }) => {
  const opened = await open(code, `entry: main:run\n${yaml}\n`);
  expect([opened.diagnostics, opened.loadError]).toEqual([[], undefined]);
  await using flow = opened.flow;
  const result = await flow?.runRow(inputs);
  expect(result?.row.error).toBeUndefined();
  expect(result?.row.outputs).toEqual(outputs);
});

test.for([
  {
    what: 'a missing argument, told by the call',
    code: 'class run:\n    def __call__(self, a, b):\n        pass\n',
    inputs: { a: 1 },
    error: [
      'ScriptExecutionError',
      "Execution failure in 'run.__call__': (TypeError) run.__call__() missing 1 required positional argument: 'b'",
    ],
  },
  {
    what: 'a missing argument that the file lists, told before it',
    code: 'def run(a):\n    pass\n',
    yaml: 'inputs: {a: {type: string}}',
    inputs: {},
    error: [
      'InputNotFound',
      "The input for flow is incorrect. The value for flow input 'a' is not provided in input data. Please review your input data or remove this input in your flow if it's no longer needed.",
    ],
  },
  {
    what: 'an exception of async code, as it is',
    code: 'async def run(a):\n    raise ValueError("no " + a)\n',
    inputs: { a: 'way' },
    error: ['ValueError', 'no way'],
  },
  {
    what: 'a missing argument of async code',
    code: 'async def run(a):\n    pass\n',
    inputs: {},
    error: ['TypeError', "run() missing 1 required positional argument: 'a'"],
  },
  {
    what: "an exception of promptflow's own, like any other",
    code: 'from promptflow.exceptions import UserErrorException\n\ndef run():\n    raise UserErrorException("no")\n',
    inputs: {},
    error: ['ScriptExecutionError', "Execution failure in 'run': (UserErrorException) no"],
  },
])('fails with $what', async ({ code, yaml = '', inputs, error }) => {
  const opened = await open(code, `entry: main:run\n${yaml}\n`);
  await using flow = opened.flow;
  const failed = (await flow?.runRow(inputs))?.row.error;
  expect([failed?.code, failed?.message]).toEqual(error);
});

test.for([
  ['n: int', { n: '1' }, { n: 1 }],
  ['n: bool, s: str', { n: 'true', s: 5 }, { n: true, s: '5' }],
  ['n, m: list = None', { n: 'x' }, { n: 'x' }],
  ['n: int', {}, 'Required input(s) [\'n\'] are missing for "flow".'],
  [
    'n: int',
    { n: 'x' },
    "The input for flow is incorrect. The value for flow input 'n' does not match the expected type 'int'. Please change flow input type or adjust the input value in your input data.",
  ],
] as const)('a test reads by the annotations of run(%s): %o', async ([parameters, given, expected]) => {
  const opened = await open(`def run(${parameters}):\n    pass\n`, 'entry: main:run\n');
  await using flow = opened.flow;
  const bound = flow === undefined ? undefined : bindTestInputs(flow.plan, given);
  expect(bound?.ok ? bound.inputs : bound?.error.message).toEqual(expected);
});

test.for([
  ['a', 'inputs: {a: {default: file}}', { a: '${data.a}' }],
  ['a=1', 'inputs: {a: {default: file}}', {}],
  ['a=1', 'inputs: {a: {type: int}}', {}],
  ['a, b=1', '', { a: '${data.a}' }],
] as const)('columns that run(%s) takes with %o', async ([parameters, yaml, expected]) => {
  const opened = await open(`def run(${parameters}):\n    pass\n`, `entry: main:run\n${yaml}\n`);
  await using flow = opened.flow;
  expect(completeMapping(flow?.plan.inputs ?? [])).toEqual(expected);
});

test.for([
  ['a list', 'def run(a, b=[]):\n    b.append(a)\n    return {"b": b}\n', { b: [7] }],
  ['a mapping', 'async def run(a, b: dict = {}):\n    b[str(len(b))] = a\n    return {"b": b}\n', { b: { 0: 7 } }],
  ['what is in it', 'def run(a, *, b=[[1]]):\n    b[0].append(a)\n    return {"b": b}\n', { b: [[1, 7]] }],
] as const)('a default of a parameter is that of one row alone: %s', async ([, code, outputs]) => {
  const opened = await open(code, 'entry: main:run\n');
  await using flow = opened.flow;
  const rows = [await flow?.runRow({ a: 7 }), await flow?.runRow({ a: 7 })];
  expect(rows.map((ran) => ran?.row.outputs)).toEqual([outputs, outputs]);
});

const elsewhere = {
  'other.py':
    'from inner.deep import Base as Root\nimport typing\n\nclass Reply(typing.TypedDict):\n    said: str\n\ndef say(q: str) -> Reply:\n    return {"said": q}\n',
  'inner/__init__.py': 'from .deep import Base\n',
  'inner/deep.py':
    'class Base:\n    def __call__(self, q: str, n: int = 2):\n        return q * n\n\n    def __aggregate__(self, lines):\n        return {"n": len(lines)}\n',
};

interface Elsewhere {
  readonly what: string;
  readonly code: string;
  readonly entry?: string;
  readonly inputs?: JsonObject;
  readonly outputs: JsonObject;
}

test.for([
  {
    what: 'a function of another module',
    code: 'from other import (\n    say as run,  # renamed\n)\n',
    outputs: { said: 'ab' },
  },
  { what: 'a class of a package', code: 'from inner import Base\n', entry: 'main:Base', outputs: { output: 'abab' } },
  {
    what: 'what a class inherits',
    code: 'import other\nfrom other import Root\n\nclass Own(Root):\n    x = 1\n',
    entry: 'main:Own',
    outputs: { output: 'abab' },
  },
  { what: 'a function that is no definition', code: 'run = lambda q: q + "!"\n', outputs: { output: 'ab!' } },
  {
    what: 'names in Japanese',
    code: 'class 答え:\n    def __call__(self, q, 回数=2):\n        return q * 回数\n',
    entry: 'main:答え',
    inputs: { q: 'a', 回数: 3 },
    outputs: { output: 'aaa' },
  },
  {
    what: 'a function that is made',
    code: 'import functools\n\ndef wrap(f):\n    return functools.wraps(f)(lambda *a, **k: f(*a, **k))\n\n\nrun = wrap(lambda q: q + "?")\n',
    outputs: { output: 'ab?' },
  },
] as readonly Elsewhere[])(
  'an entry that is written elsewhere: $what',
  async ({ code, entry = 'main:run', inputs = { q: 'ab', more: 1 }, outputs }) => {
    const opened = await open(code, `entry: ${entry}\n`, {}, elsewhere);
    expect([opened.diagnostics, opened.loadError]).toEqual([[], undefined]);
    await using flow = opened.flow;
    const ran = await flow?.runRow(inputs);
    expect(ran?.row.error).toBeUndefined();
    expect(ran?.row.outputs).toEqual(outputs);
  },
);

const withConnection = `from promptflow.core import AzureOpenAIModelConfiguration
from promptflow.connections import AzureOpenAIConnection

class Chat:
    def __init__(self, conn: AzureOpenAIConnection = None, model_config: AzureOpenAIModelConfiguration = None, n: int = 0):
        self.conn, self.model, self.n = conn, model_config, n

    def __call__(self, q: str):
        if q == "fail":
            raise ValueError("key is " + self.conn.api_key)
        if self.conn:
            return [type(self.conn).__name__, self.conn.api_base, self.conn.api_key == "sekret-1"]
        return [self.model.azure_deployment, self.model.azure_endpoint, self.model.api_version, self.n]
`;

test('a class is made with arguments: connections by name, model configurations', async () => {
  const first = await open(withConnection, 'entry: main:Chat\n', { conn: 'mine' });
  await using one = first.flow;
  expect((await one?.runRow({ q: 'x' }))?.row.outputs).toEqual({
    output: ['AzureOpenAIConnection', 'https://x', true],
  });
  const failed = await one?.runRow({ q: 'fail' });
  expect(failed?.row.error?.message).toBe("Execution failure in 'Chat.__call__': (ValueError) key is ***");
  expect(JSON.stringify(failed)).not.toContain('sekret');
  const init = 'entry: main:Chat\ninit:\n  n: {type: int, default: 3}\n';
  const second = await open(withConnection, init, { model_config: { connection: 'mine', azure_deployment: 'gpt' } });
  await using two = second.flow;
  expect((await two?.runRow({ q: 'x' }))?.row.outputs).toEqual({ output: ['gpt', 'https://x', 'v', 3] });
});

const promptyInModule = {
  'asking.py': `import pathlib
from promptflow.core import Prompty

def ask(model, question):
    prompty = Prompty.load(source=pathlib.Path(__file__).parent / "ask.prompty", model={"configuration": model})
    assert "Hi" in prompty.render(question="Hi")
    return prompty(question=question)
`,
  'ask.prompty': `---
model:
  configuration: {type: azure_openai, azure_deployment: none}
  parameters: {temperature: 0.5}
inputs: {question: {type: string}}
---
user:
{{question}}
`,
  // The same on every machine.
  'jinja2.py': 'raise ImportError("there is none")\n',
};

test('a class asks a prompty in a module of the flow, with the model it was made with', async () => {
  await using server = await startOpenAiServer([{ message: { content: 'Hello.' } }, { message: { content: 'Hey.' } }]);
  const code = `from asking import ask
from promptflow.core import AzureOpenAIModelConfiguration

class Chat:
    def __init__(self, model_config: AzureOpenAIModelConfiguration = None):
        self.model = model_config or AzureOpenAIModelConfiguration(connection="there", azure_deployment="big")

    def __call__(self, question: str) -> str:
        return ask(self.model, question)
`;
  const init = { model_config: { connection: 'there', azure_deployment: 'gpt' } };
  const files = {
    ...promptyInModule,
    'connections.yaml': `there: {type: azure_open_ai, api_key: k, api_base: "${server.url}"}\n`,
  };
  for (const [given, output, model] of [[init, 'Hello.', 'gpt'] as const, [{}, 'Hey.', 'big'] as const]) {
    const opened = await open(code, 'entry: main:Chat\n', given, files);
    await using flow = opened.flow;
    const ran = await flow?.runRow({ question: 'What?' });
    expect(ran?.row.error).toBeUndefined();
    expect(ran?.row.outputs).toEqual({ output });
    expect(server.requests.at(-1)?.body).toEqual({
      model,
      temperature: 0.5,
      messages: [{ role: 'user', content: 'What?' }],
    });
  }
});

const scored = 'class Judge:\n    def __call__(self, a: int):\n        return {"score": a * 2}\n\n';

test.for([
  {
    what: 'the mapping it gives',
    code: `${scored}    def __aggregate__(self, line_results: list):\n        return {"mean": sum(one["score"] for one in line_results) / len(line_results)}\n`,
    metrics: { mean: new Float(4) },
  },
  {
    what: 'the mapping it gives where promptflow itself is installed, and nothing of it was imported',
    code: `${scored}    def __aggregate__(self, line_results):\n        return {"n": len(line_results)}\n`,
    files: {
      'promptflow/__init__.py': '',
      'promptflow/core/__init__.py': 'def log_metric(key, value):\n    raise RuntimeError("nobody listens yet")\n',
    },
    metrics: { n: 3 },
  },
  {
    what: 'nothing where it gives no mapping, whatever it logs',
    code: `from promptflow.core import log_metric\n${scored}    def __aggregate__(self, line_results):\n        log_metric("a", 1)\n        return line_results\n`,
    metrics: {},
  },
  {
    what: 'the mapping of async code, and nothing it logs beside',
    code: `from promptflow.core import log_metric\n${scored}    async def __aggregate__(self, line_results):\n        log_metric("a", 1)\n        return {"n": len(line_results)}\n`,
    metrics: { n: 3 },
  },
  {
    what: 'made of records, which come as mappings whose members are attributes too',
    code: `${dataclass}class Judge:\n    def __call__(self, a: int) -> Reply:\n        return Reply("x", a)\n\n    def __aggregate__(self, line_results):\n        return {"most": max(one.size for one in line_results), "all": sum(one["size"] for one in line_results)}\n`,
    metrics: { most: 3, all: 6 },
  },
  {
    what: 'made of mappings, whose members are attributes too',
    code: `class Judge:\n    def __call__(self, a: int):\n        return {"size": a}\n\n    def __aggregate__(self, line_results):\n        has = [hasattr(one, "none") or getattr(one, "no", 0) for one in line_results]\n        return {"most": max(one.size for one in line_results), "has": has, "told": repr(line_results[0])}\n`,
    metrics: { most: 3, has: [0, 0, 0], told: "{'size': 1}" },
  },
  {
    what: 'nothing where it fails',
    code: `from promptflow.core import log_metric\n${scored}    def __aggregate__(self, line_results):\n        log_metric("a", 1)\n        raise NotImplementedError\n`,
    metrics: {},
  },
])('metrics of __aggregate__: $what', async ({ code, metrics, files }) => {
  const { flow: opened } = await open(code, 'entry: main:Judge\n', {}, files);
  await using flow = opened;
  const rows = await Promise.all([1, 2, 3].map((a, line) => flow?.runRow({ a }, { line })));
  const aggregated = await flow?.runAggregation(rows.filter((row) => row !== undefined));
  expect(aggregated?.metrics).toEqual(metrics);
});

test.for([
  ['entry: main', 'FLEX_ENTRY entry must be module:function or module:Class, not "main"'],
  ['inputs: {}', 'FLEX_ENTRY entry must be module:function or module:Class'],
  ['entry: 5', 'FLEX_ENTRY entry must be module:function or module:Class, not 5'],
  ['entry: main:Bare', 'FLEX_ENTRY the class "Bare" cannot be called: it has no __call__'],
  ['entry: man:run', 'FLEX_ENTRY there is no module man'],
  ['entry: main:rum', 'FLEX_ENTRY main.py has no function or class "rum"'],
  ['entry: (Basic)Basic.Hello\nlanguage: csharp', 'FLOW_LANGUAGE flows in C# do not run here: their nodes need .NET'],
  ['entry: main:run\ninputs: {q: {type: strng}}', 'FLOW_INPUT_TYPE inputs.q has the unknown type "strng"', 'string'],
  ['entry: main:number', 'FLEX_ENTRY main.py has no function or class "number"', 'it has run, Bare'],
  ['entri: main:run', 'FLOW_UNKNOWN_KEY unknown key "entri"', 'did you mean "entry"?'],
  ['entry: main.run', 'FLEX_ENTRY entry must be module:function or module:Class, not "main.run"', '"main:run"?'],
  ['entry: main.py:run', 'FLEX_ENTRY there is no module main.py', 'named without .py: main:run'],
] as const)('%s', async ([yaml, expected, meant = '']) => {
  const { diagnostics } = await open('def run():\n    pass\n\nclass Bare:\n    x = 1\n\nnumber = "3"\n', `${yaml}\n`);
  expect(diagnostics.map(({ code, message }) => `${code} ${message}`)[0]).toEqual(expected);
  expect(diagnostics[0]?.help ?? '').toContain(meant);
});

function asking(type: string): string {
  return `from promptflow.core import ${type}\n\nclass run:\n    def __init__(self, a: ${type}):\n        pass\n\n    def __call__(self):\n        pass\n`;
}

test.for([
  ['import no_such_module\n\ndef run():\n    pass\n', {}, "(ModuleNotFoundError) No module named 'no_such_module'"],
  [
    'class run:\n    def __init__(self, a):\n        pass\n    def __call__(self):\n        pass\n',
    {},
    "missing 1 required positional argument: 'a'",
  ],
  [
    'class run:\n    def __init__(self, a):\n        pass\n    def __call__(self):\n        pass\n',
    { b: 1 },
    "Failed to initialize flow entry with '{'b': 1}', ex:'run.__init__() got an unexpected keyword argument 'b'.",
  ],
  [asking('AzureOpenAIConnection'), {}, "Failed to initialize flow entry with '{}', ex:''a'."],
  [
    asking('AzureOpenAIConnection'),
    { a: 'yours' },
    "ex:'Connection 'yours' not found in dict connection provider. Available keys are ['offline', 'mine']",
  ],
  [
    asking('AzureOpenAIModelConfiguration'),
    { a: { azure_deployment: 'd', connection: 'yours' } },
    "ex:'Connection 'yours' not found in dict connection provider. Available keys are ['offline', 'mine']",
  ],
  [
    asking('AzureOpenAIModelConfiguration'),
    { a: { azure_deployment: 'd', connection: 'mine', api_key: 'k' } },
    "ex:'Cannot configure model config and connection at the same time..",
  ],
  [
    asking('AzureOpenAIModelConfiguration'),
    { a: 'text' },
    "ex:'Model config value is not an instance of <class 'promptflow.core._model_configuration.AzureOpenAIModelConfiguration'>, got <class 'str'>.",
  ],
] as const)('what cannot be loaded is told before a row runs: %s', async ([code, init, message]) => {
  const { flow, loadError } = await open(code, 'entry: main:run\n', init as JsonObject);
  expect(flow).toBeUndefined();
  expect(loadError?.message).toContain(message);
});

test.for([
  [asking('AzureOpenAIModelConfiguration'), {}, `--init 'a={"connection": "NAME", "azure_deployment": "NAME"}'`],
  [asking('OpenAIModelConfiguration'), {}, `--init 'a={"connection": "NAME", "model": "NAME"}'`],
  [asking('AzureOpenAIConnection'), {}, '--init a=NAME_OF_A_CONNECTION'],
  [
    'class run:\n    def __init__(self, a, b, c=1):\n        pass\n    def __call__(self):\n        pass\n',
    { b: 1 },
    '--init a=…',
  ],
] as const)('what the class takes and nobody gave is told as it is given: %s', async ([code, init, option]) => {
  const { loadError } = await open(code, 'entry: main:run\n', init as JsonObject);
  expect(loadError?.help).toBe(`give what the class takes: ${option}, or write it under init in flow.flex.yaml`);
});
