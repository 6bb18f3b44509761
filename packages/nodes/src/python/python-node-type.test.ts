import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Float, type JsonValue, rowAlone, stringifyJson } from '@unroll/engine';
import { promptFlowModules } from '@unroll/promptflow';
import { expect, test } from 'vitest';
import { PythonHandle } from '../python-objects/python-handle.ts';
import { createTestFlow, runNode, type TestFlow, type TestFlowOptions } from '../testing/test-flow.ts';

const flowOf = (files: Readonly<Record<string, string>>, options: TestFlowOptions = {}): TestFlow =>
  createTestFlow(files, { standIns: [promptFlowModules], ...options });

const head = 'from promptflow.core import tool\n\n';

test('a tool answers, with what it printed', async () => {
  await using flow = flowOf({
    'echo.py': `${head}@tool\ndef echo(x):\n    print("seen", x)\n    return {"type": type(x).__name__, "value": x}\n`,
  });
  const node = await flow.prepare('echo.py', { references: ['x'] });
  expect(await runNode(node, { x: 'é日本' })).toEqual({
    ok: true,
    output: { type: 'str', value: 'é日本' },
    report: { logs: { stdout: 'seen é日本\n', stderr: '' } },
  });
  for (const x of [1, new Float(1), 1.5, null, true, 12345678901234567890n, [1, { a: [] }], Number.POSITIVE_INFINITY]) {
    const outcome = await runNode(node, { x });
    if (!outcome.ok) throw new Error(outcome.error.message);
    expect(stringifyJson((outcome.output as { value: typeof x }).value)).toBe(stringifyJson(x));
  }
});

test.each([
  ['one(a, b)', 'return 1', 'TypeError', "one() missing 1 required positional argument: 'b'", []],
  ['one(a)', 'return {}[a]', 'KeyError', "'x'", ['t.py:5 in one']],
  ['one(a)', 'raise SystemExit(3)', 'SystemExit', '3', ['t.py:5 in one']],
])('%s: %s fails as Prompt flow says', async (signature, body, code, message, trace) => {
  await using flow = flowOf({ 't.py': `${head}@tool\ndef ${signature}:\n    ${body}\n` });
  const node = await flow.prepare('t.py');
  expect(await runNode(node, { a: 'x' })).toEqual({
    ok: false,
    error: {
      code: 'ToolExecutionError',
      message: `Execution failure in 'n': (${code}) ${message}`,
      retryable: false,
      cause: { code, message },
      trace,
    },
  });
});

test.each([
  [
    'raise Exception("search failed") from TimeoutError("no answer of search.windows.net")',
    ['TimeoutError: no answer of search.windows.net'],
  ],
  [
    'try:\n        try:\n            {}["key"]\n        except KeyError as e:\n            raise ValueError("inner") from e\n    except ValueError:\n        raise Exception("search failed")',
    ['ValueError: inner', "KeyError: 'key'"],
  ],
  [
    'try:\n        raise Exception("search failed")\n    except Exception as e:\n        raise Exception(str(e)) from e',
    undefined,
  ],
  ['try:\n        {}["key"]\n    except KeyError:\n        raise Exception("search failed") from None', undefined],
  [
    'a = Exception("search failed"); b = KeyError("k"); a.__cause__ = b; b.__cause__ = a\n    raise a',
    ["KeyError: 'k'"],
  ],
  [
    'class BaseExceptionGroup(Exception): exceptions = (ValueError("first"), KeyError("k"))\n    raise Exception("search failed") from BaseExceptionGroup("two")',
    ['BaseExceptionGroup: two', 'ValueError: first', "KeyError: 'k'"],
  ],
  ['raise Exception("search failed") from TimeoutError()', ['TimeoutError']],
  [
    'class Many(Exception):\n        def __len__(self): return 0\n    raise Exception("search failed") from Many("of none")',
    ['Many: of none'],
  ],
  [
    'class BaseExceptionGroup(Exception): exceptions = ("first", ValueError("second"))\n    raise Exception("search failed") from BaseExceptionGroup("two")',
    ['BaseExceptionGroup: two', 'ValueError: second'],
  ],
])('what an exception was raised from is told beside it, as Python prints it: %s', async (body, from) => {
  await using flow = flowOf({ 't.py': `${head}@tool\ndef t():\n    ${body}\n` });
  const outcome = await runNode(await flow.prepare('t.py'), {});
  expect(outcome.ok ? undefined : { message: outcome.error.message, cause: outcome.error.cause }).toEqual({
    message: "Execution failure in 'n': (Exception) search failed",
    cause: { code: 'Exception', message: 'search failed', ...(from && { from }) },
  });
});

