import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const flow = {
  'f/flow.flex.yaml': 'entry: main:Ask\n',
  'f/main.py': `class Ask:
    def __init__(self, config: dict):
        self.word = config["word"]

    def __call__(self, q: str):
        if q == "bad" and self.word == "first":
            raise ValueError("no")
        return q + str(len(self.word))
`,
  'data.jsonl': '{"q": "a"}\n{"q": "bad"}\n',
};

test('arguments of a class are in no record, and asked for again when its run goes on', {
  timeout: 60_000,
}, async () => {
  using world = createTestWorld({ environment: { PATH: process.env['PATH'] ?? '' } });
  writeFiles(world.folder, flow);
  const init = ['--init', 'config={"word": "first", "api_key": "top-secret-1"}'];
  const ran = await world.flow('run', 'f', '--data', 'data.jsonl', '--name', 'base', ...init);
  expect(ran.code).toBe(1);
  const runs = join(world.folder, '.flow/runs');
  for (const file of readdirSync(runs)) expect(readFileSync(join(runs, file), 'latin1')).not.toContain('top-secret-1');
  const without = await world.flow('run', '--retry-failed', 'base');
  expect([without.code, without.stderr]).toEqual([
    2,
    'error: run base was given init config, which a record does not keep\nGive it again: --init config=…\n',
  ]);
  const again = await world.flow('run', '--retry-failed', 'base', '--init', 'config={"word": "second"}');
  expect(again.code).toBe(0);
});

test.for([
  ['that takes more than it names', 'def run(q: str, n: int = 2, **more):\n    return [q, n, more]\n', ['a', 2, {}]],
  ['made of another', 'run = lambda q, n=2: [q, n, {}]\n', ['a', 2, {}]],
  [
    'whose call is inherited from where nobody looks',
    'def base():\n    class Base:\n        def __call__(self, q: str):\n            return [q, 2, {}]\n    return Base\n\n\nAbove = base()\n\n\nclass run(Above):\n    pass\n',
    ['a', 2, {}],
  ],
] as const)('rows give their columns to code %s', async ([, code, output]) => {
  using world = createTestWorld({ environment: { PATH: process.env['PATH'] ?? '' } });
  writeFiles(world.folder, {
    'f/flow.flex.yaml': 'entry: main:run\n',
    'f/main.py': code,
    'data.jsonl': '{"q": "a", "z": 1}\n{"z": 2, "q": "a"}\n',
  });
  expect(await world.flow('run', 'f', '--data', 'data.jsonl', '--name', 'r')).toMatchObject({ code: 0 });
  const rows = (await world.flow('export', 'r')).stdout.trim().split('\n');
  expect(rows.map((row) => JSON.parse(row).outputs)).toEqual([{ output }, { output }]);
  expect(await world.flow('check', 'f')).toMatchObject({ code: 0, stderr: '' });
});

test('rows are read by the annotations of the code; one that does not fit fails with its column', async () => {
  using world = createTestWorld({ environment: { PATH: process.env['PATH'] ?? '' } });
  writeFiles(world.folder, {
    'f/flow.flex.yaml': 'entry: main:run\n',
    'f/main.py':
      'def run(s: str, i: int, f: float, b: bool, l: list, o: dict, u, d: int = 3):\n    return [s, i, f, b, l, o, u, d]\n',
    'data.jsonl': `{"s": 5, "i": "7", "f": "2", "b": "false", "l": "[1]", "o": "{}", "u": "1", "d": "4"}
{"s": "a", "i": 1.5, "f": 3, "b": true, "l": [], "o": {}, "u": "x"}
{"s": "a", "i": "many", "f": 3, "b": true, "l": [], "o": {}, "u": "x"}
`,
  });
  const mapping = ['--column-mapping', 'd=${data.d}'];
  expect(await world.flow('run', 'f', '--data', 'data.jsonl', '--name', 'r')).toMatchObject({ code: 1 });
  const rows = (await world.flow('export', 'r')).stdout.trim().split('\n');
  expect(rows.map((row) => JSON.parse(row)).map(({ outputs, error }) => outputs.output ?? error.message)).toEqual([
    ['5', 7, 2, false, [1], {}, 1, 3],
    ['a', 1, 3, true, [], {}, 'x', 3],
    "The input for flow is incorrect. The value for flow input 'i' does not match the expected type 'int'. Please change flow input type or adjust the input value in your input data.",
  ]);
  await world.flow('run', 'f', '--data', 'data.jsonl', '--rows', '0', '--name', 'm', ...mapping);
  expect(JSON.parse((await world.flow('export', 'm')).stdout).outputs.output.at(-1)).toBe(4);
});

