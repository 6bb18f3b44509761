import {
  compareResults,
  type EvalResult,
  type Interval,
  type MetricComparison,
  mcnemarExact,
  meanInterval,
  randomStream,
} from '@unroll/evals';
import { madeResult, randomScores, type ScoreModel } from '@unroll/evals/testing';

/**
 * Whether verdicts and intervals keep what they promise: two runs that differ by noise alone are told apart in at most 6 of
 * 100 pairs, and so often at most an interval excludes 0, never without the other; a real difference is found at the rows
 * said to be needed in 8 of 10; intervals of one mean hold it. Seeded; `PAIRS=200` takes fewer pairs.
 */
const pairs = Number(process.env['PAIRS'] ?? 1000);

type Verdict = 'better' | 'worse' | 'not significant' | 'same';

/** Each metric compared, over as many drawn pairs of runs. */
function comparisons(models: readonly ScoreModel[], rows: number): readonly (readonly MetricComparison[])[] {
  return Array.from({ length: pairs }, (_, pair) => {
    const drawn = models.map((model, at) => randomScores(model, rows, pair * 1000 + at + 1));
    const result = (side: 'before' | 'after'): EvalResult =>
      madeResult(drawn.map((one, at) => ({ name: `m${at}`, kind: models[at]?.kind ?? 'pass', scores: one[side] })));
    const { metrics } = compareResults(result('before'), result('after'));
    return metrics.flatMap(({ comparison }) => comparison ?? []);
  });
}

function verdicts(models: readonly ScoreModel[], rows: number): readonly (readonly Verdict[])[] {
  return comparisons(models, rows).map((all) => all.map(({ verdict }) => verdict));
}

function share(all: readonly boolean[]): string {
  return `${((all.filter((one) => one).length / all.length) * 100).toFixed(1)} %`;
}

function told(text: string): void {
  process.stdout.write(`${text}\n`);
}

function isQuiet(verdict: Verdict): boolean {
  return verdict === 'not significant' || verdict === 'same';
}

/** A run of `rows` whose observed difference is the model's own: what it says is needed is what is tried then. */
function needed(model: ScoreModel, rows: number): number | undefined {
  const { before, after } = exactScores(model, rows);
  const made = (scores: readonly number[]): EvalResult => madeResult([{ name: 'm', kind: model.kind, scores }]);
  return compareResults(made(before), made(after)).metrics[0]?.comparison?.rowsNeeded;
}

function exactScores({ kind, difference, broken = 0.05 }: ScoreModel, rows: number) {
  if (kind === 'number') {
    // A pilot of the same spread, moved to the mean difference wanted.
    const { before, after } = randomScores({ kind, difference: 0 }, rows, 77);
    const seen = after.reduce((sum, value, row) => sum + value - (before[row] ?? 0), 0) / rows;
    return { before, after: after.map((value) => value - seen + difference) };
  }
  const [fixed, worse] = [Math.round((broken + difference) * rows), Math.round(broken * rows)];
  const before = Array.from({ length: rows }, (_, row) => (row < fixed ? 0 : 1));
  return { before, after: before.map((score, row) => (row < fixed ? 1 : row < fixed + worse ? 0 : score)) };
}

told(`Two runs that differ by noise alone, ${pairs} pairs each: told apart in no metric`);
const noise = (kind: ScoreModel['kind'], count: number): readonly ScoreModel[] =>
  Array.from({ length: count }, () => ({ kind, difference: 0 }));
for (const rows of [20, 60, 200]) {
  for (const [name, models] of [
    ['1 pass metric', noise('pass', 1)],
    ['1 number', noise('number', 1)],
    ['5 pass metrics and 5 numbers', [...noise('pass', 5), ...noise('number', 5)]],
  ] as const) {
    told(`  ${rows} rows, ${name}: ${share(verdicts(models, rows).map((all) => all.every(isQuiet)))} (target >= 94 %)`);
  }
}

function holds(interval: Interval | undefined, mean: number): boolean {
  return interval === undefined || (interval.low <= mean && interval.high >= mean);
}

