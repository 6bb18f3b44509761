import { dirname } from 'node:path';
import { type EarlierRun, earlierRun, type RunDamage } from '@unroll/engine';
import { notify, type ProjectHost } from '../host/project-host.ts';
import { openRecord } from './open-record.ts';
import { findRun, runIdOf } from './runs-folder.ts';

/**
 * The run whose outputs stand in, as a record keeps it: its id, or the path of a record that lies elsewhere.
 *
 * @throws ProjectFailure when there is no such run
 */
export function earlierRunName(given: string, host: ProjectHost): string {
  const path = findRun(given, host);
  return dirname(path) === host.runsFolder ? runIdOf(path) : path;
}

export interface OpenedEarlierRun extends AsyncDisposable {
  readonly run: EarlierRun;
}

/** @throws ProjectFailure when there is no such run any more */
export function openEarlierRun(name: string, host: ProjectHost): OpenedEarlierRun {
  const path = findRun(name, host);
  const told = new Set<string>();
  const onDamage = ({ message }: RunDamage): void => {
    if (!told.has(message)) notify(host, { kind: 'warning', message: `${message}; its nodes run` });
    told.add(message);
  };
  const store = openRecord(path, host, onDamage);
  if (store.info.nodeDefinitions === undefined) {
    notify(host, {
      kind: 'warning',
      message: `run ${store.info.id} was recorded without fingerprints: every node runs`,
    });
  }
  return { run: earlierRun(store, onDamage), [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}
