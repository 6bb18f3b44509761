import { addRuns, type ExportBounds } from './export-runs.ts';
import type { ExportedView } from './exported-view.ts';

/** All of it is read before anything is shown, and a mail carries it. */
const fileBounds: ExportBounds = { lines: 500, pages: 30, bytes: 8_000_000, diffRows: 10 };

/**
 * Runs as `flow view` shows them.
 *
 * @param runs ids
 */
export function runsView(runs: readonly string[]): ExportedView {
  const [only, ...others] = runs;
  return {
    start: only === undefined || others.length > 0 ? '/' : `/runs/${encodeURIComponent(only)}`,
    title: `Unroll: ${runs.join(', ')}`,
    gather: (into, studio) => addRuns({ runs, bounds: fileBounds, put: () => undefined }, into, studio),
  };
}
