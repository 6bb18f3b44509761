import { relative, sep } from 'node:path';
import { type Plan, persistImages, type RowRun, type Values } from '@unroll/engine';
import type { CommandCall } from '../command-spec.ts';
import { runsFolder } from './runs-folder.ts';

/**
 * A row whose outputs name files for their images: `<runs>/<run id>.images/<uuid>.png`, relative to the current folder. The
 * record holds the images themselves.
 */
export function writeImages(row: RowRun, { messageFormat }: Plan, runId: string, { io, options }: CommandCall): RowRun {
  const runs = relative(io.folder, runsFolder(options, io)).replaceAll(sep, '/');
  const place = { folder: io.folder, below: `${runs}/${runId}.images`, format: messageFormat };
  return { ...row, outputs: persistImages(row.outputs, place) as Values };
}
