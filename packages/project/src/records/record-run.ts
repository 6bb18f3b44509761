import {
  createSqliteRunLog,
  flowFilesOf,
  hasHead,
  type JsonObject,
  makeFolder,
  type Plan,
  type Redactor,
  type RunInfo,
  type RunLog,
  type RunnableFlow,
  shownPath,
} from '@unroll/engine';
import { shellWord } from '@unroll/engine/values';
import { madeWith } from '../host/made-with.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { reasonOf, writeRefusal } from '../host/refusal.ts';
import { isUnreadable, lookAtRecordFile } from './open-record.ts';
import { flowDigest, runInfoOf } from './run-info.ts';
import { newRunId, runPath, runsFolder } from './runs-folder.ts';

export interface RecordedRun {
  readonly id: string;
  /** As it can be typed. */
  readonly path: string;
  /** Absolute. */
  readonly file: string;
  readonly store: RunLog;
}

/** Absolute. */
interface FlowPlace {
  readonly file: string;
  readonly folder: string;
}

type RecordedFlow = Pick<RunnableFlow, 'plan' | 'definitions' | 'redactor'>;

/** What a record says of its run beside its flow. */
export interface RecordSettings extends Pick<RunInfo, 'data' | 'columnMapping'> {
  /** Name of the run; one that tells its time and flow where absent. */
  readonly id?: string;
  /** All it takes to go on with the run. */
  readonly options: JsonObject;
  /** Run whose outputs stand in, as `earlierRunName` gives it. */
  readonly since?: string | undefined;
  /** What the flow was when it was opened (`digestNow`), where that may be long ago; what its files are now where absent. */
  readonly flowDigest?: string | undefined;
  /** Each row is on the disk before the next is begun. */
  readonly durable?: boolean | undefined;
  /** Milliseconds between two commits; as soon as can be where absent. */
  readonly commitEveryMs?: number;
}

/**
 * Starts the record of a run in the runs folder.
 *
 * @throws ProjectFailure when its name cannot be taken, or nothing can be recorded there
 */
export function recordRun(
  flow: RecordedFlow,
  found: FlowPlace,
  settings: RecordSettings,
  host: ProjectHost,
): RecordedRun {
  const info = newRunInfo(flow, found, settings, host);
  const path = runPath(host.runsFolder, info.id);
  return {
    id: info.id,
    path: shownPath(path, host.folder),
    file: path,
    store: createStore(path, info, host.runsFolder, settings),
  };
}

/**
 * What the record of a new run says of it, without a secret.
 *
 * @throws ProjectFailure when its name cannot be taken
 */
export function newRunInfo(
  { plan, definitions, redactor }: RecordedFlow,
  found: FlowPlace,
  settings: RecordSettings,
  host: ProjectHost,
): RunInfo {
  const {
    id: given,
    options,
    since,
    flowDigest: opened,
    durable: _durable,
    commitEveryMs: _commitEveryMs,
    ...about
  } = settings;
  const id = given?.normalize('NFC') ?? newRunId(plan.name, host);
  if (given !== undefined) checkName(id, host);
  const knowing = redactor.with(writtenSecrets(plan, settings));
  const info = runInfoOf(plan, opened ?? digestNow(plan, found, host), {
    id,
    flowPath: shownPath(found.file, host.folder),
    startedAt: host.now(),
    options: { ...options, ...(since === undefined ? {} : { since }) },
    nodeDefinitions: definitions,
    madeWith: madeWith(),
  });
  return redactedInfo({ ...info, ...about }, knowing);
}

/** Tells what the files of a flow say now from what they say later: a flow that is served, or talked with, is edited meanwhile. */
export function digestNow(plan: Plan, found: FlowPlace, host: ProjectHost): string {
  return flowDigest(plan, flowFilesOf(found, host.folder).files);
}

/** What a mapping writes down for inputs of type `secret`. */
function writtenSecrets({ inputs }: Plan, { columnMapping = {} }: RecordSettings): readonly string[] {
  return inputs.flatMap(({ name, type }) => {
    const written = columnMapping[name];
    return type === 'secret' && typeof written === 'string' && !written.startsWith('${') ? [written] : [];
  });
}

