import type { NodePair, RowPair, RowPattern } from './run-comparison.ts';

/** Pairs of rows counted by what they have in common. */
export class RowPatterns {
  private readonly counted = new Map<string, { readonly id: number; readonly pair: RowPair; rows: number }>();

  /** @returns the id of its pattern; ids go up from 1 as patterns are met */
  count(pair: RowPair): number {
    const key = keyOf(pair);
    const known = this.counted.get(key) ?? { id: this.counted.size + 1, pair, rows: 0 };
    if (known.rows === 0) this.counted.set(key, known);
    known.rows += 1;
    return known.id;
  }

  /** In the order of their ids. */
  read(): readonly RowPattern[] {
    return [...this.counted.values()].map(({ id, pair, rows }) => ({ id, rows, ...pair }));
  }
}

/** Its JSON would take twice the time of the whole comparison. */
function keyOf({ left, right, outputsDiffer, inputs, nodes }: RowPair): string {
  return `${left} ${right} ${outputsDiffer} ${JSON.stringify(inputs)} ${nodes.map(keyOfNode).join('\n')}`;
}

function keyOfNode({ node, left, right, outputDiffers, inputsDiffer, fingerprintDiffers }: NodePair): string {
  return `${left} ${right} ${outputDiffers} ${inputsDiffer} ${fingerprintDiffers} ${node}`;
}
