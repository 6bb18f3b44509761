import type { FingerprintInputs } from '../node/fingerprint-inputs.ts';
import type { JsonObject } from '../value/json.ts';

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
  /** Outputs of the flow, with the node each comes from. Of one that is whole, rows have the members in its place. */
  readonly outputs?: readonly { readonly name: string; readonly reads?: string; readonly isWhole?: true }[];
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
  /** Of the node that ends a loop: the property of its state that ends it, where that is not `finished`. */
  readonly until?: string;
  readonly aggregation?: boolean;
  /** Names of the nodes it reads, or whose output decides whether it runs. */
  readonly reads?: readonly string[];
  /** Names of the flow's inputs it reads, likewise. */
  readonly readsInputs?: readonly string[];
  /** Where its name is written: `flow.dag.yaml:23`. */
  readonly place?: string;
}