/** Settings and columns without secrets; a run that was given some says so, since it cannot go on from them. */
function redactedInfo(info: RunInfo, redactor: Redactor): RunInfo {
  const { options = {}, columnMapping } = info;
  const redacted = { options: redactor.value(options), columnMapping: redactor.value(columnMapping) };
  if (redacted.options === options && redacted.columnMapping === columnMapping) return info;
  const columns = redacted.columnMapping === undefined ? {} : { columnMapping: redacted.columnMapping };
  return { ...info, ...columns, options: { ...redacted.options, redacted: true } };
}

function createStore(
  path: string,
  info: RunInfo,
  folder: string,
  { durable = false, commitEveryMs }: RecordSettings,
): RunLog {
  try {
    makeFolder(folder);
    return createSqliteRunLog(path, info, { durable, ...(commitEveryMs === undefined ? {} : { commitEveryMs }) });
  } catch (error) {
    throw new ProjectFailure(`runs cannot be recorded in ${folder}: ${writeRefusal(folder) ?? reasonOf(error)}`, {
      help: '--runs-dir FOLDER or FLOW_RUNS names another folder.',
      code: 'RecordNotWritable',
    });
  }
}

/** What a name stands for where a run is named, or where its file is made. */
function meaningOf(name: string): string | undefined {
  if (/^latest$/i.test(name)) return '"latest" is the newest run, whatever it is called.';
  if (name.endsWith('.run')) return 'What ends in .run is the file of a run.';
  return /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name) ? 'Windows keeps that name for a device.' : undefined;
}

const possibleName = /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}._-]{0,99}$/u;

/** A file name has 255 bytes on most systems; those beside a record add up to 12. */
const maxNameBytes = 200;

/** A name that a run may have, as like the one it was given elsewhere as can be. */
export function takenName(elsewhere: string): string {
  const written = elsewhere.normalize('NFC').replaceAll(/[^\p{L}\p{M}\p{N}._-]+/gu, '-');
  const letters = Array.from(written.replace(/^[.\p{M}-]+/u, '')).slice(0, 80);
  while (Buffer.byteLength(letters.join('')) > maxNameBytes) letters.pop();
  const name = letters.join('');
  if (name === '') return 'imported';
  return meaningOf(name) === undefined ? name : `imported-${name.replace(/\.run$/, '')}`;
}

/**
 * What can be done with the run that has the name: one over data can mostly go on.
 *
 * @param name as it can be typed
 */
function takenHelp(path: string, name: string): string {
  const otherwise = `flow runs rm ${name} removes it; another --name keeps it.`;
  try {
    const store = lookAtRecordFile(path);
    const { options = {} } = store.info;
    void store[Symbol.asyncDispose]();
    const { bulk, redacted, oracle } = options;
    const canGoOn = bulk !== undefined && redacted !== true && oracle === undefined;
    return canGoOn ? `flow run --resume ${name} goes on with it; flow runs rm ${name} removes it.` : otherwise;
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return otherwise;
  }
}

/** @throws ProjectFailure when a name given for a run cannot be taken */
export function checkName(name: string, host: ProjectHost): void {
  if (!possibleName.test(name) || Buffer.byteLength(name) > maxNameBytes) {
    throw new ProjectFailure(`a run cannot be called "${name}"`, {
      help: `Letters, digits, ".", "_" and "-", at most 100 and at most ${maxNameBytes} bytes (66 Japanese letters), and none of "." and "-" at the start.`,
    });
  }
  const meaning = meaningOf(name);
  if (meaning !== undefined) throw new ProjectFailure(`a run cannot be called "${name}"`, { help: meaning });
  const path = runPath(host.runsFolder, name);
  if (!hasHead(path)) return;
  const isUsual = host.runsFolder === runsFolder(undefined, host);
  const folder = isUsual ? '' : ` --runs-dir ${shellWord(shownPath(host.runsFolder, host.folder))}`;
  throw new ProjectFailure(`there is a run ${name} already`, {
    help: takenHelp(path, `${name}${folder}`),
    code: 'RunExists',
  });
}
