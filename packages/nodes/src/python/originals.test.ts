import { rowAlone } from '@unroll/engine';
import { promptFlowModules } from '@unroll/promptflow';
import { expect, test } from 'vitest';
import { createTestFlow, runNode, type TestFlow, type TestFlowOptions } from '../testing/test-flow.ts';

const flowOf = (files: Readonly<Record<string, string>>, options: TestFlowOptions = {}): TestFlow =>
  createTestFlow(files, { standIns: [promptFlowModules], ...options });

const head = 'from promptflow.core import tool\n\n';
const tells = `${head}@tool\ndef f(x):\n    return repr(x)\n`;

async function passedOn(makes: string, sameRow = true): Promise<readonly unknown[]> {
  await using flow = flowOf({ 'a.py': `${head}${makes}`, 'b.py': tells }, { workers: 2 });
  const [a, b] = [
    await flow.prepare('a.py', { name: 'a' }),
    await flow.prepare('b.py', { name: 'b', references: ['x'] }),
  ];
  const row = rowAlone();
  const made = await runNode(a, {}, { node: 'a', row });
  if (!made.ok) throw new Error(made.error.message);
  const x = sameRow ? made.output : JSON.parse(JSON.stringify(made.output));
  const told = await runNode(b, { x }, { node: 'b', row });
  return [made.output, told.ok ? told.output : told.error.message];
}

test.each([
  ['a tuple', 'return (1, "a", {2: "b"})', [1, 'a', { 2: 'b' }], "(1, 'a', {2: 'b'})"],
  ['keys that are no texts', 'return {1: [(2, 3)]}', { 1: [[2, 3]] }, '{1: [(2, 3)]}'],
  [
    'a mapping of another class inside',
    'import collections\n    return {"n": collections.Counter("aab")}',
    { n: { a: 2, b: 1 } },
    "{'n': Counter({'a': 2, 'b': 1})}",
  ],
  [
    'an enum that is a text, inside',
    'import enum\n    S = enum.Enum("S", {"R": "red"}, type=str)\n    return [S.R]',
    ['red'],
    "[<S.R: 'red'>]",
  ],
  [
    'a mapping whose keys are numbers in an order of their own',
    'return [{"b": 1, "10": {"2": 0, "1": 0}, "9": 3}]',
    [{ b: 1, 10: { 1: 0, 2: 0 }, 9: 3 }],
    "[{'b': 1, '10': {'2': 0, '1': 0}, '9': 3}]",
  ],
  [
    'a mapping that has every attribute',
    'D = type("D", (dict,), {"__getattr__": dict.get})\n    return D(a=1)',
    { a: 1 },
    "{'a': 1}",
  ],
  ['plain data', 'return {"a": [1, 2.0, None]}', { a: [1, expect.anything(), null] }, "{'a': [1, 2.0, None]}"],
])('%s arrives as it was made', async (_what, body, output, told) => {
  expect(await passedOn(`@tool\ndef f():\n    ${body}\n`)).toEqual([output, told]);
});

test.for([
  ['an enum that is a text', 'import enum\n    return enum.Enum("S", {"R": "red"}, type=str).R', 'red', "<S.R: 'red'>"],
  ['an enum that is a number', 'import enum\n    return enum.IntEnum("I", {"ONE": 1}).ONE', 1, '<I.ONE: 1>'],
  ['a number of an own class', 'return type("Score", (float,), {"__repr__": lambda self: "Score"})(0.5)', 0.5, 'Score'],
  ['a text', 'return "red"', 'red', "'red'"],
] as const)('%s arrives as it was made, and is its value for everybody else', async ([, body, output, told]) => {
  await using flow = flowOf({ 'a.py': `${head}@tool\ndef f():\n    ${body}\n`, 'b.py': tells });
  const a = await flow.prepare('a.py', { name: 'a' });
  const reads = { x: { kind: 'node-output', node: 'a', path: '' } } as const;
  const b = await flow.prepare('b.py', { name: 'b', references: ['x'], definition: { inputs: reads } });
  const row = rowAlone();
  const made = await runNode(a, {}, { node: 'a', row });
  if (!made.ok) throw new Error(made.error.message);
  const originals = made.original === undefined ? {} : { originals: { x: made.original } };
  const seen = await runNode(b, { x: made.output }, { node: 'b', row, ...originals });
  expect([made.output, seen.ok ? seen.output : seen.error.message]).toEqual([output, told]);
});

test('an object that answers for every attribute is no awaitable, no iterator and no stream', async () => {
  const makes =
    '@tool\ndef f():\n    class Any:\n        def __getattr__(self, name):\n            return self\n        def __repr__(self):\n            return "Any"\n    return Any()\n';
  const [, told] = await passedOn(makes);
  expect(told).toBe('Any');
});

test('an instance of an own class of mappings keeps its class, with what is in it', async () => {
  const makes =
    '@tool\ndef f():\n    class Own(dict):\n        def __repr__(self):\n            return "Own of " + repr(self["d"])\n    return Own(d={3, 4})\n';
  const [, told] = await passedOn(makes);
  expect(told).toBe('Own of {3, 4}');
});

test('a copy made by somebody else is what it is', async () => {
  expect(await passedOn('@tool\ndef f():\n    return (1, 2)\n', false)).toEqual([[1, 2], '[1, 2]']);
});
