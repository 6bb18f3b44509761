import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { nearestName } from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';
import type { ProjectHost, System } from '../host/project-host.ts';
import { requireName } from '../host/required-names.ts';
import { addressRefusal, isAddress } from '../host/workspace-address.ts';

const suffix = '.run';

/** Folder where runs are kept, absolute: the one given, else FLOW_RUNS, else `.flow/runs` below the project's folder. */
export function runsFolder(
  given: string | undefined,
  { folder, environment }: Pick<System, 'folder' | 'environment'>,
): string {
  const named = given ?? environment['FLOW_RUNS'] ?? '';
  return resolve(folder, named === '' ? join('.flow', 'runs') : named);
}

/** Where runs are kept that commands make for their own ends (judges, given outputs): `latest` is none of these. */
export function madeFolder(folder: string): string {
  return join(folder, 'eval');
}

/** `20261121-064500-privacy-agent-a1b2`: sorts by time (UTC) and reads as what it is, in any script. */
export function newRunId(flowName: string, system: Pick<System, 'now' | 'randomText'>): string {
  // NFC, since macOS tells names of folders in another form than people type.
  const written = flowName.normalize('NFC').replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-');
  const name = Array.from(written.replaceAll(/^-+|-+$/g, ''))
    .slice(0, 40)
    .join('')
    .replace(/-$/, '');
  return [timeText(system.now()), name, system.randomText()].filter((part) => part !== '').join('-');
}

/**
 * @param id also from a database or a page, where whoever may write there may write anything
 * @throws ProjectFailure where it leads out of the folder
 */
export function runPath(folder: string, id: string): string {
  if (basename(id) !== id || id.includes('\0')) {
    throw new ProjectFailure(`a run cannot be called ${JSON.stringify(id)}: it leads out of the folder of runs`);
  }
  return join(folder, `${id}${suffix}`);
}

/** Ids of the runs in a folder, newest first. @throws the file system's own error where it may not be looked into */
export function listRunIds(folder: string): readonly string[] {
  try {
    return runIdsAmong(readdirSync(folder), folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/**
 * Ids of the runs among the files of a folder, newest first. What no run can be called is none.
 *
 * @param names of the files
 */
export function runIdsAmong(names: Iterable<string>, folder: string): readonly string[] {
  const born = new Map<string, number>();
  const birthOf = (id: string): number => {
    const known = born.get(id) ?? bornAt(runPath(folder, id));
    born.set(id, known);
    return known;
  };
  return [...names]
    .filter((name) => name.endsWith(suffix) && !name.startsWith('.'))
    .map((name) => basename(name, suffix))
    .map((id) => ({ id, start: startOf(id, birthOf) }))
    .sort((one, other) => {
      if (one.start !== other.start) return one.start < other.start ? 1 : -1;
      return birthOf(other.id) - birthOf(one.id) || (one.id < other.id ? 1 : -1);
    })
    .map(({ id }) => id);
}

/** The second when a run began: its id says it, or for one that was named by its user, its file. */
function startOf(id: string, birthOf: (id: string) => number): string {
  const [said] = /^\d{8}-\d{4,6}/.exec(id) ?? [];
  return said ?? timeText(birthOf(id));
}

/** Milliseconds since the epoch; 0 of what cannot be looked at, such as a link that leads nowhere. */
export function bornAt(recordPath: string): number {
  try {
    return statSync(recordPath).birthtimeMs;
  } catch {
    return 0;
  }
}

/** `20261121-064500`, UTC. */
function timeText(at: number): string {
  const [date = '', time = ''] = new Date(at).toISOString().split(/[T.]/);
  return `${date.replaceAll('-', '')}-${time.replaceAll(':', '')}`;
}

/** Whether what the user gave is the file of a run. */
export function namesRunFile(given: string | undefined, { folder }: Pick<ProjectHost, 'folder'>): boolean {
  return given?.endsWith(suffix) === true && existsSync(resolve(folder, given));
}

/**
 * Path of the run the user means: a file, an id, the start of one that only one run has, `latest`, or the newest when
 * none is given.
 *
 * @throws ProjectFailure when there is no such run in the folder, or several
 */
export function findRunFile(
  given: string | undefined,
  host: Pick<ProjectHost, 'folder' | 'runsFolder'>,
  folder: string = host.runsFolder,
): string {
  if (given !== undefined) requireName(given, 'a run');
  if (given !== undefined && namesRunFile(given, host)) return resolve(host.folder, given);
  const ids = listRunIds(folder);
  const name = given?.normalize('NFC');
  if (given !== undefined && isAddress(given)) throw addressRefusal(given, 'run');
  const id = matchingRun(name, ids);
  if (id !== undefined) return runPath(folder, id);
  if (name === undefined || ids.length === 0) {
    throw new ProjectFailure(`there are no runs in ${folder}`, {
      help: 'flow run FLOW makes one.',
      code: 'RunNotFound',
    });
  }
  const made = madeFolder(folder);
  if (listRunIds(made).some((one) => one.startsWith(name))) return findRunFile(name, host, made);
  throw noSuchRun(name, ids);
}

/**
 * The one of several runs that a name means; undefined for none.
 *
 * @param ids newest first
 * @throws ProjectFailure when it may mean several
 */
export function matchingRun(name: string | undefined, ids: readonly string[]): string | undefined {
  if (name === undefined || name === 'latest') return ids[0];
  const matching = ids.includes(name) ? [name] : ids.filter((id) => id.startsWith(name));
  if (matching.length <= 1) return matching[0];
  throw new ProjectFailure(`${matching.length} runs start with ${name}`, { help: matching.join('\n') });
}

function noSuchRun(given: string, ids: readonly string[]): ProjectFailure {
  const nearest = nearestName(given, ids);
  const help = nearest === undefined ? 'flow runs lists them.' : `did you mean "${nearest}"? flow runs lists them.`;
  return new ProjectFailure(`there is no run ${given}`, { help, code: 'RunNotFound' });
}
