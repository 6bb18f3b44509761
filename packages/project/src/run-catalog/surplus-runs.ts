import type { ProjectHost } from '../host/project-host.ts';
import { runSize } from '../records/remove-run.ts';
import { lockState } from '../records/run-lock.ts';
import { listRunIds, madeFolder, runPath } from '../records/runs-folder.ts';
import { readRunSummary } from './run-summary.ts';

/** A record on disk. */
export interface KeptRun {
  readonly id: string;
  /** Absolute. */
  readonly path: string;
  readonly ageMs: number;
  readonly bytes: number;
  readonly isRunning: boolean;
}

/** What may stay; what is not said has no bound. */
export interface RunLimits {
  readonly ageMs?: number | undefined;
  readonly bytes?: number | undefined;
  readonly count?: number | undefined;
}

/** All records of a project, those of oracle runs among them, newest first. */
export async function keptRuns(host: ProjectHost): Promise<readonly KeptRun[]> {
  const { runsFolder } = host;
  const found = [...(await readRuns(runsFolder, host)), ...(await readRuns(madeFolder(runsFolder), host))];
  return found.sort((one, other) => one.ageMs - other.ageMs);
}

/** The runs that go: older than the limit, or beyond number or size counted from the newest. One under way stays. */
export function surplusRuns(newestFirst: readonly KeptRun[], limits: RunLimits): readonly KeptRun[] {
  const { ageMs = Infinity, bytes: max = Infinity, count = Infinity } = limits;
  let bytes = 0;
  return newestFirst.filter((run, index) => {
    bytes += run.bytes;
    return !run.isRunning && (run.ageMs > ageMs || index >= count || bytes > max);
  });
}

async function readRuns(folder: string, host: ProjectHost): Promise<readonly KeptRun[]> {
  const read: KeptRun[] = [];
  for (const id of listRunIds(folder)) {
    const path = runPath(folder, id);
    const { startedAt } = await readRunSummary(path, host);
    read.push({
      id,
      path,
      ageMs: host.now() - startedAt,
      bytes: runSize(path),
      isRunning: lockState(path) === 'running',
    });
  }
  return read;
}
