import { reachedText } from '@unroll/engine';
import type { RunStanding, WorkSettings } from '../work/index.ts';

/** Which limit of the whole run is reached. */
export function spentBudget(
  { budget = {}, timeoutMs }: Pick<WorkSettings, 'budget' | 'timeoutMs'>,
  { state, tokens, cost, elapsedMs }: RunStanding,
): { readonly why: 'budget' | 'time'; readonly text?: string } | undefined {
  if (state !== 'running') return undefined;
  const text = reachedText(budget, { tokens, cost, startedAt: 0 }, elapsedMs);
  if (text !== undefined) return { why: 'budget', text };
  return timeoutMs !== undefined && elapsedMs >= timeoutMs ? { why: 'time' } : undefined;
}
