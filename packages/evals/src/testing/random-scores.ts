import { type RandomStream, randomStream } from '../statistics/random-stream.ts';
import { normalDraws } from './normal-draws.ts';

/** How two runs of one dataset come about, row by row. */
export interface ScoreModel {
  readonly kind: 'pass' | 'number';
  /** True mean difference, after - before; 0: the runs differ by noise alone. */
  readonly difference: number;
  /** `pass`: share of rows that an edit breaks though it fixes more. */
  readonly broken?: number;
  /** `number`: how the noise of a run lies; `bounded`, between 0 and 1, where absent. */
  readonly spread?: Spread;
}

export type Spread = 'bounded' | 'normal' | 'lognormal' | 'tied';

/**
 * Scores of two runs. Rows are easy and hard ones: what a row is worth is drawn once, each run adds its own noise.
 * Without a difference a pass row is drawn twice with its own chance, as a model that samples does.
 */
export function randomScores(
  model: ScoreModel,
  rows: number,
  seed: number,
): { readonly before: readonly number[]; readonly after: readonly number[] } {
  const random = randomStream(seed);
  const noise = noises[model.spread ?? 'bounded'](random);
  const drawn = Array.from({ length: rows }, () =>
    model.kind === 'pass' ? passPair(model, random) : numberPair(model, random, noise),
  );
  return { before: drawn.map(([before]) => before), after: drawn.map(([, after]) => after) };
}

type Pair = readonly [before: number, after: number];

function passPair({ difference, broken = 0.05 }: ScoreModel, random: RandomStream): Pair {
  if (difference === 0) {
    const chance = random() < 0.6 ? 0.95 : random();
    return [random() < chance ? 1 : 0, random() < chance ? 1 : 0];
  }
  const [drawn, same] = [random(), random() < 0.8 ? 1 : 0];
  if (drawn < broken + difference) return [0, 1];
  return drawn < 2 * broken + difference ? [1, 0] : [same, same];
}

function numberPair({ difference }: ScoreModel, random: RandomStream, noise: () => number): Pair {
  const worth = 0.2 + 0.6 * random();
  return [worth + noise(), worth + difference + noise()];
}

/** What a run adds to the worth of a row. */
const noises: Readonly<Record<Spread, (random: RandomStream) => () => number>> = {
  // Skewed as scores between 0 and 1 are.
  bounded: (random) => () => 0.4 * (random() ** 2 - 1 / 3),
  normal: (random) => {
    const normal = normalDraws(random);
    return () => 0.2 * normal();
  },
  // A few rows weigh as much as all others, as latencies do.
  lognormal: (random) => {
    const normal = normalDraws(random);
    return () => 0.1 * Math.exp(1.5 * normal());
  },
  // Most rows are alike in both runs.
  tied: (random) => () => (random() < 0.8 ? 0 : random() < 0.5 ? 0.25 : -0.25),
};
