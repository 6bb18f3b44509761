import { RunDamageError } from '@unroll/engine';
import { statuses, statusOf } from '@unroll/engine/record-format';
import type { RowPlace, StoredNode, StoredRow } from './stored-records.ts';

/** Statuses in which a row may end. */
const rowStatuses: readonly string[] = ['Completed', 'Failed', 'Canceled'];

/** How a row ended, in the columns of the database: whoever may write there may write anything. */
interface RowColumns {
  readonly status: number;
  readonly startedAt: number | null;
  readonly durationMs: number | null;
}

interface NodeColumns extends RowColumns {
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
}

interface StoredPart {
  /** Absent for a row that has not ended. */
  readonly row: StoredRow | undefined;
  readonly nodes: readonly StoredNode[];
}

/**
 * Looks at the columns of a row and of its nodes before anything is made of them.
 *
 * @param requireName throws where a node has no name
 * @throws RunDamageError where they are not as we write them
 */
export function requireSound({ row, nodes }: StoredPart, requireName: (node: number) => unknown): void {
  if (row !== undefined) {
    const [, , status, startedAt, durationMs] = row;
    if (!isSoundRow({ status, startedAt, durationMs })) throw new RunDamageError({ message: columnDamage });
  }
  for (const [, , node, status, startedAt, durationMs, promptTokens, completionTokens] of nodes) {
    requireName(node);
    const columns = { status, startedAt, durationMs, promptTokens, completionTokens };
    if (!isSoundNode(columns)) throw new RunDamageError({ message: columnDamage });
  }
}

export const columnDamage = 'its columns in the database are damaged';
export const unnamedNode = 'it has a node that the list of nodes does not have';

export function isSoundRow({ status, startedAt, durationMs }: RowColumns): boolean {
  return isRowStatus(status) && isTime(startedAt) && isTime(durationMs);
}

export function isSoundNode({ status, startedAt, durationMs, promptTokens, completionTokens }: NodeColumns): boolean {
  const isCounted = isTokenCount(promptTokens) && isTokenCount(completionTokens);
  return isNodeStatus(status) && isTime(startedAt) && isTime(durationMs) && isCounted;
}

export function isRowStatus(status: number): boolean {
  return isNodeStatus(status) && rowStatuses.includes(statusOf(status));
}

function isNodeStatus(status: number): boolean {
  return statuses[status] !== undefined;
}

function isTime(ms: number | null): boolean {
  return ms === null || Number.isFinite(ms);
}

function isTokenCount(tokens: number | null): boolean {
  return tokens === null || (Number.isSafeInteger(tokens) && tokens >= 0);
}

/** @param what of the row is not what was written */
export function rowDamage(run: string, { line, repeat }: RowPlace, what: string): RunDamageError {
  const name = repeat === 0 ? `row ${line}` : `row ${line}, repetition ${repeat},`;
  return new RunDamageError({ message: `${name} of the run ${run} cannot be read: ${what}`, row: { line, repeat } });
}
