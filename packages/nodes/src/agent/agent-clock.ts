import { type JsonObject, type NodeCall, ScopeSlot } from '@unroll/engine';

/** How long their row had been worked on when agents began, by name; milliseconds of the row's clock. */
const begun = new ScopeSlot<Map<string, number>>('beginnings of agents');

function begunIn({ row }: NodeCall): Map<string, number> {
  return row.kept(begun, () => new Map());
}

/** Notes that an agent begins now; of an agent in a loop the newest counts. */
export function noteBegin(call: NodeCall, agent: string): void {
  begunIn(call).set(agent, call.row.workedSince(0));
}

/** What the first node of an agent puts beside its output: a row that goes on later knows by it when the agent began. */
export function besideBegin(agent: string): JsonObject {
  return { agent };
}

/** Milliseconds an agent has left of its time; what it took before its row was stopped counts. */
export function timeLeft(call: NodeCall, agent: string, maxTimeMs: number): number {
  const since = begunIn(call).get(agent);
  if (since !== undefined) return maxTimeMs - (call.row.workedSince(0) - since);
  const worked = workedBefore(call, agent);
  // The agent's first node was taken from another run: its time begins with its first turn.
  if (worked === undefined) noteBegin(call, agent);
  return maxTimeMs - (worked ?? 0);
}

function workedBefore({ row, finished }: NodeCall, agent: string): number | undefined {
  const begins = [...(finished?.values() ?? [])].flatMap(({ beside, startedAt }) =>
    beside?.['agent'] === agent && startedAt !== undefined ? [startedAt] : [],
  );
  return begins.length === 0 ? undefined : row.workedSince(Math.max(...begins));
}
