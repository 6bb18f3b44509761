/**
 * Doubles a number and adds one; row 3 fails, and `total` sums up all rows.
 */
export const doubleFlow: Readonly<Record<string, string>> = {
  'double/flow.dag.yaml': `inputs:
  n: {type: int}
outputs:
  o: {type: int, reference: "\${add.output}"}
nodes:
  - {name: double, type: python, source: {type: code, path: double.mjs}, inputs: {n: "\${inputs.n}"}}
  - {name: add, type: python, source: {type: code, path: add.mjs}, inputs: {n: "\${double.output}"}}
  - {name: total, type: python, aggregation: true, source: {type: code, path: total.mjs}, inputs: {all: "\${add.output}"}}
`,
  'double/double.mjs': `export function double({ n }) {
  if (n === 3) throw new RangeError('no way to double 3');
  return n * 2;
}
`,
  'double/add.mjs': 'export const add = ({ n }) => n + 1;\n',
  'double/total.mjs': `export function total({ all }, { logMetric }) {
  logMetric('sum', all.reduce((sum, one) => sum + one, 0));
  return all.length;
}
`,
};

/** A JSON line a number, from 0. */
export function numbers(count: number): string {
  return Array.from({ length: count }, (_, n) => `${JSON.stringify({ n })}\n`).join('');
}
