import type { JsonObject, NodeStatus, RowRun } from '@unroll/engine';
import type { FailureGroup } from '../host/run-progress.ts';
import type { Spending } from '../prices/spent.ts';

/** What of each row is found, counted and sorted by, as columns in the order of line, then repetition; read from a record once. */
export interface RowIndex {
  /** Rows that had ended when it was read. */
  readonly size: number;
  readonly lines: readonly number[];
  readonly repeats: readonly number[];
  readonly statuses: readonly RowRun['status'][];
  /** Milliseconds. */
  readonly durations: readonly number[];
  readonly tokens: readonly number[];
  /** US dollars of what has a price; undefined where nothing has one, or nobody is billed. */
  readonly costs: readonly (number | undefined)[];
  /** Whether a call of it has no price that is known. */
  readonly partial: readonly boolean[];
  readonly texts: readonly string[];
  readonly nodes: ReadonlyMap<string, NodeIndex>;
  /** Nodes that ran once over all rows, and so in none of them. */
  readonly overRows: ReadonlyMap<string, NodeIndex>;
  readonly loops: ReadonlyMap<string, LoopIndex>;
  /** Rows with a loop or an agent that reached its bound, or gave no answer. */
  readonly unfinished: number;
  /** Why rows failed, the commonest first. */
  readonly failures: readonly FailureGroup[];
  /** What nodes over all rows logged, by name. */
  readonly metrics: JsonObject;
  /** When the last row ended, milliseconds since the epoch; the start of the run where none did. */
  readonly endedAt: number;
  /** Place of a row in the columns. */
  find(line: number, repeat: number): number | undefined;
}

/** One node over all rows. */
export interface NodeIndex {
  /** By row; undefined where there is no record. */
  readonly statuses: readonly (NodeStatus | undefined)[];
  /** By row, whether its output was taken from before. */
  readonly cached: readonly boolean[];
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
  readonly ran: readonly number[];
  /** By row, whether it ended by itself. */
  readonly ended: readonly boolean[];
}
