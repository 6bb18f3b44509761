import type { NodeCall } from '@unroll/engine';

/** When agents began, by row: a row is known by its inputs, and forgotten with them. */
const begun = new WeakMap<NodeCall['flowInputs'], Map<string, number>>();

/** Notes that an agent begins now; of a row that is run again in the same process the newest counts. */
export function noteBegin({ flowInputs }: NodeCall, agent: string): void {
  const ofRow = begun.get(flowInputs) ?? new Map<string, number>();
  begun.set(flowInputs, ofRow.set(agent, performance.now()));
}

/** Milliseconds an agent has left of its time. */
export function timeLeft({ flowInputs }: NodeCall, agent: string, maxTimeMs: number): number {
  const since = begun.get(flowInputs)?.get(agent);
  return since === undefined ? maxTimeMs : maxTimeMs - (performance.now() - since);
}
