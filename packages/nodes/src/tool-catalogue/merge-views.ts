import type { ToolHit } from './tool-retriever.ts';

/**
 * One ranking of several, each for another part of a request: a tool stands where it ranks best, of two at the same
 * rank the one with the better score comes first.
 *
 * Chen and others, Re-Invoke: Tool Invocation Rewriting for Zero-Shot Tool Retrieval (2024), 3.3.
 */
export function mergeViews(views: readonly (readonly ToolHit[])[]): readonly ToolHit[] {
  const [only = []] = views;
  if (views.length < 2) return only;
  const best = new Map<string, { readonly hit: ToolHit; readonly rank: number }>();
  for (const view of views) {
    for (const [rank, hit] of view.entries()) {
      const before = best.get(hit.tool.name);
      const isBetter =
        before === undefined || rank < before.rank || (rank === before.rank && hit.score > before.hit.score);
      if (isBetter) best.set(hit.tool.name, { hit, rank });
    }
  }
  return [...best.values()]
    .sort((one, other) => one.rank - other.rank || other.hit.score - one.hit.score)
    .map(({ hit }) => hit);
}
