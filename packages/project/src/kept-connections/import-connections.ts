import { resolve } from 'node:path';
import { ConnectionFileError, type ConnectionStore } from '@unroll/nodes';
import { type ImportedConnection, readPromptFlowStore } from '@unroll/promptflow';
import { orFailure } from '../connections/compose.ts';
import { type StorePlace, shownStore, targetStore } from '../connections/stores.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import type { System } from '../host/project-host.ts';
import type { AskSecret } from './fill-secrets.ts';
import { keepConnection } from './keep-connection.ts';

/** What came of one connection of Prompt flow. */
export type ConnectionImport =
  | { readonly outcome: 'kept' | 'known'; readonly name: string; readonly type: string }
  | {
      readonly outcome: 'without-secrets';
      readonly name: string;
      readonly type: string;
      /** Where each secret that is missing is written: `api_key`, `secrets.key`. */
      readonly missing: readonly string[];
    }
  | { readonly outcome: 'unknown-type'; readonly name: string; readonly type: string };

export interface ConnectionImports {
  readonly imports: readonly ConnectionImport[];
  /** The store, as people write it. */
  readonly into: string;
}

/**
 * Prompt flow's own connections. Their secrets are encrypted with a key of the system's key ring and cannot be read: they are
 * asked for, or left out where nobody can be asked.
 *
 * @param from Prompt flow's store; where its own command keeps it when not given
 * @param onImport told of each as it is done
 * @throws ProjectFailure where the store cannot be read
 */
export async function importConnections(
  from: string | undefined,
  place: StorePlace,
  ask: AskSecret,
  system: System,
  onImport: (done: ConnectionImport) => void,
): Promise<ConnectionImports> {
  const home = system.environment['HOME'] ?? system.environment['USERPROFILE'] ?? '';
  const found = await readStore(resolve(system.folder, from ?? resolve(home, '.promptflow', 'pf.sqlite')));
  const store = targetStore(place, system);
  const imports: ConnectionImport[] = [];
  for (const one of found) {
    const done = await importOne(one, store, ask, system);
    imports.push(done);
    onImport(done);
  }
  return { imports, into: shownStore(store.folder, system) };
}

async function readStore(path: string): Promise<readonly ImportedConnection[]> {
  try {
    return await readPromptFlowStore(path);
  } catch (error) {
    if (!(error instanceof ConnectionFileError)) throw error;
    throw new ProjectFailure(error.message, { help: 'Name another with --from.' });
  }
}

async function importOne(
  one: ImportedConnection,
  store: ConnectionStore,
  ask: AskSecret,
  system: System,
): Promise<ConnectionImport> {
  if (!one.ok) return { outcome: 'unknown-type', name: one.name, type: one.type };
  const { connection, secretNames } = one;
  const { name, type } = connection;
  if (orFailure(() => store.find(name)) !== undefined) return { outcome: 'known', name, type };
  if (ask !== undefined || secretNames.length === 0) {
    const wanted = Object.fromEntries(secretNames.map((key) => [key, '<user-input>']));
    await keepConnection({ ...connection, secrets: wanted }, store, ask, system);
    return { outcome: 'kept', name, type };
  }
  orFailure(() => store.save(connection, system.now()));
  const missing = secretNames.map((key) => (type === 'custom' ? `secrets.${key}` : key));
  return { outcome: 'without-secrets', name, type, missing };
}
