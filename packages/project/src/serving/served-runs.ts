import type { RowRun, RunReader } from '@unroll/engine';
import type { ProjectHost } from '../host/project-host.ts';
import { listRunIds } from '../records/runs-folder.ts';
import type { ServedFlow } from './serve-flow.ts';

/** A run that a server recorded, a day of requests to one flow. */
export interface ServedRun {
  readonly run: string;
  /** Name of the flow's folder. */
  readonly flow: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Rows that ended. */
  readonly rows: number;
  readonly failed: number;
}

/** Records that are looked at, the newest first: a list costs no more, however many a folder holds. */
const maxLookedAt = 1000;

/** The newest runs that servers of these flows recorded, this server or earlier ones; records that cannot be read are left out. */
export async function listServedRuns(
  flows: readonly ServedFlow[],
  limit: number,
  { runsFolder }: ProjectHost,
): Promise<readonly ServedRun[]> {
  const runs: ServedRun[] = [];
  for (const id of listRunIds(runsFolder).slice(0, maxLookedAt)) {
    if (runs.length === limit) break;
    for (const flow of flows) {
      const listed = await flow.readRun(id, async (reader) => await servedRun(id, flow.name, reader));
      if (listed === undefined) continue;
      runs.push(listed);
      break;
    }
  }
  return runs;
}

async function servedRun(run: string, flow: string, reader: RunReader): Promise<ServedRun> {
  const { Completed: completed, Failed: failed, Canceled: canceled } = await reader.rowCounts();
  return { run, flow, startedAt: reader.info.startedAt, rows: completed + failed + canceled, failed };
}

/** A row of a run that a server of one of these flows recorded, with its flow. */
export async function findServedRow(
  run: string,
  line: number,
  flows: readonly ServedFlow[],
): Promise<{ readonly flow: ServedFlow; readonly row: RowRun } | undefined> {
  for (const flow of flows) {
    const row = await flow.readRun(run, async (reader) => await reader.row(line));
    if (row !== undefined) return { flow, row };
  }
  return undefined;
}
