import type { NodeCall, Values } from '@unroll/engine';

/** When agents began, by row, each forgotten with its row. */
const begun = new WeakMap<object, Map<string, number>>();

/** Notes that an agent begins now; of an agent in a loop the newest counts. */
export function noteBegin({ row, flowInputs }: NodeCall, agent: string): void {
  const ofRow = begun.get(row ?? flowInputs) ?? new Map<string, number>();
  begun.set(row ?? flowInputs, ofRow.set(agent, performance.now()));
}

/** What the first node of an agent puts beside its output: a row that goes on later knows by it when the agent began. */
export function besideBegin(agent: string): Values {
  return { agent };
}

/** Milliseconds an agent has left of its time; what it took before its row was stopped counts. */
export function timeLeft(call: NodeCall, agent: string, maxTimeMs: number): number {
  const since = begun.get(call.row ?? call.flowInputs)?.get(agent);
  if (since !== undefined) return maxTimeMs - (performance.now() - since);
  const worked = workedBefore(call, agent);
  // The agent's first node was taken from another run: its time begins with its first turn.
  if (worked === undefined) noteBegin(call, agent);
  return maxTimeMs - (worked ?? 0);
}

function workedBefore({ row, finished }: NodeCall, agent: string): number | undefined {
  const begins = [...(finished?.values() ?? [])].flatMap(({ beside, startedAt }) =>
    beside?.['agent'] === agent && startedAt !== undefined ? [startedAt] : [],
  );
  return row === undefined || begins.length === 0 ? undefined : row.workedSince(Math.max(...begins));
}
