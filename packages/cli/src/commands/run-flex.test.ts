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
