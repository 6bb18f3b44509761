import { ProjectFailure } from '../host/project-failure.ts';
import type { Paging } from '../studio-contract/contract.ts';
import { disagrees, hasValidJudgement, type JudgedRow } from './label-agreement.ts';

interface LabelOrder {
  readonly order?: 'disagreement' | 'line' | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

type Place = readonly [rank: number, line: number, repeat: number];

/**
 * The next rows to label. A cursor is the place of the last row that was given, as it was then: a label moves its own row, and none that
 * was not given yet, so that whoever labels on the way misses none. Rows that were given before and moved come once more.
 *
 * @throws ProjectFailure where the cursor is none that was given
 */
export function labelsAfter(
  judged: readonly JudgedRow[],
  { order, cursor, limit = 50 }: LabelOrder,
): { readonly rows: readonly JudgedRow[]; readonly paging: Paging } {
  const placed = judged
    .map((row) => ({ row, place: placeOf(row, order) }))
    .sort((one, other) => comparePlaces(one.place, other.place));
  const last = readPlace(cursor);
  const left = last === undefined ? placed : placed.filter(({ place }) => comparePlaces(place, last) > 0);
  const shown = left.slice(0, limit);
  const next = shown.length < left.length ? (shown.at(-1)?.place.join('.') ?? null) : null;
  return { rows: shown.map(({ row }) => row), paging: { next, total: judged.length } };
}

/** Disagreement first, then what nobody has judged, then the rest. */
function placeOf(row: JudgedRow, order: LabelOrder['order']): Place {
  const rank = order === 'line' ? 0 : disagrees(row) ? 0 : hasValidJudgement(row) ? 2 : 1;
  return [rank, row.row.line, row.row.repeat];
}

function comparePlaces(one: Place, other: Place): number {
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
}

function readPlace(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined;
  const [, rank, line, repeat] = /^(\d)\.(\d{1,9})\.(\d{1,9})$/.exec(cursor) ?? [];
  if (rank !== undefined) return [Number(rank), Number(line), Number(repeat)];
  throw new ProjectFailure('the cursor is none that was given', { code: 'BadQuery' });
}
