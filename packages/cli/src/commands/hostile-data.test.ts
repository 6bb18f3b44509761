import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '@unroll/engine';
import { expect, test } from 'vitest';
import { type RandomSource, randomSource } from '../testing/random-source.ts';
import { createTestWorld, type TestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

/** A line of a dataset, and what becomes of its row: an answer, an error, or either. */
interface HostileLine {
  readonly text: string | Buffer;
  readonly becomes?: 'answer' | 'error';
}

const good = (q: unknown, n: unknown = 1): HostileLine => ({ text: JSON.stringify({ q, n }), becomes: 'answer' });
const bad = (text: string | Buffer): HostileLine => ({ text, becomes: 'error' });
const deep = (levels: number, open = '[', shut = ']'): string => `${open.repeat(levels)}1${shut.repeat(levels)}`;

const kinds: readonly ((random: RandomSource) => HostileLine)[] = [
  (random) => good(`question ${random.below(1000)} 質問`, random.below(1000)),
  () => good('', 0),
  () => good('\u0000\u0001\u001b[31m\u2028\u2029\ufeff😀', -0),
  () => ({ text: '{"q":"\\ud800 lone","n":1}' }),
  () => ({ text: '{"q":"\\udc00\\ud800","n":1}' }),
  () => ({ text: `{"q":"nul \u0000 bare","n":1}` }),
  () => bad('{"q":"no end'),
  () => bad('not json'),
  () => bad('[]'),
  () => bad('"text"'),
  () => bad('17'),
  () => bad('null'),
  () => bad('true'),
  () => bad('{}{}'),
  () => bad('{"q": undefined, "n": 1}'),
  () => bad("{'q': 'a', 'n': 1}"),
  () => bad(','),
  () => bad('\u0000'),
  () => bad('　'),
  () => bad('\ufeff'),
  () => bad(Buffer.from([0x7b, 0x22, 0x71, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d])),
  () => bad(`{"q":"a","n":${deep(10_000)}}`),
  () => bad(`{"q":${deep(10_000, '{"a":', '}')},"n":1}`),
  () => bad(deep(100_000)),
  () => bad('{"q":"a","n":"no number"}'),
  () => bad('{"q":"a","n":{"x":1}}'),
  () => bad('{"q":"a","n":null}'),
  () => ({ text: '{"q":["a"],"n":1}' }),
  () => ({ text: '{"q":null,"n":1}' }),
  () => ({ text: '{"n":1}' }),
  () => bad('{"q":"a"}'),
  () => ({ text: '{"q":"a","n":9007199254740993}' }),
  () => ({ text: '{"q":"a","n":1e999}' }),
  () => ({ text: '{"q":"a","n":NaN}' }),
  () => ({ text: '{"q":"a","n":123456789012345678901234567890}' }),
  () => ({ text: '{"q":"a","n":1.0}' }),
  () => ({
    text: '{"q":"a","n":1,"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    becomes: 'answer',
  }),
  () => ({ text: '{"__proto__":{"q":"a","n":1}}', becomes: 'error' }),
  () => ({ text: '{"q":"first","q":"second","n":1,"n":2}', becomes: 'answer' }),
  () => ({ text: '\ufeff{"q":"a","n":1}' }),
  () => ({ text: '{"q":"crlf","n":1}\r', becomes: 'answer' }),
  () => ({ text: '  {"q":"blanks","n":1}\t ', becomes: 'answer' }),
  () => ({ text: '{"q":"a\\u0000b","n":1,"line_number":7,"repeat":9,"status":"x","outputs":{},"error":"no"}' }),
  () => ({ text: '{"q":"{{ 1 }} ${inputs.n} {% for %}","n":1}', becomes: 'answer' }),
  () => ({ text: `{"${'k'.repeat(10_000)}":1,"q":"a","n":1}`, becomes: 'answer' }),
];
const blank = ['', '   ', '\r', '\t', '\v\f'];

interface Dataset {
  readonly bytes: Buffer;
  /** Lines that make rows, in order, with the number of each in the file. */
  readonly rows: readonly (HostileLine & { readonly fileLine: number })[];
}

function datasetOf(rows: number, seed: number): Dataset {
  const random = randomSource(seed);
  const made: (HostileLine & { readonly fileLine: number })[] = [];
  const lines: (string | Buffer)[] = [];
  while (made.length < rows) {
    // The first line is one that is in order, so that the file is known as JSON lines.
    const isBlank = made.length > 0 && random.chance(5);
    const line = isBlank
      ? { text: random.pick(blank) }
      : (
          kinds[
            made.length < 3 * kinds.length ? made.length % kinds.length : random.below(kinds.length)
          ] as (typeof kinds)[number]
        )(random);
    lines.push(line.text);
    if (!isBlank) made.push({ ...line, fileLine: lines.length });
  }
  const long = JSON.stringify({ q: 'あ'.repeat(3_500_000), n: 1 });
  lines.push(long);
  made.push({ text: long, becomes: 'answer', fileLine: lines.length });
  return { bytes: Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')])), rows: made };
}

function writeFlow({ folder }: TestWorld): void {
  writeFiles(folder, {
    'f/flow.dag.yaml': `inputs:
  q: {type: string}
  n: {type: int}
outputs:
  a: {type: string, reference: "\${said.output}"}
  all: {type: object, reference: "\${seen.output}"}
nodes:
- {name: said, type: prompt, source: {type: code, path: said.jinja2}, inputs: {q: "\${inputs.q}"}}
- {name: seen, type: python, source: {type: code, path: seen.ts}, inputs: {q: "\${inputs.q}", n: "\${inputs.n}"}}
`,
    'f/said.jinja2': '{{ q[:100] }}',
    'f/seen.ts': 'export default ({ q, n }: any) => ({ length: String(q).length, n });\n',
    'eval.yaml':
      'flow: f\ndata: d.jsonl\nmetrics:\n- {name: same, on: outputs.a, evaluator: equals, expected: "${data.q}"}\n',
  });
}

interface Exported {
  readonly line_number: number;
  readonly status: string;
  readonly error?: { readonly message: string };
}

const exportedRows = (stdout: string): readonly Exported[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => parseJson(line) as unknown as Exported);

test('1,000 rows of hostile lines: each has its row, an answer or an error that names its line; and whatever reads the run goes on', {
  timeout: 240_000,
}, async () => {
  using world = createTestWorld();
  writeFlow(world);
  const { bytes, rows } = datasetOf(1000, Number(process.env['HOSTILE_SEED'] ?? 1));
  writeFiles(world.folder, { 'd.jsonl': bytes as never });
  const run = await world.flow('run', 'f', '--data', 'd.jsonl', '--name', 'r');
  expect(run.code).toBe(1);
  expect(run.stdout + run.stderr).not.toMatch(/not run|of 974/);
  const exported = exportedRows((await world.flow('export', 'r')).stdout);
  const given = new Set(exported.map(({ line_number }) => line_number));
  expect(rows.flatMap(({ text }, at) => (given.has(at) ? [] : [String(text).slice(0, 80)]))).toEqual([]);
  expect(exported.length).toBe(rows.length);
  const wrong = exported.flatMap(({ status, error }, at) => {
    const { becomes, fileLine, text } = rows[at] as (typeof rows)[number];
    const isAnswer = status === 'Completed';
    const names = [`d.jsonl:${fileLine}:`, `line ${at} of input data`].some((place) => error?.message.includes(place));
    const isRight = (becomes === undefined || (becomes === 'answer') === isAnswer) && (isAnswer || names);
    return isRight ? [] : [`${String(text).slice(0, 80)}: ${status} ${error?.message.slice(0, 300) ?? ''}`];
  });
  expect([...new Set(wrong)]).toEqual([]);
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
  for (const [wanted, ...argv] of [
    [0, 'show', 'r'],
    [0, 'show', 'r', '--row', '5'],
    [1, 'run', '--resume', 'r'],
    [1, 'run', 'f', '--data', 'd.jsonl', '--since', 'r', '--name', 'again'],
    [0, 'diff', 'r', 'again', '--html', 'diff.html'],
    [0, 'eval', 'eval.yaml', '--run', 'r', '--html', 'eval.html'],
    [0, 'export', 'r', '--format', 'csv'],
    [0, 'export', 'r', '--nodes'],
    [0, 'runs', 'check', 'r'],
    [0, 'why', 'r'],
  ] as const) {
    const { code, stdout, stderr } = await world.flow(...argv);
    expect([argv, code, stderr.match(/flow itself failed|mistake in flow|bug:|\n +at /)]).toEqual([argv, wanted, null]);
    if (argv[0] === 'diff') expect(stdout).toContain('The same in 1001 rows: every node, every output.');
  }
  for (const page of ['diff.html', 'eval.html']) {
    expect(readFileSync(join(world.folder, page), 'utf8')).toContain('</html>');
  }
});

test('a key that a line names twice is told once for a file, whether it is run or scored', async () => {
  using world = createTestWorld();
  const rows = '{"query": "a"}\n{"query": "b", "id": 1, "id": 2}\n{"query": "c", "query": "d"}\n';
  writeFiles(world.folder, {
    'f/flow.dag.yaml':
      'inputs: {query: {type: string}}\noutputs: {query: {type: string, reference: "${inputs.query}"}}\nnodes: []\n',
    'd.jsonl': rows,
    'e/eval.yaml':
      'flow: ../f\ndata: ../d.jsonl\nmetrics:\n- {name: same, on: outputs.query, evaluator: equals, expected: "${row.query}"}\n',
  });
  const told = 'names "id" twice in one object: the last is taken, here and on lines like it\n';
  const errors = async (...args: readonly string[]) => (await world.flow(...args, '--quiet')).stderr;
  expect(await errors('run', 'f', '--data', 'd.jsonl', '--name', 'r')).toBe(`warning: d.jsonl:2 ${told}`);
  expect(await errors('eval', 'e', '--run', 'r')).toBe(`warning: d.jsonl:2 ${told}`);
  expect(await errors('eval', 'e')).toBe(`warning: d.jsonl:2 ${told}`);
});

test('half of a surrogate pair is kept in JSONL; where CSV and Parquet cannot hold it, that is told', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'same/flow.dag.yaml':
      'inputs:\n  q: {type: string}\noutputs:\n  a: {type: string, reference: "${inputs.q}"}\nnodes: []\n',
    'q.jsonl': '{"q": "a\\ud800b"}\n{"q": "whole \\ud83d\\ude00"}\n',
  });
  expect((await world.flow('run', 'same', '--data', 'q.jsonl', '--name', 'r')).code).toBe(0);
  const warning = 'warning: 2 texts hold half of a surrogate pair, written as U+FFFD: --format jsonl keeps it\n';
  const csv = await world.flow('export', 'r', '--out', 'rows.csv');
  const [, first] = readFileSync(join(world.folder, 'rows.csv'), 'utf8').split('\n');
  expect([csv.code, first, csv.stderr]).toEqual([0, '0,Completed,a\ufffdb,a\ufffdb', `${warning}rows.csv written\n`]);
  const parquet = await world.flow('export', 'r', '--out', 'rows.parquet');
  expect([parquet.code, parquet.stderr]).toEqual([0, `${warning}rows.parquet written\n`]);
  const jsonl = await world.flow('export', 'r');
  expect([jsonl.code, exportedRows(jsonl.stdout)[0], jsonl.stderr]).toMatchObject([
    0,
    { outputs: { a: 'a\ud800b' } },
    '',
  ]);
});