told(`The interval of the difference of two such runs, ${pairs} pairs each: holds 0; says other than the verdict`);
for (const model of [
  { kind: 'pass', difference: 0 },
  ...(['normal', 'lognormal', 'bounded', 'tied'] as const).map(
    (spread) => ({ kind: 'number', difference: 0, spread }) as const,
  ),
] satisfies ScoreModel[]) {
  const figures = [20, 60, 200].map((rows) => {
    const all = comparisons([model], rows).flat();
    const contradictions = all.filter(({ interval, verdict }) => holds(interval, 0) !== isQuiet(verdict)).length;
    return `${share(all.map(({ interval }) => holds(interval, 0)))}, ${contradictions}`;
  });
  told(`  ${'spread' in model ? model.spread : 'binary'}: ${figures.join('; ')} (20; 60; 200 rows, target >= 94 %, 0)`);
}

told(`The interval of one mean, ${pairs} draws each: holds it`);
for (const [name, draw, mean, range] of [
  ['shares, 0.9', (random: () => number) => Number(random() < 0.9), 0.9, [0, 1]],
  ['normal', (random: () => number) => normal(random), 0, undefined],
  ['lognormal', (random: () => number) => Math.exp(normal(random)), Math.exp(0.5), undefined],
  ['bounded', (random: () => number) => random() ** (1 / 3), 0.75, [0, 1]],
  ['tied', (random: () => number) => (random() < 0.7 ? 1 : random() < 2 / 3 ? 0.5 : 0), 0.8, [0, 1]],
] as const) {
  const shares = [20, 60, 200].map((rows) => {
    const random = randomStream(rows);
    return share(
      Array.from({ length: pairs }, () =>
        holds(
          meanInterval(
            Array.from({ length: rows }, () => draw(random)),
            range,
          ),
          mean,
        ),
      ),
    );
  });
  told(`  ${name}: ${shares.join('; ')} (20; 60; 200 rows)`);
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

told(`A real difference at the rows said to be needed, ${pairs} pairs each: found`);
for (const { pilot, ...model } of [
  { kind: 'pass', difference: 0.05, broken: 0.05, pilot: 100 },
  { kind: 'pass', difference: 0.05, broken: 0.01, pilot: 100 },
  { kind: 'pass', difference: 0.05, broken: 0.15, pilot: 100 },
  { kind: 'pass', difference: 0.1, broken: 0.05, pilot: 40 },
  { kind: 'number', difference: 0.05, broken: 0, pilot: 40 },
  { kind: 'number', difference: 0.02, broken: 0, pilot: 100 },
] as const) {
  const rows = needed(model, pilot) ?? 0;
  const found = share(verdicts([model], rows).map(([verdict]) => verdict === 'better'));
  const about = model.kind === 'pass' ? `pass metric, ${model.broken * 100} % broken` : 'number';
  told(`  +${model.difference * 100} points, ${about}: ${rows} rows, ${found} (promised 80 %)`);
}

/** Pass metrics alone, and of a pair only what the test looks at: quick enough for a share that is exact to half a point. */
const draws = 20_000;

/** Flips of two runs drawn `draws` times: how often McNemar's exact test finds what is there. */
function foundByFlips({ difference, broken }: { readonly difference: number; readonly broken: number }, rows: number) {
  return Array.from({ length: draws }, (_, seed) => {
    const { before, after } = randomScores({ kind: 'pass', difference, broken }, rows, seed + 1);
    const turned = (to: number): number => after.filter((score, row) => score === to && before[row] !== to).length;
    const flips = { fixed: turned(1), broken: turned(0) };
    return flips.fixed > flips.broken && mcnemarExact(flips) < 0.05;
  });
}

told(`The same for pass metrics, ${draws} draws of the rows that turn: found by McNemar's exact test`);
for (const { pilot, ...model } of [
  { difference: 0.05, broken: 0.01, pilot: 100 },
  { difference: 0.05, broken: 0.05, pilot: 100 },
  { difference: 0.05, broken: 0.15, pilot: 100 },
  { difference: 0.1, broken: 0.05, pilot: 40 },
]) {
  const rows = needed({ kind: 'pass', ...model }, pilot) ?? 0;
  told(
    `  +${model.difference * 100} points, ${model.broken * 100} % broken: ${rows} rows, ${share(foundByFlips(model, rows))}`,
  );
}
