import type { RunInfo } from '../record/run-info.ts';

/** What a run is, where a test cares for some of it only. */
export function runInfo(given: Partial<RunInfo> = {}): RunInfo {
  return { id: 'r', flowPath: 'f', flowName: 'f', flowDigest: 'd', startedAt: 5, nodes: [], ...given };
}