test('a parameter without an annotation has the type of its default', async () => {
  using world = createTestWorld({ environment: { PATH: process.env['PATH'] ?? '' } });
  writeFiles(world.folder, {
    'f/flow.flex.yaml': 'entry: main:run\n',
    'f/main.py': `def run(s="x", i=2, e=1.5, b=True, l=[], n=None):
    return [s, i, str(e), b, l, n]
`,
  });
  const given = ['s=5', 'i=6', 'e=7', 'b=false', 'l=[8]', 'n=9'].flatMap((input) => ['-i', input]);
  const ran = await world.flow('run', 'f', ...given, '--json');
  expect(JSON.parse(ran.stdout).outputs).toEqual({ output: ['5', 6, '7.0', false, [8], 9] });
});

test('annotations in quotes are read as those without', async () => {
  using world = createTestWorld({ environment: { PATH: process.env['PATH'] ?? '' } });
  writeFiles(world.folder, {
    'f/flow.flex.yaml': 'entry: main:run\n',
    'f/main.py': `from typing import Optional


def run(s: "str", i: 'int', o: "Optional[str]", p: Optional["str"]):
    return [s, i, o, p]
`,
  });
  const ran = await world.flow('run', 'f', '-i', 's=5', '-i', 'i=6', '-i', 'o=7', '-i', 'p=8', '--json');
  expect(JSON.parse(ran.stdout).outputs).toEqual({ output: ['5', 6, '7', '8'] });
});

test('arguments of a class come from a JSON file too, and a pair wins over it', { timeout: 60_000 }, async () => {
  using world = createTestWorld({ environment: { PATH: process.env['PATH'] ?? '' } });
  writeFiles(world.folder, { ...flow, 'init.json': '{"config": {"word": "four"}}', 'list.json': '[1]' });
  const run = (...init: readonly string[]) => world.flow('run', 'f', '-i', 'q=a', '--json', '--init', ...init);
  expect(JSON.parse((await run('init.json')).stdout)).toMatchObject({ outputs: { output: 'a4' } });
  const both = await run('config={"word": "second"}', 'init.json');
  expect(JSON.parse(both.stdout)).toMatchObject({ outputs: { output: 'a6' } });
  const refused = (file: string) => world.flow('run', 'f', '-i', 'q=a', '--init', file);
  expect(await refused('list.json')).toMatchObject({ code: 2, stderr: expect.stringContaining('list.json must hold') });
  const help = 'For instance: --init "mark=2", or a JSON file of names and values';
  expect((await refused('int.json')).stderr).toBe(`error: "int.json" is not name=value, and no file\n${help}\n`);
});

test('an argument that the class does not have is told with the nearest it has', { timeout: 60_000 }, async () => {
  using world = createTestWorld({ environment: { PATH: process.env['PATH'] ?? '' } });
  writeFiles(world.folder, flow);
  const { code, stderr } = await world.flow('run', 'f', '-i', 'q=a', '--init', 'confg={"word": "four"}');
  expect(code).toBe(2);
  expect(stderr).toMatch(/unexpected keyword argument 'confg'\.\ndid you mean "config"\?\n$/);
});

test('an input that does not fit the annotation of the code is told, with nothing about nodes', async () => {
  using world = createTestWorld({ environment: { PATH: process.env['PATH'] ?? '' } });
  writeFiles(world.folder, { 'f/flow.flex.yaml': 'entry: m:f\n', 'f/m.py': 'def f(q: int):\n    return q\n' });
  expect(await world.flow('run', 'f', '--input', 'q=abc')).toEqual({
    code: 2,
    stdout: '',
    stderr:
      "error: the inputs cannot be read: (InputTypeError) The input for flow is incorrect. The value for flow input 'q' does not match the expected type 'int'. Please change flow input type or adjust the input value in your input data.\n",
  });
});

test('a number that is typed for a parameter that is a text is given as it is typed', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'f/flow.flex.yaml': 'entry: main:Flow\n',
    'f/main.py': `class Flow:
    def __init__(self, version: str, share: float = 0.5, any=None):
        self.given = [version, share, any]

    def __call__(self, q: str):
        return repr(self.given)
`,
  });
  const run = async (...init: readonly string[]): Promise<unknown> => {
    const { stdout } = await world.flow('run', 'f', '-i', 'q=a', '--json', '--init', ...init);
    return JSON.parse(stdout).outputs.output;
  };
  expect(await run('version=1.10', 'share=0.70', 'any=2.50')).toBe("['1.10', 0.7, 2.5]");
  expect(await run('version=1e3', 'share=1e3', 'any=3.0')).toBe("['1e3', 1000.0, 3.0]");
  expect(await run('version=7', 'share=1')).toBe("['7', 1, None]");
});
