import type { Usage } from '../node/node-report.ts';
import type { JsonValue } from '../value/json.ts';
import type { NodeRun, NodeStatus, RowRun } from './node-run.ts';
import type { RunInfo } from './run-info.ts';

/** One record without its payloads; what diffs and caches work on. */
export interface RecordDigest {
  readonly line: number;
  readonly repeat: number;
  readonly node: string;
  readonly status: NodeStatus;
  /** Of the output's JSON, or of the error's code and message; 32 hexadecimal digits. */
  readonly outputHash: string;
  readonly inputsHash: string;
  readonly fingerprint?: string;
}

export interface NodeCount {
  readonly node: string;
  readonly status: NodeStatus;
  readonly records: number;
  /** Milliseconds of all of them together. */
  readonly durationMs: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** How a row ended, and its nodes, without what went in and came out. */
export interface RowSummary extends Pick<RowRun, 'line' | 'status' | 'startedAt' | 'durationMs'> {
  readonly repeat: number;
  /** A loop reached its bound unfinished. */
  readonly isUnfinished: boolean;
  /** In no order. Nodes that ran once over all rows are with the first row. */
  readonly nodes: readonly NodeSummary[];
}

/** What of a run is read row by row; nothing else is. */
export interface RecordProjection {
  /** Names of nodes whose records are wanted. */
  readonly nodes: readonly string[];
  /** Names of nodes of which is wanted how they ended. */
  readonly ends?: readonly string[];
  /** Whether what went into the rows and came out of them is wanted; true where absent. Without it both are empty. */
  readonly values?: boolean;
}

/** A row that ended, with what is wanted of it. */
export interface RowView extends Omit<RowSummary, 'nodes'>, Pick<RowRun, 'inputs' | 'outputs'> {
  /** Of the nodes of which is wanted how they ended. */
  readonly nodes: readonly ReadEnd[];
  readonly error: RowRun['error'] | undefined;
  /** Of the nodes whose records are wanted, by their names. */
  readonly records: ReadonlyMap<string, ReadRecord>;
}

/** What a node gave. */
export interface ReadRecord extends Pick<NodeRun, 'node' | 'status'> {
  readonly output: JsonValue | undefined;
  readonly cache: NodeRun['cache'] | undefined;
}

export type NodeSummary = Pick<NodeRun, 'node' | 'kind' | 'status' | 'durationMs' | 'usage'>;

/** The same, as it is read row by row. */
export interface ReadEnd extends Pick<NodeSummary, 'node' | 'kind' | 'status'> {
  readonly durationMs?: number | undefined;
  /** With its details where the node's record is wanted too. */
  readonly usage?: Usage | undefined;
}

/** A row that ended with its records in the order they were appended. */
export interface RowRecords {
  readonly row: RowRun;
  readonly nodes: readonly NodeRun[];
}

/** Some of many, in their order; one such part at a time is in memory. */
export type Batches<T> = AsyncIterable<readonly T[]>;

/**
 * A recorded run as it is read, also while it is written. A row is known by (line, repeat). Rows come in order of line, then
 * repeat. Status and totals are never stored, they are worked out from the records.
 */
export interface RunReader extends AsyncDisposable {
  readonly info: RunInfo;
  /** Records of one row in the order they were appended; none for a row that is not known. */
  nodes(line: number, repeat?: number): Promise<readonly NodeRun[]>;
  /** Undefined for a row that has not ended. */
  row(line: number, repeat?: number): Promise<RowRun | undefined>;
  rows(): Batches<RowRun>;
  /** Rows that ended with their records. */
  records(): Batches<RowRecords>;
  /** Rows that ended and their nodes, without reading their values. */
  rowEnds(): Batches<RowSummary>;
  /** Rows that ended with what is wanted of them. */
  readRows(wanted: RecordProjection): Batches<RowView>;
  /** Of every record, those of a row in the order they were appended. */
  digests(): Batches<RecordDigest>;
  /** How many rows ended how, without reading them. */
  rowCounts(): Promise<Readonly<Record<RowRun['status'], number>>>;
  /** How many completed rows have a loop that reached its bound unfinished. */
  unfinishedCount(): Promise<number>;
  /** Records of every node by how they ended, in the order of the flow; nodes without records are left out. */
  nodeCounts(): Promise<readonly NodeCount[]>;
  /** Of all records. */
  tokens(): Promise<Pick<Usage, 'promptTokens' | 'completionTokens'>>;
  /** One past the highest line that has a record: rows from there on are new. */
  nextLine(): Promise<number>;
  metrics(): Promise<Readonly<Record<string, JsonValue>>>;
}
