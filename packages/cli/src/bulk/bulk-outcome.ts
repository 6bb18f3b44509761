import type { JsonObject } from '@unroll/engine';
import type { BulkOutcome, Group } from '@unroll/project';
import { tokensResult } from '../runs/run-result.ts';

/** The last line of `flow run --data … --json`; described in docs/run-json.md. */
export function bulkOutcomeJson({
  status,
  view,
  metrics,
  record,
  budget,
}: Pick<BulkOutcome, 'status' | 'view' | 'metrics' | 'budget'> & {
  readonly record: { readonly id: string; readonly path: string };
}): JsonObject {
  const { rows, usage, cost, failures } = view;
  return {
    event: 'run-ended',
    status,
    rows: {
      total: rows.total ?? null,
      completed: rows.completed,
      failed: rows.failed,
      canceled: rows.canceled,
      unfinished: rows.unfinished,
      cached: rows.cached,
    },
    nodes: Object.fromEntries(view.groups.flatMap((group) => (group.kind === 'loop' ? [] : [nodeEntry(group)]))),
    loops: Object.fromEntries(
      view.groups.flatMap((group) => (group.kind === 'loop' ? [[group.name, [...group.stopped]] as const] : [])),
    ),
    failures: failures.map(({ node, code, message, messages, count, firstRow }) => {
      return {
        node: node ?? null,
        code,
        message,
        messages,
        count,
        first_row: firstRow === undefined ? null : { ...firstRow },
      };
    }),
    metrics,
    tokens: usage === undefined ? null : tokensResult(usage),
    cost_usd: cost ?? null,
    cost_is_partial: usage !== undefined && view.isCostPartial,
    duration_ms: Math.round(view.elapsedMs),
    ...(budget === undefined ? {} : { budget_reached: budget }),
    run_id: record.id,
    record: record.path,
  };
}

function nodeEntry(tally: Exclude<Group, { readonly kind: 'loop' }>): readonly [string, JsonObject] {
  const { completed, failed, bypassed, canceled, cached, p50Ms, p95Ms, usage, cost, isCostPartial } = tally;
  return [
    tally.kind === 'family' ? `${tally.name}[*]` : tally.name,
    {
      completed,
      failed,
      canceled,
      bypassed,
      cached,
      p50_ms: rounded(p50Ms),
      p95_ms: rounded(p95Ms),
      tokens: usage === undefined ? null : tokensResult(usage),
      cost_usd: cost ?? null,
      cost_is_partial: isCostPartial,
    },
  ];
}

function rounded(ms: number | undefined): number | null {
  return ms === undefined ? null : Number(ms.toPrecision(3));
}
