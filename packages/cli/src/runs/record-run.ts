import { mkdirSync } from 'node:fs';
import { createFlowFiles, createSqliteRunStore, type Plan, type RunStore, type Values } from '@unroll/engine';
import type { CommandCall } from '../command-spec.ts';
import { shownPath } from '../text/shown-path.ts';
import { runInfoOf } from './run-info.ts';
import { newRunId, runPath, runsFolder } from './runs-folder.ts';

export interface RecordedRun {
  readonly id: string;
  /** As it can be typed. */
  readonly path: string;
  readonly store: RunStore;
}

/** Starts the record of a run in the runs folder. */
export function recordRun(
  plan: Plan,
  flow: { readonly file: string; readonly folder: string },
  { io, options }: CommandCall,
  settings: Values,
): RecordedRun {
  const folder = runsFolder(options, io);
  mkdirSync(folder, { recursive: true });
  const id = newRunId(plan.name, io);
  const path = runPath(folder, id);
  const info = runInfoOf(plan, createFlowFiles(flow.folder, io.folder), {
    id,
    flowPath: shownPath(flow.file, io.folder),
    startedAt: io.now(),
    options: settings,
  });
  return { id, path: shownPath(path, io.folder), store: createSqliteRunStore(path, info) };
}
