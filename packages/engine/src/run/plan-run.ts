import type { NodeError } from '../node/node-error.ts';
import type { NodeCall } from '../node/node-type.ts';
import type { NodeRun } from '../record/node-run.ts';
import type { Redactor } from '../secrets/redactor.ts';
import type { JsonObject } from '../value/json.ts';
import type { NodeEvent } from './run-event.ts';
import type { Streaming } from './run-flow.ts';

export interface PlanRunOptions {
  readonly runId: string;
  readonly line: number;
  /** Which repetition of the row; absent is 0. */
  readonly repeat?: number | undefined;
  readonly finished?: NodeCall['finished'];
  readonly signal: AbortSignal;
  readonly onEvent?: ((event: NodeEvent) => void) | undefined;
  readonly streaming?: Streaming | undefined;
  /** As in `NodeCall`. */
  readonly redactor?: Redactor | undefined;
  /** Milliseconds since the epoch, with fractions. */
  readonly now: () => number;
}

/** What running the nodes of a plan gave: a record a node that was reached, by id. */
export interface PlanRun {
  readonly runs: readonly (NodeRun | undefined)[];
  readonly outputs: JsonObject;
  readonly error?: NodeError & { readonly node?: string };
  readonly canceled: boolean;
}
