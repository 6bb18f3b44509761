import { type RandomStream, randomStream } from '../statistics/random-stream.ts';

/** How two runs of one dataset come about, row by row. */
export interface ScoreModel {
  readonly kind: 'pass' | 'number';
  /** True mean difference, after - before; 0: the runs differ by noise alone. */
  readonly difference: number;
  /** `pass`: share of rows that an edit breaks though it fixes more. */
  readonly broken?: number;
}

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
  const drawn = Array.from({ length: rows }, () =>
    model.kind === 'pass' ? passPair(model, random) : numberPair(model, random),
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

/** Skewed as scores between 0 and 1 are. */
function numberPair({ difference }: ScoreModel, random: RandomStream): Pair {
  const worth = 0.2 + 0.6 * random();
  return [worth + 0.4 * (random() ** 2 - 1 / 3), worth + difference + 0.4 * (random() ** 2 - 1 / 3)];
}