test.each([
  [
    'class Odd(Exception):\n        exceptions = property(lambda self: 1 / 0)\n        __cause__ = property(lambda self: 1 / 0)',
    'Odd',
  ],
  ['Odd = type("Kind", (type,), {"__name__": property(lambda kind: 1 / 0)})("Odd", (Exception,), {})', 'Exception'],
])('an exception that cannot be looked at fails the node: %s', async (written, code) => {
  await using flow = flowOf({ 't.py': `${head}@tool\ndef t():\n    ${written}\n    raise Odd("search failed")\n` });
  const outcome = await runNode(await flow.prepare('t.py'), {});
  expect(outcome).toMatchObject({ ok: false, error: { cause: { code, message: 'search failed' } } });
});

test.each([
  ['open("http://127.0.0.1:1")', false],
  ['raise ConnectionRefusedError("no")', true],
  ['import socket; socket.create_connection(("127.0.0.1", 1))', true],
  ['import urllib.request; urllib.request.urlopen("http://127.0.0.1:1")', true],
  ['raise Exception("search failed") from TimeoutError("no answer")', true],
  ['raise type("ServiceRequestError", (Exception,), {})("no")', true],
  ['raise KeyError("no")', false],
])('whether another try may pass: %s', async (body, passes) => {
  await using flow = flowOf({ 't.py': `${head}@tool\ndef t():\n    ${body}\n` });
  expect(await runNode(await flow.prepare('t.py'), {})).toMatchObject({ ok: false, error: { retryable: passes } });
});

test.each([
  [
    'raise ValueError("no")',
    'PythonLoadError',
    (file: string) => `Failed to load python module from file '${file}': (ValueError) no`,
  ],
  [
    'raise KeyboardInterrupt',
    'PythonLoadError',
    (file: string) => `Failed to load python module from file '${file}': (KeyboardInterrupt) `,
  ],
  [
    'def (',
    'PythonLoadError',
    (file: string) => `Failed to load python module from file '${file}': (SyntaxError) invalid syntax (t.py, line 1)`,
  ],
  [
    'x = 1',
    'NoToolDefined',
    () =>
      'No tool found in the python script. Please make sure you have one and only one tool definition in your script.',
  ],
  [
    `${head}@tool\ndef b(): pass\n@tool\ndef a(): pass`,
    'MultipleToolsDefined',
    () =>
      'Expected 1 but collected 2 tools: a, b. Please make sure you have one and only one tool definition in your script.',
  ],
])('a file that cannot be a node: %s', async (text, code, message) => {
  await using flow = flowOf({ 't.py': text });
  await expect(flow.prepare('t.py')).rejects.toMatchObject({
    error: { code, message: message(`${flow.folder}/t.py`) },
  });
});

test.for([
  [
    '"é".encode().decode("ascii")',
    'name the encoding: open(path, encoding="utf-8"); where none is named it is that of the system',
  ],
  [
    'print("é".encode("cp1252").decode())',
    'what is read is not in UTF-8: name its encoding, as in open(path, encoding="cp932") for Shift_JIS',
  ],
  [
    '"é".encode("ascii")',
    'name the encoding: open(path, encoding="utf-8"); where none is named it is that of the system',
  ],
  ['"\\ud800".encode()', undefined],
] as const)('a text in another encoding is told with the way out: %s', async ([body, help]) => {
  await using flow = flowOf({ 't.py': `${head}@tool\ndef t():\n    ${body}\n` });
  const outcome = await runNode(await flow.prepare('t.py'));
  expect(outcome.ok ? 'ok' : outcome.error.help).toBe(help);
});

