import { mkdirSync } from 'node:fs';
import {
  createSqliteRunStore,
  flowFilesOf,
  RunFileError,
  type RunInfo,
  type RunnableFlow,
  type RunStore,
  type Values,
} from '@unroll/engine';
import { CommandFailure } from '../command-failure.ts';
import type { CommandCall } from '../command-spec.ts';
import { shownPath } from '../text/shown-path.ts';
import { runInfoOf } from './run-info.ts';
import { newRunId, runPath, runsFolder } from './runs-folder.ts';
import { sinceOf } from './since-run.ts';

export interface RecordedRun {
  readonly id: string;
  /** As it can be typed. */
  readonly path: string;
  /** Absolute. */
  readonly file: string;
  readonly store: RunStore;
}

/** Starts the record of a run in the runs folder. */
export function recordRun(
  { plan, definitions }: Pick<RunnableFlow, 'plan' | 'definitions'>,
  flow: { readonly file: string; readonly folder: string },
  call: CommandCall,
  settings: Values,
  bulk: Pick<RunInfo, 'data' | 'columnMapping'> & { readonly id?: string } = {},
): RecordedRun {
  const { io, options } = call;
  const folder = runsFolder(options, io);
  const since = sinceOf(call);
  const { id = newRunId(plan.name, io), ...about } = bulk;
  const path = runPath(folder, id);
  const info = runInfoOf(plan, flowFilesOf(flow, io.folder).files, {
    id,
    flowPath: shownPath(flow.file, io.folder),
    startedAt: io.now(),
    options: { ...settings, ...(since === undefined ? {} : { since }) },
    nodeDefinitions: definitions,
  });
  return { id, path: shownPath(path, io.folder), file: path, store: createStore(path, { ...info, ...about }, folder) };
}

function createStore(path: string, info: RunInfo, folder: string): RunStore {
  try {
    mkdirSync(folder, { recursive: true });
    return createSqliteRunStore(path, info);
  } catch (error) {
    throw new CommandFailure(`runs cannot be recorded in ${folder}: ${reasonOf(error)}`, {
      help: '--runs-dir FOLDER or FLOW_RUNS names another folder.',
      code: 'RecordNotWritable',
    });
  }
}

/** What the file system or SQLite says, without the path that the message names already. */
export function reasonOf(error: unknown): string {
  if (error instanceof RunFileError) return error.reason;
  if (!(error instanceof Error)) return String(error);
  return error.message.replace(/^[A-Z]+: /, '').replace(/, \w+ '.*'$/, '');
}
