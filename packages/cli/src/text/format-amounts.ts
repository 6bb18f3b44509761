import type { NodeRun, Usage } from '@unroll/engine';

/** A time for people: `3 ms`, `1.24 s`, `2 min 5 s`. */
export function formatDuration(ms: number): string {
  if (ms < 999.5) return `${ms < 1 ? '<1' : Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(ms < 9_995 ? 2 : 1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

export function formatTokens(usage: Usage | undefined): string {
  return usage === undefined ? '' : `${usage.totalTokens.toLocaleString('en')} tokens`;
}

/** Tokens of several nodes together; undefined where none called a model. */
export function sumUsage(runs: readonly NodeRun[]): Usage | undefined {
  const usages = runs.flatMap(({ usage }) => (usage === undefined ? [] : [usage]));
  if (usages.length === 0) return undefined;
  const sum = (pick: (usage: Usage) => number): number => usages.reduce((total, usage) => total + pick(usage), 0);
  return {
    promptTokens: sum((usage) => usage.promptTokens),
    completionTokens: sum((usage) => usage.completionTokens),
    totalTokens: sum((usage) => usage.totalTokens),
  };
}
