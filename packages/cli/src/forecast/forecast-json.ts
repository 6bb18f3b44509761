import type { JsonObject, JsonValue } from '@unroll/engine';
import type { NodeEstimate, Range, RunForecast } from '@unroll/project';

export interface ForecastAbout {
  readonly flow: string;
  readonly data: string;
  /** Run whose outputs would stand in. */
  readonly since: string | undefined;
  /** Run that the likely numbers come from. */
  readonly basis: string | undefined;
}

/** What `flow plan --json` prints; described in docs/guide/plan.md. */
export function forecastJson(forecast: RunForecast, { flow, data, since, basis }: ForecastAbout): JsonObject {
  const { rows, looked, takenRows, failingRows, groups, total, unpriced, dearerFallbacks, uncounted } = forecast;
  return {
    flow,
    data,
    rows,
    rows_looked_at: looked,
    since: since ?? null,
    rows_taken: takenRows,
    rows_failing: failingRows,
    likely_from: basis ?? null,
    nodes: Object.fromEntries(
      groups.map((group): [string, JsonValue] => [
        group.node,
        { kind: group.kind, model: group.model ?? null, taken: group.taken, ...amounts(group) },
      ]),
    ),
    total: { ...amounts(total), cost_is_partial: unpriced.length > 0 },
    unpriced: [...unpriced],
    dearer_fallbacks: [...dearerFallbacks],
    not_counted: [...uncounted],
  };
}

function amounts({ calls, promptTokens, completionTokens, cost }: Omit<NodeEstimate, 'node' | 'taken'>): JsonObject {
  return {
    calls: rangeJson(calls, 1),
    prompt_tokens: promptTokens === undefined ? null : rangeJson(promptTokens, 1),
    completion_tokens: completionTokens === undefined ? null : rangeJson(completionTokens, 1),
    cost_usd: cost === undefined ? null : rangeJson(cost, 1_000_000),
  };
}

function rangeJson({ min, likely, max, isOpen }: Range, parts: number): JsonObject {
  const rounded = (amount: number): number => Math.round(amount * parts) / parts;
  return { min: rounded(min), likely: rounded(likely), max: rounded(max), open: isOpen };
}
