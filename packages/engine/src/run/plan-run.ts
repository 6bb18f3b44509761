import type { NodeError } from '../node/node-error.ts';
import type { NodeRun } from '../record/node-run.ts';
import type { JsonObject } from '../value/json.ts';

/** What running the nodes of a plan gave: a record a node that was reached, by id. */
export interface PlanRun {
  readonly runs: readonly (NodeRun | undefined)[];
  readonly outputs: JsonObject;
  readonly error?: NodeError & { readonly node?: string };
  readonly canceled: boolean;
}
