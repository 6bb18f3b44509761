// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of eval.yaml look like templates
import { createMemoryRunLog, type JsonObject, type JsonValue, type RunLog } from '@unroll/engine';
import { runInfo } from '@unroll/engine/testing';
import { expect, test } from 'vitest';
import { parseEval } from '../eval-file/parse-eval.ts';
import type { EvalResult } from '../eval-result/eval-result.ts';
import { evaluators } from '../evaluators/evaluators.ts';
import { randomStream } from '../statistics/random-stream.ts';
import { joinData } from './join-data.ts';
import { scoreRun } from './score-run.ts';

const info = runInfo({ nodes: [{ name: 'say', kind: 'python' }], outputs: [{ name: 'answer', reads: 'say' }] });

interface Row {
  readonly line: number;
  readonly repeat?: number;
  readonly answer: JsonValue;
}

function storeOf(rows: readonly Row[]): RunLog {
  const store = createMemoryRunLog(info);
  for (const { line, repeat = 0, answer } of rows) {
    const ran = { line, repeat, node: 'say', kind: 'python', status: 'Completed', output: answer } as const;
    const row = { line, repeat, inputs: {}, startedAt: 0, durationMs: 1, status: 'Completed', outputs: { answer } };
    void store.append([ran], row as Parameters<RunLog['append']>[1]);
  }
  return store;
}

const right = '{name: right, on: outputs.answer, evaluator: equals, expected: "yes"}';

