import type { FingerprintInputs } from '../node/fingerprint-inputs.ts';
import type { Usage } from '../node/node-report.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import type { NodeRun, NodeStatus, RowRun } from './node-run.ts';

/** What a run was: enough to find its flow again and to tell two runs apart. No secrets. */
export interface RunInfo {
  readonly id: string;
  readonly flowPath: string;
  readonly flowName: string;
  /** SHA-256 of the flow file and the files it names. */
  readonly flowDigest: string;
  readonly startedAt: number;
  /** Node order and families, so that a run can be shown without its flow. */
  readonly nodes: readonly RunNode[];
  /** Outputs of the flow, with the node each comes from. */
  readonly outputs?: readonly { readonly name: string; readonly reads?: string }[];
  readonly options?: JsonObject;
  /** What a bulk run ran over; absent for a run of one row. */
  readonly data?: {
    /** As given, seen from the folder of the run; `-` for standard input. Absent where only another run was read. */
    readonly path?: string;
    /** SHA-256 of its bytes. */
    readonly digest?: string;
    /** Rows to run, their repetitions among them; absent where they were not counted. */
    readonly total?: number;
  };
  readonly columnMapping?: JsonObject;
  /** Of each node, the digests of what its definition is made of (`template`, `code` …): what changed between two runs. */
  readonly nodeDefinitions?: Readonly<Record<string, FingerprintInputs>>;
  /**
   * What the code of each node read while it ran (`variable TONE`, `reads data/faq.jsonl`, `code lib/sign.ts`, `unseen
   * network`). Worked out from the records appended: what is durable of a node has what it read beside it.
   */
  readonly nodeReads?: Readonly<Record<string, FingerprintInputs>>;
  /** Version and build of Unroll that began the run; absent in runs from elsewhere. */
  readonly madeWith?: MadeWith;
}

/** The program that made a run. */
export interface MadeWith {
  readonly version: string;
  /** Digest of its code: two builds of one version are told apart. */
  readonly build: string;
}

export interface RunNode {
  readonly name: string;
  readonly kind: string;
  /** Loop whose instance it is, with `family` and `iteration`. */
  readonly loop?: string;
  readonly family?: string;
  readonly iteration?: number;
  readonly aggregation?: boolean;
  /** Names of the nodes it reads, or whose output decides whether it runs. */
  readonly reads?: readonly string[];
  /** Names of the flow's inputs it reads, likewise. */
  readonly readsInputs?: readonly string[];
  /** Where its name is written: `flow.dag.yaml:23`. */
  readonly place?: string;
}

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

/**
 * An append-only log of one run. Status and totals are never stored, they are worked out from the records. A row is
 * known by (line, repeat). Every implementation passes `runStoreContract`.
 */
export interface RunStore extends AsyncDisposable {
  readonly info: RunInfo;
  /**
   * Durable once it resolves; without a promise it is so already. Nothing has to wait for it: records are kept in the
   * order they were appended, and a failure to keep one is met by every later call. Appending the same (line, repeat,
   * node) or row again changes nothing.
   */
  append(nodes: readonly NodeRun[], row?: RowRun): void | Promise<void>;
  appendMetrics(metrics: Readonly<Record<string, JsonValue>>): void | Promise<void>;
  /** Records of one row in the order they were appended. */
  nodes(line: number, repeat?: number): readonly NodeRun[];
  /** In order of line, then repeat. */
  rows(): Iterable<RowRun>;
  row(line: number, repeat?: number): RowRun | undefined;
  /** Rows that ended with their records, in order of line, then repeat; one row at a time is in memory. */
  records(): Iterable<RowRecords>;
  /** How many rows ended how, without reading them. */
  rowCounts(): Readonly<Record<RowRun['status'], number>>;
  /** Rows that ended and their nodes, in order of line, then repeat; without reading their values. */
  rowEnds(): Iterable<RowSummary>;
  /** Rows that ended with what is wanted of them, in order of line, then repeat; one row at a time is in memory. */
  readRows(wanted: RecordProjection): Iterable<RowView>;
  /** How many completed rows have a loop that reached its bound unfinished. */
  unfinishedCount(): number;
  /** Records of every node by how they ended, in the order of the flow; nodes without records are left out. */
  nodeCounts(): readonly NodeCount[];
  /** Of all records. */
  tokens(): Pick<Usage, 'promptTokens' | 'completionTokens'>;
  /** One past the highest line that has a record: rows from there on are new. */
  nextLine(): number;
  metrics(): Readonly<Record<string, JsonValue>>;
  /**
   * Takes back how rows ended and what did not complete in them, and what was worked out over all rows (aggregation
   * nodes, metrics), so that these rows can be run again. Nodes that completed stay, but for those whose records are `inexact`.
   */
  reopen(rows: Iterable<{ readonly line: number; readonly repeat?: number }>): void | Promise<void>;
  /**
   * Commits what was appended, and looks whether it is there: asked before a run is told as recorded.
   *
   * @throws RunFileError when the record was removed, or replaced, while it was written
   */
  ensureKept(): void;
  /** In order of line, repeat and then of appending. */
  digests(): Iterable<RecordDigest>;
}
