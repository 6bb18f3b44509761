import type { NodeOutcome, PreparedNode } from '../node/node-type.ts';
import type { Plan, PlanNode } from '../plan/plan.ts';
import type { JsonObject } from '../value/json.ts';
import { mappingOf } from '../value/shapes.ts';
import { loopPlace } from './budget-places.ts';

/** Tells where the last node of a loop's group takes back that the loop has ended: its nodes run again, and what it had answered is gone. */
export function withEndedLoop(plan: Plan): (prepared: PreparedNode, node: { readonly plan: PlanNode }) => PreparedNode {
  return (prepared, { plan: node }) => {
    const loop = plan.loops.find(({ name }) => name === node.instance?.loop && node.instance.iteration > 1);
    const input = loop === undefined ? undefined : loopPlace(node, loop, plan).last?.stateInput;
    if (loop === undefined || input === undefined) return prepared;
    const { name, until } = loop;
    const warning = `loop '${name}' had ended, and "${until}" of the state that follows is not true: it has not ended`;
    const told = (given: JsonObject, outcome: NodeOutcome): NodeOutcome => {
      if (!outcome.ok || mappingOf(given[input])[until] !== true || mappingOf(outcome.output)[until] === true)
        return outcome;
      // What an earlier run recorded brings its warnings along.
      const others = (outcome.report?.warnings ?? []).filter((one) => one !== warning);
      return { ...outcome, report: { ...outcome.report, warnings: [...others, warning] } };
    };
    return {
      ...prepared,
      run: (given, call) => {
        const outcome = prepared.run(given, call);
        return outcome instanceof Promise ? outcome.then((one) => told(given, one)) : told(given, outcome);
      },
    };
  };
}
