import type { NodeStatus } from '@unroll/engine';
import type { FailureGroup } from '../host/run-progress.ts';
import type { Spending } from '../prices/spent.ts';

/** What of each row is found, counted and sorted by, as columns in the order of line, then repetition; read from a record once. */
export interface RowIndex {
  /** Rows that had ended when it was read. */
  readonly size: number;
  readonly lines: Int32Array;
  readonly repeats: Int32Array;
  /** As `rowStatusName` names them. */
  readonly statuses: Uint8Array;
  /** Milliseconds. */
  readonly durations: Float64Array;
  readonly tokens: Float64Array;
  /** US dollars of what has a price; NaN where nothing has one, or nobody is billed. */
  readonly costs: Float64Array;
  /** 1 where a call of it has no price that is known. */
  readonly partial: Uint8Array;
  readonly texts: readonly string[];
  readonly nodes: ReadonlyMap<string, NodeIndex>;
  /** Nodes that ran once over all rows, and so in none of them. */
  readonly overRows: ReadonlyMap<string, NodeIndex>;
  readonly loops: ReadonlyMap<string, LoopIndex>;
  /** Rows with a loop or an agent that reached its bound, or gave no answer. */
  readonly unfinished: number;
  /** Why rows failed, the commonest first. */
  readonly failures: readonly FailureGroup[];
  /** When the last row ended, milliseconds since the epoch; the start of the run where none did. */
  readonly endedAt: number;
  /** Place of a row in the columns. */
  find(line: number, repeat: number): number | undefined;
}

/** One node over all rows. */
export interface NodeIndex {
  /** By row: as `statusNumber` numbers them, `noStatus` where there is no record. */
  readonly statuses: Uint8Array;
  /** By row, 1 where its output was taken from before. */
  readonly cached: Uint8Array;
  readonly counts: Readonly<Record<NodeStatus, number>>;
  readonly cachedCount: number;
  /** Milliseconds that half of those that ran did not take longer than. */
  readonly medianMs: number | undefined;
  readonly spent: Spending;
}

/** Every node of the run, those over all rows last. */
export function allNodes({
  nodes,
  overRows,
}: Pick<RowIndex, 'nodes' | 'overRows'>): readonly (readonly [string, NodeIndex])[] {
  return [...nodes, ...overRows];
}

export function nodeIndex(
  { nodes, overRows }: Pick<RowIndex, 'nodes' | 'overRows'>,
  name: string,
): NodeIndex | undefined {
  return nodes.get(name) ?? overRows.get(name);
}

/** One loop over all rows. */
export interface LoopIndex {
  readonly times: number;
  /** By row: turns that ran. */
  readonly ran: Uint8Array;
  /** By row, 1 where it ended by itself. */
  readonly ended: Uint8Array;
}