test('literals become values of the parameter types', async () => {
  await using flow = flowOf({
    't.py': `${head}from typing import List\n@tool\ndef t(i: int, d: float, b: bool, s: str, l: List[int], o: dict, n=3, e="d", **kw):\n    return [i, d, b, s, l, o, n, e, kw]\n`,
  });
  const literals = { i: '4', d: 2, b: 'True', s: 5, l: '[1]', o: '{"a": 1}', n: '7', e: '', k: null, z: 'kept' };
  const node = await flow.prepare('t.py', { literals });
  const outcome = await runNode(node);
  expect(outcome.ok && stringifyJson(outcome.output)).toBe('[4,2.0,true,"5",[1],{"a":1},7,"d",{"z":"kept"}]');
  expect([...node.parametersWithDefault].sort()).toEqual(['e', 'n']);
  await expect(flow.prepare('t.py', { name: 'm', literals: { ...literals, i: 'forty' } })).rejects.toMatchObject({
    error: { code: 'NodeInputValidationError', message: "Input 'i' for node 'm' of value 'forty' is not type int." },
  });
});

test('async, generator and async generator tools; each node has its own module', async () => {
  await using flow = flowOf({
    'a.py': `${head}import asyncio\n@tool\nasync def a(n: int):\n    await asyncio.sleep(0.001)\n    print("in", n)\n    return n + 1\n`,
    'g.py': `${head}@tool\ndef g():\n    yield 1\n    yield "b"\n`,
    'h.py': `${head}@tool\nasync def h():\n    yield 1\n    yield 2\n`,
    'c.py': `count = 0\ndef counted():\n    global count\n    count += 1\n    return [count, __name__, __file__]\n`,
  });
  const logs = { stdout: 'in 3\n', stderr: '' };
  expect(await runNode(await flow.prepare('a.py'), { n: 3 })).toEqual({ ok: true, output: 4, report: { logs } });
  for (const [name, text, items] of [
    ['g', '1b', [1, 'b']],
    ['h', '12', [1, 2]],
  ] as const) {
    const { output } = (await runNode(await flow.prepare(`${name}.py`, { name }))) as unknown as {
      output: PythonHandle;
    };
    expect(output.isStream).toBe(true);
    expect(await output.give()).toEqual({ ok: true, value: text });
    expect(await output.give()).toEqual({ ok: true, value: '' });
    expect(await output.taken()).toEqual(items);
  }
  const [first, second] = [await flow.prepare('c.py', { name: 'c1' }), await flow.prepare('c.py', { name: 'c2' })];
  await runNode(first);
  expect(await runNode(first)).toMatchObject({ output: [2, '__pf_main__', `${flow.folder}/c.py`] });
  expect(await runNode(second)).toMatchObject({ output: [1, '__pf_main__', `${flow.folder}/c.py`] });
});

test('objects that JSON cannot carry stay in the worker and print as their repr', async () => {
  await using flow = flowOf({
    'make.py': `${head}from dataclasses import dataclass\n@dataclass\nclass O:\n    field: str\n    inner: dict\n\n@tool\ndef make():\n    return {"o": O(field="v", inner={"k": [1, 2]})}\n`,
    'use.py': `${head}@tool\ndef use(x):\n    x["o"].inner["k"].append(3)\n    return x["o"].inner["k"]\n`,
  });
  const make = await flow.prepare('make.py', { name: 'make' });
  const use = await flow.prepare('use.py', { name: 'use' });
  const row = rowAlone();
  const made = await runNode(make, {}, { row });
  if (!made.ok) throw new Error(made.error.message);
  expect(stringifyJson(made.output)).toBe(`{"o":"O(field='v', inner={'k': [1, 2]})"}`);
  expect(await runNode(use, { x: made.output }, { row })).toEqual({ ok: true, output: [1, 2, 3] });
  const handle = (made.output as unknown as { readonly o: PythonHandle }).o;
  expect(handle).toBeInstanceOf(PythonHandle);
  expect(await handle.read("inner['k'][1]")).toEqual({ ok: true, value: 2 });
  expect(await handle.read('nope')).toMatchObject({ ok: false, error: { type: 'AttributeError' } });
});

