import type { FlowSpec } from '../flow/flow-spec.ts';
import { agentsAsLastNodes, isAgent } from './check-agents.ts';
import { unrollAgents } from './unroll-agents.ts';
import { type UnrolledFlow, unrollLoops } from './unroll-loops.ts';

/**
 * Lays out all that repeats. Loops that hold an agent come first, so that each iteration has an agent of its own, and an
 * agent is written out wherever it stands; what is left are the loops that agents are.
 *
 *     [ ask -> check ] times: 2  =>  ask_1 -> check_1 -> ask_2 -> check_2
 *                                =>  ask_1_start -> ask_1_plan_1 -> … -> ask_1 -> check_1 -> ask_2_start -> …
 */
export function unrollFlow(spec: FlowSpec): UnrolledFlow {
  const holdsAgent = spec.loops.some(({ nodes, finalize }) =>
    [...nodes, ...(finalize === undefined ? [] : [finalize])].some(isAgent),
  );
  const outer = holdsAgent ? unrollLoops(spec) : { spec, diagnostics: [] };
  const agents = unrollAgents(outer.spec);
  const inner = unrollLoops(agents.spec);
  const diagnostics = [...agentsAsLastNodes(spec), ...agents.diagnostics, ...outer.diagnostics, ...inner.diagnostics];
  return { spec: inner.spec, diagnostics };
}
