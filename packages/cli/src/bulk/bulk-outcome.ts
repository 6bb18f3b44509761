import type { BulkResult, Values } from '@unroll/engine';
import { tokensResult } from '../runs/run-result.ts';
import type { BulkStatus } from './bulk-summary.ts';
import type { Group } from './node-counters.ts';
import type { ProgressView } from './progress.ts';

/**
 * Prompt flow's rule: rows that failed leave a run completed, unless all of them did. A run that was stopped before its
 * last row is canceled.
 */
export function bulkStatus({
  completed,
  failed,
  stopped,
}: Pick<BulkResult, 'completed' | 'failed' | 'stopped'>): BulkStatus {
  if (stopped) return 'Canceled';
  return completed === 0 && failed > 0 ? 'Failed' : 'Completed';
}

/** The last line of `flow run --data … --json`; described in docs/run-json.md. */
export interface BulkOutcome {
  readonly status: BulkStatus;
  readonly view: ProgressView;
  readonly metrics: Values;
  readonly record: { readonly id: string; readonly path: string };
  /** What a run that stopped for its budget spent of it. */
  readonly budget?: string | undefined;
}

export function bulkOutcomeJson({ status, view, metrics, record, budget }: BulkOutcome): Values {
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
    failures: failures.map(({ node, code, message, count, firstRow }) => {
      return { node: node ?? null, code, message, count, first_row: firstRow === undefined ? null : { ...firstRow } };
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

function nodeEntry(tally: Exclude<Group, { readonly kind: 'loop' }>): readonly [string, Values] {
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