test('an object is lost with its worker, and prints as str and repr', async () => {
  await using flow = flowOf({
    'make.py': 'import datetime\ndef make():\n    return datetime.date(2024, 1, 2)\n',
    'use.py': 'import os\ndef use(x):\n    os._exit(1)\n',
  });
  const [make, use] = [await flow.prepare('make.py', { name: 'make' }), await flow.prepare('use.py', { name: 'use' })];
  const made = await runNode(make);
  if (!made.ok) throw new Error(made.error.message);
  expect([stringifyJson(made.output), String(made.output)]).toEqual(['"datetime.date(2024, 1, 2)"', '2024-01-02']);
  expect(await runNode(use, { x: made.output })).toMatchObject({ error: { code: 'WorkerCrashed' } });
  expect(await runNode(use, { x: made.output })).toMatchObject({ error: { code: 'LostObject' } });
});

test('closing lets the worker write what it has buffered', async () => {
  const flow = flowOf(
    {
      't.py':
        'import atexit, os\nfile = open(os.environ["OUT"], "w")\natexit.register(lambda: file.write("bye"))\ndef t():\n    return file.write("hello ")\n',
    },
    { environment: { OUT: join(tmpdir(), `unroll-closing-${process.pid}`) } },
  );
  await runNode(await flow.prepare('t.py'));
  await flow[Symbol.asyncDispose]();
  expect(readFileSync(join(tmpdir(), `unroll-closing-${process.pid}`), 'utf8')).toBe('hello bye');
  rmSync(join(tmpdir(), `unroll-closing-${process.pid}`));
});

test('a large value and many rows at once', async () => {
  await using flow = flowOf({ 't.py': 'def t(x):\n    return x\n' }, { workers: 2 });
  const node = await flow.prepare('t.py');
  const large = 'あ\n'.repeat(400_000);
  expect(await runNode(node, { x: large })).toEqual({ ok: true, output: large });
  const rows = Array.from({ length: 200 }, (_, x) => runNode(node, { x }));
  expect((await Promise.all(rows)).map((outcome) => outcome.ok && outcome.output)).toEqual(rows.map((_, x) => x));
});

test('a worker that dies fails its node only and is replaced', async () => {
  await using flow = flowOf(
    {
      't.py': `${head}import os, sys\n@tool\ndef t(die):\n    if die:\n        os.write(2, b"last words")\n        os._exit(7)\n    return os.getpid()\n`,
    },
    { workers: 1 },
  );
  const node = await flow.prepare('t.py');
  const before = await runNode(node, { die: false });
  const [died, after] = await Promise.all([runNode(node, { die: true }), runNode(node, { die: false })]);
  expect(died).toMatchObject({
    ok: false,
    error: {
      code: 'WorkerCrashed',
      message: 'the Python worker ended while this node ran (exit code 7)',
      retryable: true,
    },
    report: { logs: { stderr: 'last words' } },
  });
  expect(after.ok && before.ok && after.output !== before.output).toBe(true);
});

test('a worker that hangs is ended by the signal', async () => {
  await using flow = flowOf(
    {
      't.py': `${head}import time\n@tool\ndef t(hang):\n    while hang:\n        time.sleep(0.01)\n    return "ran"\n`,
    },
    { workers: 1 },
  );
  const node = await flow.prepare('t.py');
  const limit = new AbortController();
  const hung = runNode(node, { hang: true }, { signal: limit.signal });
  const waiting = runNode(node, { hang: false });
  limit.abort();
  expect(await hung).toMatchObject({ ok: false, canceled: true });
  expect(await waiting).toEqual({ ok: true, output: 'ran' });
});

