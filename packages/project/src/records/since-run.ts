import { dirname } from 'node:path';
import { type EarlierRun, earlierRun, type OnDamage, type RunDamage, type RunReader } from '@unroll/engine';
import { notify, type ProjectHost } from '../host/project-host.ts';
import { findRun } from './find-run.ts';
import { openRecord } from './open-record.ts';
import { isAtEngine, runIdOf } from './record-place.ts';

/**
 * The run whose outputs stand in, as a record keeps it: its id, or the path of a file that lies elsewhere.
 *
 * @throws ProjectFailure when there is no such run
 */
export async function earlierRunName(given: string, host: ProjectHost): Promise<string> {
  const place = await findRun(given, host);
  return isAtEngine(place) || dirname(place) === host.runsFolder ? runIdOf(place) : place;
}

export interface OpenedEarlierRun extends AsyncDisposable {
  readonly run: EarlierRun;
}

/** @throws ProjectFailure when there is no such run any more */
export async function openEarlierRun(name: string, host: ProjectHost): Promise<OpenedEarlierRun> {
  const place = await findRun(name, host);
  return await openedEarlierRun(async (onDamage) => await openRecord(place, host, onDamage), host);
}

/** A record as a source of outputs; damage in it is told once, and what it stands for runs. */
export async function openedEarlierRun(
  open: (onDamage: OnDamage) => Promise<RunReader>,
  host: ProjectHost,
): Promise<OpenedEarlierRun> {
  const warned = new Set<string>();
  const onDamage = ({ message }: RunDamage): void => {
    if (!warned.has(message)) notify(host, { kind: 'warning', message: `${message}; its nodes run` });
    warned.add(message);
  };
  const store = await open(onDamage);
  if (store.info.nodeDefinitions === undefined) {
    notify(host, {
      kind: 'warning',
      message: `run ${store.info.id} was recorded without fingerprints: every node runs`,
    });
  }
  return { run: earlierRun(store, onDamage), [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}
