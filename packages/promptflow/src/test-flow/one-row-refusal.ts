import { type FlowSpec, isPromptyPath, type NodeError, type Plan, parseYaml } from '@unroll/engine';
import { testRefusal } from '../errors/reading-refusal.ts';

/**
 * Why a flow cannot be run on one row, where it can be run on many: Prompt flow's test of a flow looks for variants before it
 * reads the flow, and wants `nodes` that each have a `name`. Not of flows with loops, which it does not know.
 */
export function oneRowRefusal({ file, loops, answersBy }: FlowSpec | Plan): NodeError | undefined {
  if (loops.length > 0 || answersBy !== undefined || isPromptyPath(file.path)) return undefined;
  const refusal = testRefusal(parseYaml(file, { dates: true }).value ?? null);
  if (refusal === undefined) return undefined;
  return { ...refusal, retryable: false };
}
