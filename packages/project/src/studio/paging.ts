import { ProjectFailure } from '../host/project-failure.ts';
import type { Paging } from '../studio-contract/contract.ts';

/** A part of a list. */
interface Slice {
  readonly from: number;
  readonly to: number;
  readonly paging: Paging;
}

/** @throws ProjectFailure where it is none that was given */
export function readCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor);
  throw new ProjectFailure('the cursor is none that was given', { code: 'BadQuery' });
}

export function sliceOf(total: number, from: number, limit: number): Slice {
  const to = Math.min(total, from + limit);
  return { from: Math.min(from, total), to, paging: { next: to < total ? String(to) : null, total } };
}
