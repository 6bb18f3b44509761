import type { NodeCall, PreparedNode } from '../node/node-type.ts';
import type { Plan, PlanNode } from '../plan/plan.ts';
import type { EarlierRun } from '../record/earlier-run.ts';
import type { JsonValue } from '../value/json.ts';
import { answerOf } from './with-cache.ts';

/** What a run is like in which some nodes give what they should have given. */
export interface OracleRule {
  /** Names of the nodes whose outputs are given. */
  readonly nodes: ReadonlySet<string>;
  /** What such a node gives in a row; undefined where nothing is expected of it there, and it runs. */
  readonly expected: (place: {
    readonly node: string;
    readonly line: number;
  }) => { readonly output: JsonValue } | undefined;
  /** The run it is compared with: nodes that read none of the given outputs, directly or not, give what they gave there. */
  readonly before: EarlierRun;
}

/** Puts expectations in the place of what nodes make; with no rule nodes stay as they are. */
export function withOracles(
  plan: Plan,
  rule: OracleRule | undefined,
): (prepared: PreparedNode, node: { readonly plan: PlanNode }) => PreparedNode {
  if (rule === undefined) return (prepared) => prepared;
  const touched = nodesAfter(plan, rule.nodes);
  return (prepared, { plan: node }) => {
    if (rule.nodes.has(node.name)) return withOracle(prepared, rule.expected);
    return touched.has(node.id) || node.aggregation ? prepared : withRecorded(prepared, rule.before);
  };
}

/** A node that gives what is expected of it: its record says so, and no later run takes it for the node's own. */
function withOracle(node: PreparedNode, expected: OracleRule['expected']): PreparedNode {
  return {
    ...node,
    run: (inputs, call) => {
      const given = expected({ node: call.node, line: call.line });
      if (given === undefined) return node.run(inputs, call);
      return { ok: true, output: given.output, report: { oracle: true, notKept: 'its output was given' } };
    },
  };
}

/** A node that gives what it gave in the same row of an earlier run, though it writes or is never kept otherwise. */
function withRecorded(node: PreparedNode, before: EarlierRun): PreparedNode {
  const recorded = ({ node: name, line, repeat = 0 }: NodeCall) => before.at({ node: name, line, repeat });
  return {
    ...node,
    run: async (inputs, call) => {
      const record = await recorded(call);
      return record === undefined ? node.run(inputs, call) : answerOf(record, inputs, before.runId);
    },
  };
}

/** Ids of the nodes that read what these give, directly or not. */
export function nodesAfter({ nodes }: Plan, names: ReadonlySet<string>): ReadonlySet<number> {
  const after = new Set<number>();
  for (const { id, dependencies } of nodes) {
    if (dependencies.some((one) => after.has(one) || names.has(nodes[one]?.name ?? ''))) after.add(id);
  }
  return after;
}