test('nodes that run one after the other run in one thread: a connection of sqlite3 goes from one to the next', async () => {
  await using flow = flowOf(
    { 't.py': `${head}import threading\n@tool\ndef t():\n    return threading.get_ident()\n` },
    { workers: 1 },
  );
  const node = await flow.prepare('t.py');
  const seen = new Set<unknown>();
  for (let call = 0; call < 200; call += 1) {
    const outcome = await runNode(node, {});
    seen.add(outcome.ok ? outcome.output : outcome.error.message);
  }
  expect(seen.size).toBe(1);
});

test('parallel nodes of a row run at once', async () => {
  const meet = `${head}import threading\nfrom meeting import barrier\n@tool\ndef t():\n    return barrier.wait(timeout=20) is not None\n`;
  await using flow = flowOf(
    { 't.py': meet, 'meeting.py': 'import threading\nbarrier = threading.Barrier(3)\n' },
    { workers: 1 },
  );
  const nodes = [
    await flow.prepare('t.py', { name: 'a' }),
    await flow.prepare('t.py', { name: 'b' }),
    await flow.prepare('t.py', { name: 'c' }),
  ];
  const row = rowAlone();
  const outcomes = await Promise.all(nodes.map((node) => runNode(node, {}, { row })));
  expect(outcomes).toEqual([
    { ok: true, output: true },
    { ok: true, output: true },
    { ok: true, output: true },
  ]);
});

test("environment, working folder and helper modules are the flow's; metrics count in aggregation nodes", async () => {
  await using flow = flowOf(
    {
      't.py': `import os\nfrom promptflow import tool, log_metric\nfrom helper import helped\n@tool\ndef t():\n    log_metric("m", 0.5)\n    return [os.environ["SYN_A"], os.getcwd(), helped]\n`,
      'helper.py': 'helped = "yes"\n',
    },
    { environment: { SYN_A: '1' } },
  );
  const output = ['1', flow.folder, 'yes'];
  expect(await runNode(await flow.prepare('t.py'))).toEqual({ ok: true, output });
  const aggregation = await flow.prepare('t.py', { name: 'agg', aggregation: true });
  expect(await runNode(aggregation)).toEqual({ ok: true, output, report: { metrics: { m: 0.5 } } });
});

test('connections are given by name, and classes of tools are made once', async () => {
  const connections = [{ name: 'mine', type: 'custom', configs: { url: 'u' }, secrets: { key: 's3cret' } }];
  await using flow = flowOf(
    {
      't.py': `${head}from promptflow.connections import CustomConnection\n@tool\ndef t(c: CustomConnection, x="d"):\n    return [c.url, len(c.key), c["url"], c.secrets == {"key": c.key}, x]\n`,
      'p.py': `from promptflow.core import tool, ToolProvider\nclass P(ToolProvider):\n    def __init__(self, base: int):\n        super().__init__()\n        self.base = base\n    @tool\n    def add(self, x):\n        return self.base + x\n`,
    },
    { connections },
  );
  const node = await flow.prepare('t.py', { literals: { c: 'mine' } });
  expect(await runNode(node)).toEqual({ ok: true, output: ['u', 6, 'u', true, 'd'] });
  expect(node.literals).toEqual({ c: 'mine' });
  await expect(flow.prepare('t.py', { literals: { c: 'other' } })).rejects.toMatchObject({
    error: {
      code: 'GetConnectionError',
      message:
        "Get connection 'other' for node 'n' error: Connection 'other' not found in dict connection provider. Available keys are ['mine'].",
    },
  });
  const provider = await flow.prepare('p.py', { name: 'p', literals: { base: '40' }, references: ['x'] });
  expect(await runNode(provider, { x: 2 })).toEqual({ ok: true, output: 42 });
  await expect(flow.prepare('p.py', { references: ['base'] })).rejects.toMatchObject({
    error: { code: 'InputTypeMismatch' },
  });
  await expect(flow.prepare('p.py')).rejects.toMatchObject({
    error: { code: 'MissingRequiredInputs', message: "Required inputs ['base'] are not provided for tool 'P.add'." },
  });
});

