import { expect, test } from 'vitest';
import { ScoreColumn } from './score-column.ts';

const failed = { unscored: 'the evaluator failed', isError: true } as const;
const nothing = { unscored: 'no expectation' } as const;

test('scores come in the order in which their places were taken, however many', () => {
  const column = new ScoreColumn();
  const places = Array.from({ length: 3000 }, (_, line) => column.take(line, line % 2, (line % 3) + 1));
  for (const [line, place] of [...places.entries()].reverse()) column.set(place, line / 10);
  const { lines, repeats, iterations, values } = column.scores(true);
  expect(lines).toEqual(Array.from({ length: 3000 }, (_, line) => line));
  expect([repeats[2998], repeats[2999], iterations?.[2998], iterations?.[2999]]).toEqual([0, 1, 2, 3]);
  expect(values).toEqual(Array.from({ length: 3000 }, (_, line) => line / 10));
  expect(column.scores(false)).not.toHaveProperty('iterations');
});

test('what has no score is left out, and counted by its reason, the most frequent first', () => {
  const column = new ScoreColumn();
  const set = (line: number, score: Parameters<ScoreColumn['set']>[1], repeat = 0): void =>
    column.set(column.take(line, repeat, 0), score);
  set(0, 1);
  set(1, nothing);
  set(2, failed);
  set(3, failed);
  set(4, Number.NaN);
  set(5, Number.POSITIVE_INFINITY);
  set(6, failed);
  expect(column.scores(false)).toEqual({ lines: [0], repeats: [0], values: [1] });
  const rows = (...lines: readonly number[]) => lines.map((line) => ({ line, repeat: 0 }));
  expect(column.unscored()).toEqual({
    unscored: [
      { reason: 'the evaluator failed', count: 3, rows: rows(2, 3, 6) },
      { reason: 'the score is no number', count: 2, rows: rows(4, 5) },
      { reason: 'no expectation', count: 1 },
    ],
    errors: 5,
  });
});

test('a score with which nothing can be reckoned is none', () => {
  const column = new ScoreColumn();
  for (const [line, score] of [1, 1e100, -1e100, 1e101, -1e308].entries()) column.set(column.take(line, 0, 0), score);
  expect(column.scores(false).values).toEqual([1, 1e100, -1e100]);
  expect(column.unscored().unscored).toMatchObject([{ reason: 'the score is beyond ±1e100', count: 2 }]);
});

test('of errors the first five rows are named, each once and in order, and what was said in the first', () => {
  const column = new ScoreColumn();
  for (const [line, repeat] of [
    [7, 0],
    [7, 0],
    [7, 1],
    [3, 0],
    [9, 0],
    [1, 0],
    [2, 0],
    [0, 0],
  ] as const) {
    column.leaveOut({ ...failed, said: `row ${line}` }, 0, { line, repeat });
  }
  column.leaveOut({ unscored: 'row not run', isError: true }, 0, undefined, 20);
  expect(column.unscored()).toEqual({
    unscored: [
      { reason: 'row not run', count: 20 },
      {
        reason: 'the evaluator failed',
        count: 8,
        said: 'row 7',
        rows: [
          { line: 1, repeat: 0 },
          { line: 3, repeat: 0 },
          { line: 7, repeat: 0 },
          { line: 7, repeat: 1 },
          { line: 9, repeat: 0 },
        ],
      },
    ],
    errors: 28,
  });
});

test('what is left out is counted by iteration, and over all of them', () => {
  const column = new ScoreColumn();
  for (const iteration of [1, 2, 2]) column.set(column.take(0, 0, iteration), failed);
  for (const line of [1, 2, 3, 4, 5, 6]) column.set(column.take(line, 0, 1), failed);
  column.set(column.take(7, 0, 2), nothing);
  const counts = (iteration?: number) => {
    const { unscored, errors } = column.unscored(iteration);
    return [
      unscored.map(({ reason, count, rows = [] }) => `${count} ${reason} ${rows.map(({ line }) => line)}`),
      errors,
    ];
  };
  expect(counts(1)).toEqual([['7 the evaluator failed 0,1,2,3,4'], 7]);
  expect(counts(2)).toEqual([['2 the evaluator failed 0', '1 no expectation '], 2]);
  expect(counts(3)).toEqual([[], 0]);
  expect(counts()).toEqual([['9 the evaluator failed 0,1,2,3,4', '1 no expectation '], 9]);
});

test('a row that failed in several iterations is named once among all', () => {
  const column = new ScoreColumn();
  for (const [line, iteration] of [
    [0, 1],
    [1, 1],
    [0, 2],
    [4, 2],
  ] as const) {
    column.set(column.take(line, 0, iteration), failed);
  }
  const [all] = column.unscored().unscored;
  expect([all?.count, all?.rows?.map(({ line }) => line)]).toEqual([4, [0, 1, 4]]);
});
