/** Mean of values weighted by how many each stands for. */
export function microAverage(values: readonly number[], weights: readonly number[]): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return values.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0) / total;
}

/** Mean of values, each counting the same. */
export function macroAverage(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
