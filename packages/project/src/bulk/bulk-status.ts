import type { BulkResult } from '@unroll/engine';
import type { BulkStatus } from '../host/run-outcome.ts';

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
