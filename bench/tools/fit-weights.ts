/** One row to learn from: what was seen, and whether it was right. */
interface LearnedRow {
  readonly features: Readonly<Record<string, number>>;
  readonly isRight: boolean;
}

/** Over all rows. */
const steps = 200;
const stepSize = 0.05;
/** Weight of the squared weights in the loss. */
const penalty = 1e-3;

/**
 * Weights of a logistic regression, without its constant, which changes no order. Features are put to mean 0 and
 * deviation 1 for fitting and the weights given for the features as they are.
 *
 * Full-batch Adam as in Kingma and Ba, Adam: A Method for Stochastic Optimization (2015); the same rows give the same weights.
 */
export function fitWeights(rows: readonly LearnedRow[]): Readonly<Record<string, number>> {
  const names = Object.keys(rows[0]?.features ?? {});
  const { values, deviations } = standardised(rows, names);
  const rights = rows.map(({ isRight }) => (isRight ? 1 : 0));
  const weights = new Float64Array(names.length + 1);
  weights[names.length] = -3;
  const adam = adamStep(weights.length, stepSize);
  for (let step = 1; step <= steps; step += 1) {
    const gradient = gradientOf(weights, values, rights);
    for (let at = 0; at < names.length; at += 1) gradient[at] = (gradient[at] ?? 0) + penalty * (weights[at] ?? 0);
    adam(weights, gradient, step);
  }
  return Object.fromEntries(names.map((name, at) => [name, (weights[at] ?? 0) / (deviations[at] ?? 1)]));
}

function standardised(rows: readonly LearnedRow[], names: readonly string[]) {
  const columns = names.map((name) => Float64Array.from(rows, ({ features }) => features[name] ?? 0));
  const means = columns.map((column) => column.reduce((sum, value) => sum + value, 0) / rows.length);
  const deviations = columns.map((column, at) => {
    const spread = column.reduce((sum, value) => sum + (value - (means[at] ?? 0)) ** 2, 0) / rows.length;
    return Math.sqrt(spread) || 1;
  });
  const values = rows.map((_, row) =>
    Float64Array.from(names, (_, at) => ((columns[at]?.[row] ?? 0) - (means[at] ?? 0)) / (deviations[at] ?? 1)),
  );
  return { values, deviations };
}

/** Mean gradient of the log loss; the last weight is the constant's. */
function gradientOf(weights: Float64Array, values: readonly Float64Array[], rights: readonly number[]): Float64Array {
  const gradient = new Float64Array(weights.length);
  const last = weights.length - 1;
  for (let row = 0; row < values.length; row += 1) {
    const value = values[row] as Float64Array;
    let sum = weights[last] as number;
    for (let at = 0; at < last; at += 1) sum += (weights[at] as number) * (value[at] as number);
    const error = (1 / (1 + Math.exp(-sum)) - (rights[row] as number)) / values.length;
    for (let at = 0; at < last; at += 1) gradient[at] = (gradient[at] as number) + error * (value[at] as number);
    gradient[last] = (gradient[last] as number) + error;
  }
  return gradient;
}

function adamStep(size: number, stepSize: number) {
  const first = new Float64Array(size);
  const second = new Float64Array(size);
  return (weights: Float64Array, gradient: Float64Array, step: number): void => {
    for (let at = 0; at < size; at += 1) {
      const slope = gradient[at] as number;
      first[at] = 0.9 * (first[at] as number) + 0.1 * slope;
      second[at] = 0.999 * (second[at] as number) + 0.001 * slope * slope;
      const mean = (first[at] as number) / (1 - 0.9 ** step);
      const spread = Math.sqrt((second[at] as number) / (1 - 0.999 ** step));
      weights[at] = (weights[at] as number) - (stepSize * mean) / (spread + 1e-8);
    }
  };
}
