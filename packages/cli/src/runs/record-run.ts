import { mkdirSync } from 'node:fs';
import {
  createSqliteRunStore,
  flowFilesOf,
  hasHead,
  type Redactor,
  RunFileError,
  type RunInfo,
  type RunnableFlow,
  type RunStore,
  type Values,
} from '@unroll/engine';
import { CommandFailure } from '../command-failure.ts';
import type { CommandCall } from '../command-spec.ts';
import { madeWith } from '../made-with.ts';
import { textOf } from '../option-values.ts';
import { writeRefusal } from '../refusal.ts';
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
  { plan, definitions, redactor }: Pick<RunnableFlow, 'plan' | 'definitions' | 'redactor'>,
  flow: { readonly file: string; readonly folder: string },
  call: CommandCall,
  settings: Values,
  bulk: Pick<RunInfo, 'data' | 'columnMapping'> & { readonly id?: string } = {},
): RecordedRun {
  const { io, options } = call;
  const folder = runsFolder(options, io);
  const since = sinceOf(call);
  const { id = newRunId(plan.name, io), ...about } = bulk;
  if (bulk.id !== undefined) checkName(id, call);
  const path = runPath(folder, id);
  const info = runInfoOf(plan, flowFilesOf(flow, io.folder).files, {
    id,
    flowPath: shownPath(flow.file, io.folder),
    startedAt: io.now(),
    options: { ...settings, ...(since === undefined ? {} : { since }) },
    nodeDefinitions: definitions,
    madeWith: madeWith(),
  });
  return {
    id,
    path: shownPath(path, io.folder),
    file: path,
    store: createStore(path, redactedInfo({ ...info, ...about }, redactor), folder, options['durable'] === true),
  };
}

/** Settings and columns without secrets; a run that was given some says so, since it cannot go on from them. */
function redactedInfo(info: RunInfo, redactor: Redactor): RunInfo {
  const { options = {}, columnMapping } = info;
  const told = { options: redactor.value(options), columnMapping: redactor.value(columnMapping) };
  if (told.options === options && told.columnMapping === columnMapping) return info;
  const columns = told.columnMapping === undefined ? {} : { columnMapping: told.columnMapping };
  return { ...info, ...columns, options: { ...told.options, redacted: true } };
}

function createStore(path: string, info: RunInfo, folder: string, durable: boolean): RunStore {
  try {
    mkdirSync(folder, { recursive: true });
    return createSqliteRunStore(path, info, { durable });
  } catch (error) {
    throw new CommandFailure(`runs cannot be recorded in ${folder}: ${writeRefusal(folder) ?? reasonOf(error)}`, {
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

/** What `--name` calls a run. */
export function namedRun({ options }: CommandCall): { readonly id?: string } {
  const name = textOf(options, 'name');
  return name === undefined ? {} : { id: name };
}

/** What a name stands for where a run is named, or where its file is made. */
function meaningOf(name: string): string | undefined {
  if (/^latest$/i.test(name)) return '"latest" is the newest run, whatever it is called.';
  if (name.endsWith('.run')) return 'What ends in .run is the file of a run.';
  return /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name) ? 'Windows keeps that name for a device.' : undefined;
}

const possibleName = /^[\p{L}\p{N}_][\p{L}\p{N}._-]{0,99}$/u;

/** A name that a run may have, as like the one it was given elsewhere as can be. */
export function takenName(elsewhere: string): string {
  const name = elsewhere
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, 80);
  if (name === '') return 'imported';
  return meaningOf(name) === undefined ? name : `imported-${name.replace(/\.run$/, '')}`;
}

/** @throws CommandFailure when a name given for a run cannot be taken */
export function checkName(name: string, { io, options }: CommandCall): void {
  if (!possibleName.test(name)) {
    throw new CommandFailure(`a run cannot be called "${name}"`, {
      help: 'Letters, digits, ".", "_" and "-", at most 100, and none of "." and "-" at the start.',
    });
  }
  const meaning = meaningOf(name);
  if (meaning !== undefined) throw new CommandFailure(`a run cannot be called "${name}"`, { help: meaning });
  if (!hasHead(runPath(runsFolder(options, io), name))) return;
  throw new CommandFailure(`there is a run ${name} already`, {
    help: `flow run --resume ${name} goes on with it; flow runs rm ${name} removes it.`,
    code: 'RunExists',
  });
}
