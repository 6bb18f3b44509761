import { eachOf, type NodeSummary, type RunReader } from '@unroll/engine';

/** What an earlier run took, by node. */
export interface EarlierRates {
  readonly runId: string;
  readonly rows: number;
  readonly nodes: ReadonlyMap<string, NodeRate>;
}

export interface NodeRate {
  /** Share of the rows in which it was not bypassed, 0 to 1. */
  readonly share: number;
  /** Of a call on average; absent where it asked no model. */
  readonly promptTokens?: number;
  readonly completionTokens?: number;
}

/** Undefined where the run has no row that completed. */
export async function earlierRates(store: RunReader): Promise<EarlierRates | undefined> {
  const sums = new Map<string, NodeSum>();
  let rows = 0;
  for await (const row of eachOf(store.rowEnds())) {
    if (row.status !== 'Completed') continue;
    rows += 1;
    for (const end of row.nodes) {
      const sum = sums.get(end.node) ?? { ran: 0, calls: 0, prompt: 0, completion: 0 };
      sums.set(end.node, sum);
      addEnd(sum, end);
    }
  }
  if (rows === 0) return undefined;
  return { runId: store.info.id, rows, nodes: new Map([...sums].map(([node, sum]) => [node, rateOf(sum, rows)])) };
}

interface NodeSum {
  ran: number;
  calls: number;
  prompt: number;
  completion: number;
}

function addEnd(sum: NodeSum, { status, usage }: NodeSummary): void {
  if (status === 'Completed') sum.ran += 1;
  if (usage === undefined) return;
  sum.calls += 1;
  sum.prompt += usage.promptTokens;
  sum.completion += usage.completionTokens;
}

function rateOf({ ran, calls, prompt, completion }: NodeSum, rows: number): NodeRate {
  const share = Math.min(1, ran / rows);
  return calls === 0 ? { share } : { share, promptTokens: prompt / calls, completionTokens: completion / calls };
}