test('secrets of connections are hidden in what the code says', async () => {
  const connections = [{ name: 'mine', type: 'open_ai', configs: {}, secrets: { api_key: 'sk-123' } }];
  await using flow = flowOf(
    {
      't.py': `${head}from promptflow.connections import OpenAIConnection\n@tool\ndef t(c: OpenAIConnection):\n    print("key", c.api_key)\n    raise ValueError("bad " + c.api_key)\n`,
    },
    { connections },
  );
  const outcome = await runNode(await flow.prepare('t.py', { literals: { c: 'mine' } }));
  expect(stringifyJson(outcome as unknown as JsonValue)).not.toContain('sk-123');
  expect(outcome).toMatchObject({
    error: { message: "Execution failure in 'n': (ValueError) bad ***" },
    report: { logs: { stdout: 'key ***\n' } },
  });
});

test.each([
  [
    'above another decorator whose result is no function',
    '@tool\n@functools.lru_cache\ndef t(x):\n    return f"{x}!"\n',
  ],
  ['called with a function that has its own name', 'def t(x):\n    return f"{x}!"\nnode = tool(t)\n'],
])('tool %s', async (_what, written) => {
  await using flow = flowOf({ 't.py': `import functools\n${head}${written}` });
  const node = await flow.prepare('t.py', { literals: { x: 'a' } });
  expect(await runNode(node)).toEqual({ ok: true, output: 'a!' });
});

test('the names flows import are there without promptflow', async () => {
  const text = `import promptflow
from promptflow import ToolProvider, log_metric, tool
from promptflow._core.tool import tool as core_tool
from promptflow._internal import tool as internal_tool
from promptflow.connections import (
    AzureContentSafetyConnection, AzureOpenAIConnection, CognitiveSearchConnection, CustomConnection,
    CustomStrongTypeConnection, FormRecognizerConnection, OpenAIConnection, SerpConnection, ServerlessConnection)
from promptflow.contracts.multimedia import Image
from promptflow.contracts.types import AssistantDefinition, FilePath, PromptTemplate, Secret
from promptflow.core import AzureOpenAIConnection as Azure, AzureOpenAIModelConfiguration, Prompty
from promptflow.core import log_metric as core_log_metric, tool as plain_tool
from promptflow.tracing import trace
from promptflow import trace as older_trace
from promptflow._core.tracer import TraceType, trace as oldest_trace
from promptflow._sdk.entities import CustomConnection as Custom
from promptflow.tracing.contracts.trace import TraceType as Kind

@trace
def helper(x):
    return x

@tool(name="named", description="d", input_settings=None)
def t(secret: Secret, file: FilePath, template: PromptTemplate):
    picture = Image(b"abc", mime_type="image/png")
    return [helper(secret), file, template, str(picture), picture.to_base64(), Azure is AzureOpenAIConnection]
`;
  await using flow = flowOf({ 't.py': text });
  const node = await flow.prepare('t.py', { literals: { secret: 's', file: 'f', template: 't' } });
  expect(await runNode(node)).toEqual({ ok: true, output: ['s', 'f', 't', 'Image(a9993e36)', 'YWJj', true] });
});

test('what is no code of the flow is refused', async () => {
  await using flow = flowOf({ 'x.txt': '' });
  await expect(async () => flow.prepare('none.py')).rejects.toMatchObject({
    error: { code: 'InvalidSource', message: "Load tool failed for node 'n'. Tool file 'none.py' can not be found." },
  });
  await expect(async () => flow.prepare('x.txt')).rejects.toMatchObject({ error: { code: 'InvalidSource' } });
  const source = { type: 'package_with_prompt', tool: 'promptflow.tools.llm.llm', path: 'x.txt' } as const;
  await expect(async () => flow.prepare('', { definition: { source } })).rejects.toMatchObject({
    error: { code: 'NotImplementedError' },
  });
});

