import type { RowRun, RunReader } from '@unroll/engine';
import type { FoundFlow } from '../flows/find-flow.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { shownPath } from '../host/shown-path.ts';
import { isUnreadable, lookAtRecord } from '../records/open-record.ts';
import { listRunIds, runPath } from '../records/runs-folder.ts';
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
const mostLookedAt = 1000;

/** The newest runs that servers of these flows recorded, this server or earlier ones; records that cannot be read are left out. */
export async function listServedRuns(
  flows: readonly ServedFlow[],
  limit: number,
  { runsFolder }: ProjectHost,
): Promise<readonly ServedRun[]> {
  const runs: ServedRun[] = [];
  for (const id of listRunIds(runsFolder).slice(0, mostLookedAt)) {
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

/**
 * Reads a run that a server of a flow recorded and has closed.
 *
 * @returns undefined where there is no such run, or it was recorded otherwise
 */
export async function readClosedRun<Read>(
  id: string,
  { file }: FoundFlow,
  read: (reader: RunReader) => Promise<Read>,
  host: ProjectHost,
): Promise<Read | undefined> {
  if (!/^[\p{L}\p{N}][\p{L}\p{N}_.-]*$/u.test(id)) return undefined;
  try {
    await using reader = lookAtRecord(runPath(host.runsFolder, id));
    const { flowPath, options } = reader.info;
    const isOfServer = options?.['serve'] === true && flowPath === shownPath(file, host.folder);
    return isOfServer ? await read(reader) : undefined;
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
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
