import type { ThrottleState } from '@unroll/nodes';
import type { WorkerAtWork } from '@unroll/project';
import type { KnownWorker } from './known-workers.ts';

/** What all workers do for one run. */
export function workersOn(run: string, workers: readonly KnownWorker[]): readonly WorkerAtWork[] {
  return workers.map(({ name, host, process, works, doing, lacks, silentMs }) => ({
    ...{ name, host, process, silentMs },
    rows: works[run] ?? 0,
    nodes: doing[run]?.nodes ?? {},
    lacks: lacks[run],
  }));
}

/** @param paces of all connections: those count that the run calls */
export function pacesOn(
  run: string,
  workers: readonly KnownWorker[],
  paces: readonly ThrottleState[],
): readonly ThrottleState[] {
  const called = new Set(workers.flatMap(({ doing }) => doing[run]?.connections ?? []));
  return paces.filter(({ connection }) => called.has(connection));
}