async function scored(
  rows: readonly Row[],
  data: readonly JsonObject[],
  {
    slices = ['g'],
    metrics = [right],
  }: { readonly slices?: readonly string[]; readonly metrics?: readonly string[] } = {},
): Promise<EvalResult> {
  const text = `run: r\nmetrics:\n${metrics.map((one) => `- ${one}\n`).join('')}`;
  const { spec, diagnostics } = parseEval({ path: 'eval.yaml', text }, { evaluators, slices });
  if (spec === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  const batches = async function* () {
    yield data.map((values, line) => ({ line, values }));
  };
  return await scoreRun(spec, storeOf(rows), { name: 'e', data: joinData(batches(), info, true) });
}

/** `value: lines, mean of n`. */
function told({ slices = [] }: EvalResult) {
  return slices.map(({ column, slices: parts, leftOut }) => [
    column,
    ...parts.map(({ value, lines, metrics }) => {
      const figures = metrics.map(({ mean, scored: n }) => `${mean} of ${n}`);
      return `${JSON.stringify(value)}: rows ${lines.join(' ')}, ${figures.join(', ')}`;
    }),
    ...(leftOut === undefined ? [] : [leftOut]),
  ]);
}

const answers = (text: string): readonly Row[] =>
  Array.from(text, (one, line) => ({ line, answer: one === '1' ? 'yes' : 'no' }));

test('values are told apart, those of most rows first, rows without one last', async () => {
  const values: readonly JsonObject[] = [{ g: 'b' }, {}, { g: 'a' }, { g: 'a' }, { g: null }, { g: '' }, { g: 'none' }];
  expect(told(await scored(answers('1101100'), values))).toEqual([
    [
      'g',
      '"a": rows 2 3, 0.5 of 2',
      '"b": rows 0, 1 of 1',
      '"none": rows 6, 0 of 1',
      'null: rows 1 4 5, 0.6666666666666666 of 3',
    ],
  ]);
});

test('a value that is no text stands as JSON', async () => {
  const values: readonly JsonObject[] = [{ g: 1 }, { g: true }, { g: ['x', 2] }, { g: { k: 'v' } }, { g: 1 }];
  const { slices } = await scored(answers('11111'), values);
  expect(slices?.[0]?.slices.map(({ value }) => value)).toEqual(['1', 'true', '["x",2]', '{"k":"v"}']);
});

test('a field, and several columns', async () => {
  const values = [
    { e: { kind: 'x' }, g: 'a' },
    { e: { kind: 'y' }, g: 'a' },
  ];
  expect(told(await scored(answers('10'), values, { slices: ['e.kind', 'g'] }))).toEqual([
    ['e.kind', '"x": rows 0, 1 of 1', '"y": rows 1, 0 of 1'],
    ['g', '"a": rows 0 1, 0.5 of 2'],
  ]);
});

test('of more than 20 values those of most rows are told, and how many are left out', async () => {
  const values = Array.from({ length: 50 }, (_, line) => ({ g: line < 46 ? `g${line % 23}` : null }));
  const result = await scored(answers('1'.repeat(50)), [...values, { g: 'g22' }]);
  const [column] = result.slices ?? [];
  expect(column?.slices.map(({ value }) => value)).toEqual([...Array.from({ length: 20 }, (_, at) => `g${at}`), null]);
  expect(column?.leftOut).toEqual({ values: 3, rows: 6 });
});

test('long values are cut, and are not taken for each other', async () => {
  const long = 'あ'.repeat(300);
  const { slices } = await scored(answers('111'), [{ g: `${long}1` }, { g: `${long}2` }, { g: `${long}1` }]);
  const [one, other, ...more] = slices?.[0]?.slices ?? [];
  expect([one?.lines, other?.lines, more]).toEqual([[0, 2], [1], []]);
  expect(one?.value?.length).toBeLessThan(130);
});

test('repetitions of a row are one row, and attempts at it have slices too', async () => {
  const rows = [0, 1, 2].flatMap((line) =>
    [0, 1].map((repeat) => ({ line, repeat, answer: line === 0 || repeat === 0 ? 'yes' : 'no' })),
  );
  const metrics = [right, '{name: both, evaluator: "pass_all@2", of: right}'];
  const result = await scored(rows, [{ g: 'a' }, { g: 'b' }, { g: 'a' }], { metrics });
  expect(told(result)).toEqual([['g', '"a": rows 0 2, 0.75 of 4, 0.5 of 2', '"b": rows 1, 0.5 of 2, 0 of 1']]);
});

test('rows that the data has not are rows without a value, and asking for no column tells of none', async () => {
  expect(told(await scored(answers('11'), [{ g: 'a' }]))).toEqual([
    ['g', '"a": rows 0, 1 of 1', 'null: rows 1, null of 0'],
  ]);
  expect(await scored(answers('1'), [{ g: 'a' }], { slices: [] })).not.toHaveProperty('slices');
});

test('the slices of a column add up to the whole, and each is what its rows alone come to', async () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    const random = randomStream(seed);
    const pick = (most: number): number => Math.floor(random() * most);
    const count = 1 + pick(60);
    const kinds = 1 + pick(20);
    const data = Array.from({ length: count }, () => ({
      g: pick(9) === 0 ? null : `g${pick(kinds)}`,
      e: pick(4) === 0 ? null : 'yes',
    }));
    const rows = data.map((_, line) => ({ line, answer: pick(3) === 0 ? 'no' : 'yes' }));
    const near = '{name: near, on: outputs.answer, evaluator: chrf, expected: "${row.e}"}';
    const { metrics, slices = [], lines } = await scored(rows, data, { metrics: [right, near] });
    const parts = slices[0]?.slices ?? [];
    expect(parts.flatMap((slice) => slice.lines).sort((one, other) => one - other)).toEqual(lines);
    for (const { name, summary } of metrics) {
      const own = parts.flatMap((slice) => slice.metrics.filter((metric) => metric.name === name));
      expect(own.reduce((sum, { scored: n }) => sum + n, 0)).toBe(summary.scored);
      const weighted = own.reduce((sum, { mean, scored: n }) => sum + (mean ?? 0) * n, 0) / summary.scored;
      if (summary.mean !== null) expect(weighted).toBeCloseTo(summary.mean, 10);
    }
    const [part] = parts;
    const alone = await scored(
      rows.filter(({ line }) => part?.lines.includes(line)),
      data,
      { metrics: [right, near] },
    );
    expect(part?.metrics).toEqual(
      alone.metrics.map(({ name, summary: { mean, interval, scored: n } }) => ({
        name,
        mean,
        ...(interval === undefined ? {} : { interval }),
        scored: n,
      })),
    );
  }
});
