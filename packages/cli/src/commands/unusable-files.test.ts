import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { bulkWorld } from '../testing/bulk-flow.ts';
import type { TestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const one = 'run double --input n=1';

/** Command lines that read the file PLACE. */
const reading = [
  `${one} --connections PLACE`,
  `${one} --replay PLACE`,
  `${one} --record PLACE`,
  'run double --inputs PLACE',
  'run double --input n=@PLACE',
  'run --file PLACE',
  'plan double --data n.jsonl --connections PLACE',
  'chat double --inputs PLACE',
  'check double --connections PLACE',
  'expand double --connections PLACE',
  'serve double --port 0 --connections PLACE',
  'eval scores --run first --baseline PLACE',
  'eval scores --replay PLACE',
  'gate scores --run first --baseline PLACE',
  'render PLACE',
  'render t.jinja2 --vars PLACE',
  'render --batch PLACE',
  'prices update --file PLACE',
  'connection create --file PLACE',
  'tools build PLACE --out made.tools',
  'tools query PLACE anything',
  'tools train shop.tools --queries PLACE --out made.model',
  'tools serve shop.tools --recorded PLACE --port 0',
  'index info PLACE',
] as const;

/** Command lines that write the file PLACE. */
const writing = [
  'graph double --out PLACE',
  'graph double --svg PLACE',
  'expand double --out PLACE',
  'diff first second --html PLACE',
  'export first --format jsonl --out PLACE',
  'eval scores --run first --html PLACE',
  'eval scores --run first --junit PLACE',
  'eval scores --run first --markdown PLACE',
  'baseline accept scores --run first --baseline PLACE',
  'tools build shop.json --out PLACE',
  'tools train shop.tools --made 10 --out PLACE',
  'index build docs --out PLACE',
] as const;

/** Command lines that write a folder PLACE. */
const filling = [`${one} --runs-dir PLACE`, 'init PLACE', 'expand plain --promptflow PLACE'] as const;

test('a folder where a file is wanted, a file where a folder is: refused in words', { timeout: 120_000 }, async () => {
  using world = bulkWorld();
  await writeGiven(world);
  const refusals = [
    ...reading.map((line) => [line, 'made.index', 'made.index cannot be read: it is a folder'] as const),
    ...writing.map((line) => [line, 'made.index', 'made.index cannot be written: it is a folder'] as const),
    ...writing.map((line) => [line, 'n.jsonl/x.index', 'n.jsonl/x.index cannot be written: ']),
    ...filling.map((line) => [line, 'n.jsonl/x', 'a file stands where a folder is wanted']),
    ...filling.map((line) => [line, 'n.jsonl', 'n.jsonl']),
    ...filling.map((line) => [line, 'n'.repeat(300), 'its name is too long']),
  ];
  const told = [];
  for (const [line = '', place = '', expected = ''] of refusals) {
    const { code, stderr } = await world.flow(...line.replace('PLACE', place).split(' '));
    const last = stderr.split('\n').find((one) => one.startsWith('error: ')) ?? stderr;
    told.push(`${line} [${place}]: ${code} ${last.includes(expected) ? expected : last}`);
  }
  expect(told).toEqual(refusals.map(([line, place, expected]) => `${line} [${place}]: 2 ${expected}`));
});

test('the folders above a file that is written are made', { timeout: 120_000 }, async () => {
  using world = bulkWorld();
  await writeGiven(world);
  const told = [];
  for (const [at, line] of writing.entries()) {
    const { code, stderr } = await world.flow(...line.replace('PLACE', `new${at}/deep/x.index`).split(' '));
    if (code !== 0) told.push(`${line}: ${stderr}`);
  }
  expect(told).toEqual([]);
});

test('links that lead round in a circle', { timeout: 120_000 }, async () => {
  using world = bulkWorld();
  await writeGiven(world);
  symlinkSync('circle', join(world.folder, 'circle'));
  const circle = await world.flow('run', 'double', '--inputs', 'circle');
  expect(circle).toMatchObject({ code: 2, stderr: 'error: circle cannot be read: too many symbolic links\n' });
});

async function writeGiven({ folder, flow }: TestWorld): Promise<void> {
  writeFiles(folder, {
    't.jinja2': 'hi',
    'docs/a.md': 'hello',
    'plain/flow.dag.yaml':
      'inputs: {q: {type: string}}\noutputs: {a: {type: string, reference: "${inputs.q}"}}\nnodes: []\n',
    'scores/eval.yaml': 'flow: ../double\ndata: ../n.jsonl\nmetrics:\n- {name: time, evaluator: latency}\n',
    'shop.json': JSON.stringify([{ name: 'order', description: 'orders a book', parameters: {} }]),
  });
  mkdirSync(join(folder, 'made.index'));
  await flow('tools', 'build', 'shop.json', '--out', 'shop.tools');
  await flow('run', 'double', '--data', 'n.jsonl', '--name', 'first');
  await flow('run', 'double', '--data', 'n.jsonl', '--name', 'second');
}

test('a pipe in the place of a file that is found: nobody waits for what may never come', {
  timeout: 120_000,
}, async () => {
  using world = bulkWorld();
  await writeGiven(world);
  const pipes = ['piped/flow.dag.yaml', 'piped-eval/eval.yaml', 'piped-connections.yaml', 'connections.yaml'];
  for (const path of pipes) {
    mkdirSync(dirname(join(world.folder, path)), { recursive: true });
    execFileSync('mkfifo', [join(world.folder, path)]);
  }
  const lines = [
    ['check piped', 'flow.dag.yaml cannot be read: it is no file'],
    ['check piped/flow.dag.yaml', 'piped/flow.dag.yaml cannot be read: it is no file'],
    ['eval piped-eval --run first', 'piped-eval/eval.yaml cannot be read: it is no file'],
    ['check double --connections piped-connections.yaml', 'piped-connections.yaml cannot be read: it is a pipe'],
    ['connection list', 'connections.yaml cannot be read: it is a pipe'],
  ] as const;
  const told = [];
  for (const [line, expected] of lines) {
    const { code, stderr } = await world.flow(...line.split(' '));
    told.push([line, code, stderr.includes(expected) ? expected : stderr]);
  }
  expect(told).toEqual(lines.map(([line, expected]) => [line, 2, expected]));
});

test('a pipe, and bytes that are no UTF-8, in the place of each file that is named', { timeout: 120_000 }, async () => {
  using world = bulkWorld();
  await writeGiven(world);
  execFileSync('mkfifo', [join(world.folder, 'pipe.yaml')]);
  writeFileSync(join(world.folder, 'cp932.yaml'), Buffer.from('"n": "\x93\xfa\x96{"\n', 'latin1'));
  const places = [
    ['pipe.yaml', /it is (a pipe|no file)|is no file:|there is no index/],
    ['cp932.yaml', /it is no UTF-8|is no index/],
  ] as const;
  const wrong = [];
  for (const line of reading) {
    for (const [place, expected] of places) {
      const { code, stderr } = await world.flow(...line.replace('PLACE', place).split(' '));
      if (code !== 2 || !expected.test(stderr)) wrong.push(`${line} [${place}]: ${code} ${stderr}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('records that cannot be looked at stand in the list with the reason', async () => {
  using world = bulkWorld();
  await writeGiven(world);
  symlinkSync('circle.run', join(world.folder, '.flow/runs/circle.run'));
  symlinkSync('nowhere', join(world.folder, '.flow/runs/gone.run'));
  const listed = JSON.parse((await world.flow('runs', '--json')).stdout) as { id: string; status: string }[];
  expect(Object.fromEntries(listed.map(({ id, status }) => [id, status]))).toEqual({
    circle: 'Unreadable',
    first: 'Completed',
    gone: 'Unreadable',
    second: 'Completed',
  });
});
