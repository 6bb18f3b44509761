import type { Usage, UsageDetails } from './node-report.ts';

/** Tokens of two calls together. */
export function addUsage(sum: Usage | undefined, added: Usage): Usage {
  if (sum === undefined) return added;
  const details = addDetails(sum.details, added.details);
  const untoldCalls = (sum.untoldCalls ?? 0) + (added.untoldCalls ?? 0);
  return {
    promptTokens: sum.promptTokens + added.promptTokens,
    completionTokens: sum.completionTokens + added.completionTokens,
    totalTokens: sum.totalTokens + added.totalTokens,
    ...(details === undefined ? {} : { details }),
    ...(untoldCalls === 0 ? {} : { untoldCalls }),
  };
}

function addDetails(sum: UsageDetails | undefined, added: UsageDetails | undefined): UsageDetails | undefined {
  if (sum === undefined || added === undefined) return sum ?? added;
  const total: Record<string, number> = { ...sum };
  for (const [name, count] of Object.entries(added)) total[name] = (total[name] ?? 0) + count;
  return total;
}