test('a missing Python is one clear error', async () => {
  await using flow = flowOf({ 't.py': 'def t(): pass' }, { environment: { UNROLL_PYTHON: '/nowhere/python' } });
  await expect(flow.prepare('t.py')).rejects.toMatchObject({
    error: { code: 'PythonNotFound', message: expect.stringContaining('looked for /nowhere/python') },
  });
});

test('a number of workers that is none is told, as is a size of their memory; what Prompt flow passes over is passed over here too', async () => {
  const files = { 'double.py': 'def double(n: int):\n    return n * 2\n' };
  for (const wrong of ['4abc', '0', '-1', '1e3']) {
    await using flow = flowOf(files, { environment: { UNROLL_PYTHON_WORKERS: wrong } });
    const prepared = await flow.prepare('double.py').catch((error: unknown) => error);
    const message = `UNROLL_PYTHON_WORKERS is "${wrong}", not a whole number of 1 or more`;
    expect(prepared).toMatchObject({ error: { code: 'EnvironmentVariableInvalid', message } });
  }
  for (const wrong of ['lots', '0', '1MB', '-4GB']) {
    await using flow = flowOf(files, { environment: { UNROLL_PYTHON_MEMORY: wrong } });
    const prepared = await flow.prepare('double.py').catch((error: unknown) => error);
    const message = `UNROLL_PYTHON_MEMORY is "${wrong}", not a size of 32MB or more such as 512MB or 4GB`;
    expect(prepared).toMatchObject({ error: { code: 'EnvironmentVariableInvalid', message } });
  }
  await using flow = flowOf(files, { environment: { PF_WORKER_COUNT: 'many' } });
  expect(await runNode(await flow.prepare('double.py'), { n: 2 })).toMatchObject({ output: 4 });
});

const onceFile = `${head}import os, time\n@tool\ndef t(n):\n    with open("seen", "a") as seen:\n        seen.write(n)\n    if n == "x":\n        os._exit(3)\n    while n == "h":\n        time.sleep(1)\n    return n\n`;

test.each([
  ['ends the worker', 'x', 'WorkerCrashed'],
  ['is stopped', 'h', 'Canceled'],
])('calls of other rows that wait for the same worker run once when a row %s', async (_, bad, code) => {
  await using flow = flowOf({ 't.py': onceFile }, { workers: 1 });
  const node = await flow.prepare('t.py', { references: ['n'] });
  const stop = new AbortController();
  const run = (n: string) => runNode(node, { n }, { flowInputs: { n }, ...(n === 'h' && { signal: stop.signal }) });
  await run('0');
  await run('1');
  const [before, after] = [['2', '3'].map(run), run(bad)];
  const others = ['4', '5', '6'].map(run);
  await Promise.all(before);
  stop.abort();
  expect(await after).toMatchObject({ ok: false, error: { code } });
  expect(await Promise.all(others)).toMatchObject(['4', '5', '6'].map((output) => ({ ok: true, output })));
  const seen = readFileSync(join(flow.folder, 'seen'), 'utf8');
  expect([...seen.replace(bad, '')].sort().join('')).toBe('0123456');
});

test('a row that is stopped while another runs before it in the same worker leaves that one alone', async () => {
  await using flow = flowOf({ 't.py': onceFile }, { workers: 1 });
  const node = await flow.prepare('t.py', { references: ['n'] });
  const [first, second] = [new AbortController(), new AbortController()];
  await runNode(node, { n: '0' });
  await runNode(node, { n: '1' });
  const hangs = runNode(node, { n: 'h' }, { flowInputs: { n: 'h' }, signal: first.signal });
  const behind = runNode(node, { n: '2' }, { flowInputs: { n: '2' }, signal: second.signal });
  const last = runNode(node, { n: '3' }, { flowInputs: { n: '3' } });
  second.abort();
  expect(await behind).toMatchObject({ ok: false, canceled: true });
  first.abort();
  expect(await hangs).toMatchObject({ ok: false, canceled: true });
  expect(await last).toMatchObject({ ok: true, output: '3' });
  expect(readFileSync(join(flow.folder, 'seen'), 'utf8')).not.toContain('2');
});
