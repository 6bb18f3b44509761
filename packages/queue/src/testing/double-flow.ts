/**
 * Doubles a number and adds one; row 3 fails, and `total` sums up all rows.
 */
export const doubleFlow: Readonly<Record<string, string>> = {
  'double/flow.dag.yaml': `inputs:
  n: {type: int}
outputs:
  o: {type: int, reference: "\${add.output}"}
nodes:
  - {name: double, type: python, source: {type: code, path: double.ts}, inputs: {n: "\${inputs.n}"}}
  - {name: add, type: python, source: {type: code, path: add.ts}, inputs: {n: "\${double.output}"}}
  - {name: total, type: python, aggregation: true, source: {type: code, path: total.ts}, inputs: {all: "\${add.output}"}}
`,
  'double/double.ts': `export function double({ n }: { n: number }) {
  if (n === 3) throw new RangeError('no way to double 3');
  return n * 2;
}
`,
  'double/add.ts': 'export const add = ({ n }: { n: number }) => n + 1;\n',
  'double/total.ts': `export function total({ all }: { all: number[] }, { logMetric }: { logMetric: (name: string, value: number) => void }) {
  logMetric('sum', all.reduce((sum, one) => sum + one, 0));
  return all.length;
}
`,
};

/** A JSON line a number, from 0. */
export function numbers(count: number): string {
  return Array.from({ length: count }, (_, n) => `${JSON.stringify({ n })}\n`).join('');
}
