import { type Connection, isMapping, type JsonObject } from '@unroll/engine';
import type { ConnectionTest, ListedConnection } from '@unroll/nodes';
import { composeConnections } from '../connections/compose.ts';
import type { StorePlace } from '../connections/stores.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { requireName } from '../host/required-names.ts';
import type { ConnectionDescription } from '../kept-connections/index.ts';

/** Connections by their names: those of files and of the environment, and those that stores keep, whose secrets are encrypted. */
export interface Connections {
  list(): readonly ListedConnection[];
  /** Its secrets included. */
  find(name: string): Connection | undefined;
  /** Without its secrets. */
  describe(name: string): Promise<ConnectionDescription>;
  /** Asks its service something that costs nothing. */
  test(name: string, signal?: AbortSignal): Promise<ConnectionTest>;
  /** Keeps one in a store; one of the same name is replaced. Its fields are those of a connections file. */
  create(name: string, fields: JsonObject, settings?: { readonly place?: StorePlace }): Promise<void>;
  /** Lays fields over one that a store keeps; its other secrets stay. */
  update(name: string, fields: JsonObject): Promise<void>;
  /** Deletes one from the nearest store. */
  delete(name: string): Promise<void>;
}

/** What reads and writes stores is loaded by the first call that needs it. */
const load = () => import('../kept-connections/index.ts');

export function connectionsOn(host: ProjectHost): Connections {
  const source = () => composeConnections(host, host.folder);
  const nameOf = (given: string): string => {
    requireName(given, 'a connection');
    return given;
  };
  return {
    list: () => source().list(),
    find: (name) => source().find(nameOf(name)),
    describe: async (name) => (await load()).describeConnection(nameOf(name), { place: 'nearest' }, host),
    test: async (name, signal = new AbortController().signal) => {
      const { testNamedConnection } = await load();
      return (await testNamedConnection(nameOf(name), {}, signal, host)).test;
    },
    create: async (name, fields, { place = 'user' } = {}) => {
      await (await load()).createConnection({ name: nameOf(name), fields: fieldsOf(fields) }, place, undefined, host);
    },
    update: async (name, fields) => {
      await (await load()).updateConnection(nameOf(name), fieldsOf(fields), 'nearest', host).keep(undefined);
    },
    delete: async (name) => (await load()).findDeletion(nameOf(name), 'nearest', host).delete(),
  };
}

function fieldsOf(fields: JsonObject): JsonObject {
  if (isMapping(fields ?? null)) return fields;
  throw new ProjectFailure('the fields of a connection must be an object, as in a connections file');
}
