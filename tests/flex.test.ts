import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Float, type OpenedFlow, openFlow, type Values } from '@unroll/engine';
import { connectionSource, nodeTypes } from '@unroll/nodes';
import { afterAll, expect, test } from 'vitest';

const root = mkdtempSync(join(tmpdir(), 'unroll-flex-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let count = 0;

function open(code: string, yaml: string, init: Values = {}): Promise<OpenedFlow> {
  count += 1;
  const folder = join(root, `flow-${count}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'main.py'), code);
  writeFileSync(join(folder, 'flow.flex.yaml'), yaml);
  writeFileSync(
    join(folder, 'connections.yaml'),
    'mine: {type: azure_open_ai, api_key: sekret-1, api_base: "https://x", api_version: v}\n',
  );
  const connections = connectionSource({ folders: [folder], environment: {} });
  return openFlow({ file: join(folder, 'flow.flex.yaml'), folder }, { nodeTypes: nodeTypes(), connections, init });
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
    what: 'inputs of its types',
    code: 'def run(n: int, xs: list, m: dict):\n    return [n + 1, xs, m]\n',
    inputs: { n: '1', xs: '[2]', m: '{"a": 3}' },
    outputs: { output: [2, [2], { a: 3 }] },
  },
  {
    what: 'inputs that are not of its types, as they are',
    code: 'def run(s: str, xs: list):\n    return [s, xs]\n',
    inputs: { s: 5, xs: 'no list' },
    outputs: { output: [5, 'no list'] },
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
  expect(failed?.row.error?.message).toBe("Execution failure in 'Chat.__call__': (ValueError) key is **********");
  expect(JSON.stringify(failed)).not.toContain('sekret');
  const init = 'entry: main:Chat\ninit:\n  n: {type: int, default: 3}\n';
  const second = await open(withConnection, init, { model_config: { connection: 'mine', azure_deployment: 'gpt' } });
  await using two = second.flow;
  expect((await two?.runRow({ q: 'x' }))?.row.outputs).toEqual({ output: ['gpt', 'https://x', 'v', 3] });
});

test('__aggregate__ makes the metrics of all rows', async () => {
  const code =
    'class Judge:\n    def __call__(self, a: int):\n        return {"score": a * 2}\n\n    def __aggregate__(self, line_results: list):\n        return {"mean": sum(one["score"] for one in line_results) / len(line_results)}\n';
  const { flow: opened } = await open(code, 'entry: main:Judge\n');
  await using flow = opened;
  const rows = await Promise.all([1, 2, 3].map((a, line) => flow?.runRow({ a }, { line })));
  const aggregated = await flow?.runAggregation(rows.filter((row) => row !== undefined));
  expect(aggregated?.metrics).toEqual({ mean: new Float(4) });
});

test.for([
  ['entry: main', 'FLEX_ENTRY entry must be module:function or module:Class, not "main"'],
  ['inputs: {}', 'FLEX_ENTRY entry must be module:function or module:Class'],
  ['entry: man:run', 'FLEX_ENTRY there is no module man'],
  ['entry: main:rum', 'FLEX_ENTRY main.py has no function or class "rum"'],
  ['entry: (Basic)Basic.Hello\nlanguage: csharp', 'FLOW_LANGUAGE flows in C# do not run here: their nodes need .NET'],
] as const)('%s', async ([yaml, expected]) => {
  const { diagnostics } = await open('def run():\n    pass\n', `${yaml}\n`);
  expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([expected]);
});

test.for([
  ['import no_such_module\n\ndef run():\n    pass\n', {}, "(ModuleNotFoundError) No module named 'no_such_module'"],
  [
    'class run:\n    def __init__(self, a):\n        pass\n    def __call__(self):\n        pass\n',
    {},
    "missing 1 required positional argument: 'a'",
  ],
  [
    'class run:\n    def __init__(self, a):\n        pass\n    def __call__(self):\n        pass\n',
    { a: { connection: 'yours' } },
    "Connection 'yours' is not found.",
  ],
] as const)('what cannot be loaded is told before a row runs: %s', async ([code, init, message]) => {
  const { flow, loadError } = await open(code, 'entry: main:run\n', init as Values);
  expect(flow).toBeUndefined();
  expect(loadError?.message).toContain(message);
});
