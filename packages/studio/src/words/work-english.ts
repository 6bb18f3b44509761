/** Who works on a run that is on workers. */
export const workEnglish = {
  title: 'At work',
  worker: 'Worker',
  rows: 'Rows',
  nodes: 'Nodes in flight',
  heard: 'Heard of',
  ago: (time: string) => `${time} ago`,
  at: (host: string, process: number) => `process ${process} on ${host}`,
  nobody: 'No worker is there: flow worker --engine with the same address starts one.',
  stopping: 'No new row begins; those in flight end.',
  cannot: (reason: string) => `cannot run it: ${reason}`,
  heldBack: (connection: string) => `${connection} is at its limit`,
  calls: (most: string) => `${most} at a time`,
  waits: (time: string) => `waits ${time}`,
  budget: 'Budget of the run',
  budgets: { tokens: 'tokens', cost: 'cost', seconds: 'time' },
  spent: (spent: string, most: string) => `${spent} of ${most}`,
};
