/** One thing to measure: gives its cost in any unit, the same for all that are compared. */
export interface Contender {
  readonly name: string;
  readonly measure: () => number | Promise<number>;
}

export interface Comparison {
  readonly name: string;
  /** Median cost over the rounds. */
  readonly cost: number;
  /** Median of the ratios to the first contender, round by round, and its 95 % bootstrap interval. */
  readonly ratio: number;
  readonly interval: readonly [number, number];
}

/** Measures all contenders in turn, A B A B …, after one round that does not count; the first is the floor. */
export async function compare(contenders: readonly Contender[], rounds: number): Promise<readonly Comparison[]> {
  const costs = contenders.map((): number[] => []);
  for (let round = -1; round < rounds; round += 1) {
    for (const [index, contender] of contenders.entries()) {
      const cost = await contender.measure();
      if (round >= 0) costs[index]?.push(cost);
    }
  }
  const floor = costs[0] ?? [];
  return contenders.map(({ name }, index) => {
    const own = costs[index] ?? [];
    const ratios = own.map((cost, round) => cost / (floor[round] ?? Number.NaN));
    return { name, cost: median(own), ratio: median(ratios), interval: bootstrapInterval(ratios) };
  });
}

export function printComparison(title: string, unit: string, comparisons: readonly Comparison[]): void {
  const rows = comparisons.map(
    ({ name, cost, ratio, interval: [low, high] }) =>
      `  ${name.padEnd(44)} ${cost.toPrecision(3).padStart(9)} ${unit}   ${ratio.toFixed(2)}x  [${low.toFixed(2)}, ${high.toFixed(2)}]`,
  );
  process.stdout.write(`${title}\n${rows.join('\n')}\n`);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}

/** Percentile bootstrap of the median, 2,000 resamples, seeded so that the same figures give the same interval. */
function bootstrapInterval(values: readonly number[]): readonly [number, number] {
  let state = 12345;
  const random = (): number => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return state / 0x80000000;
  };
  const medians = Array.from({ length: 2000 }, () =>
    median(values.map(() => values[Math.floor(random() * values.length)] ?? Number.NaN)),
  ).sort((a, b) => a - b);
  return [medians[50] ?? Number.NaN, medians[1949] ?? Number.NaN];
}
