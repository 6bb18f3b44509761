import { type JsonObject, stringifyJson } from '@unroll/engine';
import { composeConnections, notFound, orFailure, shownStore, storeWith } from '@unroll/project';
import { exitCode } from '../../exit-code.ts';
import type { Io } from '../../io.ts';
import type { ShowConnectionSettings } from '../../options/connection-options.ts';
import { nameOf } from './name-of.ts';

const stars = '******';

/** `flow connection show`: a connection without its secrets. One of a store is shown without its key being needed. */
export async function show(settings: ShowConnectionSettings, io: Io): Promise<number> {
  const name = nameOf(settings);
  const shown = storedConnection(name, settings, io) ?? described(name, settings, io);
  if (settings.json) {
    io.stdout.write(`${stringifyJson(shown, 2)}\n`);
    return exitCode.done;
  }
  const { configs, secrets, ...head } = shown;
  const fields = Object.entries({ ...head, ...(configs as JsonObject), ...(secrets as JsonObject) });
  const width = Math.max(...fields.map(([key]) => key.length));
  io.stdout.write(fields.map(([key, value]) => `${key.padEnd(width)}  ${String(value)}\n`).join(''));
  return exitCode.done;
}

function storedConnection(name: string, settings: ShowConnectionSettings, io: Io): JsonObject | undefined {
  if (settings.connectionsFile !== undefined) return undefined;
  const store = orFailure(() => storeWith(name, settings.project ? 'project' : 'nearest', io));
  const found = store?.find(name);
  const nearer = composeConnections(io, io.folder)
    .list()
    .find((one) => one.name === name);
  if (store === undefined || found === undefined || nearer?.from !== store.folder) return undefined;
  const { type, configs, secrets, created, modified } = found;
  return { name, type, from: shownStore(store.folder, io), configs, secrets: starred(secrets), created, modified };
}

function described(name: string, settings: ShowConnectionSettings, io: Io): JsonObject {
  const source = composeConnections(io, io.folder, settings.connectionsFile);
  const from = source.list().find((one) => one.name === name)?.from ?? 'built in';
  const connection = source.find(name);
  if (connection === undefined) throw notFound(name, source.names());
  const { type, configs, secrets } = connection;
  const place = from === 'environment' || from === 'built in' ? from : shownStore(from, io);
  return { name, type, from: place, configs, secrets: starred(secrets) };
}

function starred(secrets: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(Object.keys(secrets).map((key) => [key, stars]));
}
