import type { NodeCall, PreparedNode } from '../node/node-type.ts';
import type { Plan, PlanNode } from '../plan/plan.ts';
import type { EarlierRun } from '../record/earlier-run.ts';
import type { NodeRun } from '../record/node-run.ts';
import { answerOf } from './with-cache.ts';
import { nodesAfter } from './with-oracle.ts';

/** A run in which some nodes run again, whatever the earlier run holds of them. */
export interface RerunRule {
  /** Names of the nodes that run again. What reads them runs as after any change: where it is given the same, it gives the same. */
  readonly nodes: ReadonlySet<string>;
  /** The run that all other nodes give what they gave in, though they write, or are another thing by now. */
  readonly before: EarlierRun;
}

/** What becomes of a node under such a rule. */
export type RerunPart = 'again' | 'follows' | 'recorded';

/** By the ids of nodes; with no rule nothing is under one. */
export function rerunParts(plan: Plan, rule: RerunRule | undefined): (node: PlanNode) => RerunPart | undefined {
  if (rule === undefined) return () => undefined;
  const after = nodesAfter(plan, rule.nodes);
  return ({ id, name, aggregation }) => {
    if (rule.nodes.has(name)) return 'again';
    return aggregation || after.has(id) ? 'follows' : 'recorded';
  };
}

/** A node that stands before those that run again, and beside them, gives what it gave. */
export function withRerun(
  plan: Plan,
  rule: RerunRule | undefined,
): (prepared: PreparedNode, node: { readonly plan: PlanNode }) => PreparedNode {
  if (rule === undefined) return (prepared) => prepared;
  const partOf = rerunParts(plan, rule);
  return (prepared, { plan: node }) => {
    if (partOf(node) !== 'recorded') return prepared;
    return {
      ...prepared,
      run: async (inputs, call) => {
        const record = await recordedOutput(prepared, rule, call);
        return record === undefined ? prepared.run(inputs, call) : answerOf(record, inputs, rule.before.runId);
      },
    };
  };
}

/** Undefined where the record does not give the output again: it was left out for a secret in it, or not all of it was kept. */
export async function recordedOutput(
  { givesBeside }: Pick<PreparedNode, 'givesBeside'>,
  { before }: RerunRule,
  { node, line, repeat = 0 }: Pick<NodeCall, 'node' | 'line' | 'repeat'>,
): Promise<NodeRun | undefined> {
  const record = await before.at({ node, line, repeat });
  if (record === undefined || record.redacted?.includes('output') === true) return undefined;
  return givesBeside === true && record.beside === undefined ? undefined : record;
}
