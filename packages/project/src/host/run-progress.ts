import type { Usage } from '@unroll/engine';
import type { ThrottleState } from '@unroll/nodes';

/** How a run over data stands. */
export interface ProgressView {
  readonly rows: {
    readonly total?: number;
    readonly completed: number;
    readonly failed: number;
    readonly canceled: number;
    /** Of the completed: a loop reached its bound. */
    readonly unfinished: number;
    /** Every node was answered from the cache. */
    readonly cached: number;
    readonly inFlight: number;
  };
  readonly groups: readonly Group[];
  readonly failures: readonly FailureGroup[];
  /** Tokens of the calls that were made; answers from the cache are none. */
  readonly usage?: Usage;
  /** US dollars for them, at listed prices. */
  readonly cost?: number;
  /** Tokens of nodes whose price is unknown are not in `cost`. */
  readonly isCostPartial: boolean;
  readonly elapsedMs: number;
  /** Rows a second. */
  readonly rate?: number;
  readonly leftMs?: number;
  /** Of a run on workers: those that have rows in flight, and how many. */
  readonly workers?: readonly { readonly name: string; readonly rows: number }[];
  /** Connections whose calls are held back at the moment, since their services said "too many". */
  readonly paces?: readonly ThrottleState[];
  /** Nodes whose calls fail and are made again, since one of the node ended: how many, and how the last one failed. */
  readonly failing?: readonly { readonly node: string; readonly calls: number; readonly code: string }[];
}

/** A node that stands alone, a family of nodes of a loop, or how far the rows went round a loop. */
export type Group =
  | ({ readonly kind: 'node' | 'family'; readonly loop?: string } & NodeTally)
  | {
      readonly kind: 'loop';
      readonly name: string;
      readonly times: number;
      /** Completed rows that went round so many times, from 1; index 0 for those that did not. */
      readonly stopped: readonly number[];
    };

export interface NodeTally {
  readonly name: string;
  /** Type as written: `llm`, `python` … */
  readonly type: string;
  readonly aggregation: boolean;
  /** Nodes of the family; 1 for a node. */
  readonly size: number;
  readonly completed: number;
  readonly failed: number;
  readonly bypassed: number;
  readonly canceled: number;
  /** Of the completed: answered from the cache. */
  readonly cached: number;
  readonly inFlight: number;
  readonly usage?: Usage;
  readonly cost?: number;
  /** Some of its calls, or of their tokens, have no price that is known: `cost` is less than was paid. */
  readonly isCostPartial: boolean;
  readonly p50Ms?: number;
  readonly p95Ms?: number;
}

/** Failures of one node with one error code. */
export interface FailureGroup {
  /** Absent where an input or an output of the flow is to blame. */
  readonly node?: string;
  readonly code: string;
  readonly count: number;
  /** Where it happened first, by the order of the data. Absent for a node that runs once over all rows. */
  readonly firstRow?: { readonly line: number; readonly repeat: number };
  /** Of that first one: message of what was raised, where something was, and what else is known of the service. */
  readonly message: string;
  /** Different ones among them; not counted beyond 100. */
  readonly messages: number;
  readonly retryable: boolean;
}
