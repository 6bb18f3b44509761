import { basename, dirname } from 'node:path';
import { type EarlierRun, earlierRun, type RunDamage } from '@unroll/engine';
import type { CommandCall } from '../command-spec.ts';
import { textOf } from '../option-values.ts';
import { openRecord } from './open-record.ts';
import { findRun, runsFolder } from './runs-folder.ts';

/**
 * The run whose outputs stand in, as a record keeps it: its id, or the path of a record that lies elsewhere.
 *
 * @throws CommandFailure when there is no such run
 */
export function sinceOf({ options, io }: CommandCall): string | undefined {
  const given = textOf(options, 'since');
  if (given === undefined || options['cache'] === false) return undefined;
  const folder = runsFolder(options, io);
  const path = findRun(given, folder, io);
  return dirname(path) === folder ? basename(path, '.run') : path;
}

export interface OpenedEarlierRun extends AsyncDisposable {
  readonly run: EarlierRun;
}

/** @throws CommandFailure when there is no such run any more */
export function openEarlierRun(name: string, { options, io }: CommandCall): OpenedEarlierRun {
  const path = findRun(name, runsFolder(options, io), io);
  const told = new Set<string>();
  const onDamage = ({ message }: RunDamage): void => {
    if (!told.has(message)) io.stderr.write(`warning: ${message}; its nodes run\n`);
    told.add(message);
  };
  const store = openRecord(path, io, onDamage);
  if (store.info.nodeDefinitions === undefined) {
    io.stderr.write(`warning: run ${store.info.id} was recorded without fingerprints: every node runs\n`);
  }
  return { run: earlierRun(store, onDamage), [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}
