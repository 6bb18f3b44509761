import type { RowIndex } from './row-index.ts';
import type { RowMarks } from './row-scores.ts';

/**
 * Sorts places of rows by a column, equal ones in the order of the run; what has no value stands last either way.
 *
 * @returns undefined for a column there is not
 */
export function sortRows(
  places: readonly number[],
  column: string,
  isDescending: boolean,
  { index, marks }: { readonly index: RowIndex; readonly marks: RowMarks },
): readonly number[] | undefined {
  const value = valuesOf(column, index, marks);
  if (value === undefined) return undefined;
  const values = new Float64Array(index.size);
  for (const at of places) values[at] = value(at);
  const direction = isDescending ? -1 : 1;
  return places.toSorted((one, other) => {
    const [left, right] = [values[one] ?? Number.NaN, values[other] ?? Number.NaN];
    if (Number.isNaN(left) || Number.isNaN(right))
      return Number(Number.isNaN(left)) - Number(Number.isNaN(right)) || one - other;
    return (left - right) * direction || one - other;
  });
}

const statuses: RowIndex['statuses'] = ['Completed', 'Failed', 'Canceled'];

function valuesOf(column: string, index: RowIndex, marks: RowMarks): ((at: number) => number) | undefined {
  const [, kind = column, name = ''] = /^(turns|score)\.(.*)$/s.exec(column) ?? [];
  switch (kind) {
    case 'line':
      return (at) => at;
    case 'status':
      return (at) => statuses.indexOf(index.statuses[at] ?? 'Completed');
    case 'tokens':
      return (at) => index.tokens[at] ?? Number.NaN;
    case 'cost':
      return (at) => index.costs[at] ?? Number.NaN;
    case 'ms':
      return (at) => index.durations[at] ?? Number.NaN;
    case 'turns': {
      const ran = index.loops.get(name)?.ran;
      return ran && ((at) => ran[at] ?? Number.NaN);
    }
    case 'score': {
      const values = marks.scores.get(name)?.values;
      return values && ((at) => values[at] ?? Number.NaN);
    }
    case 'first-bad':
      return firstBadRank(index, marks);
    default:
      return undefined;
  }
}

/** In the order of the flow. */
function firstBadRank(index: RowIndex, { firstBad }: RowMarks): (at: number) => number {
  const ranks = new Map([...index.nodes.keys()].map((name, rank) => [name, rank]));
  return (at) => {
    const node = firstBad.get(at);
    return node === undefined ? Number.NaN : (ranks.get(node) ?? ranks.size);
  };
}
