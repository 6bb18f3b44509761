import type { NodeStatus } from './node-run.ts';

/** Statuses as record files keep them; only ever added to. */
export const statuses: readonly NodeStatus[] = ['Completed', 'Bypassed', 'Failed', 'Canceled', 'NotRun'];

export function statusNumber(status: NodeStatus): number {
  return statuses.indexOf(status);
}

export function statusOf(number: number): NodeStatus {
  const status = statuses[number];
  if (status === undefined) throw new Error(`bug: status ${number}`);
  return status;
}
