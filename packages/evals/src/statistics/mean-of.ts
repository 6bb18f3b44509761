/**
 * Mean of numbers; NaN of none. Added up as Neumaier (1974) has it: what is too small beside the sum so far is kept apart, so that
 * neither large scores of opposite sign nor many small ones lose the others.
 */
export function meanOf(values: ArrayLike<number>): number {
  let [sum, lost] = [0, 0];
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] as number;
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  // What is infinite has lost nothing that could be told.
  return (Number.isFinite(sum) ? sum + lost : sum) / values.length;
}
