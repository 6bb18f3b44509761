import { relative, sep } from 'node:path';
import { type JsonObject, type Plan, persistImages, type RowRun } from '@unroll/engine';
import type { ProjectHost } from '../host/project-host.ts';

/**
 * A row whose outputs name files for their images: `<runs>/<run id>.images/<uuid>.png`, relative to the current folder. The
 * record holds the images themselves.
 */
export function writeImages(row: RowRun, { messageFormat }: Plan, runId: string, host: ProjectHost): RowRun {
  const runs = relative(host.folder, host.runsFolder).replaceAll(sep, '/');
  const place = { folder: host.folder, below: `${runs}/${runId}.images`, format: messageFormat };
  return { ...row, outputs: persistImages(row.outputs, place) as JsonObject };
}
