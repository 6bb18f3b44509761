import { type JsonObject, stringifyJson } from '@unroll/engine';
import { composeConnections, notFound, orFailure, shownStore, storeWith } from '@unroll/project';
import type { CommandCall } from '../../command-spec.ts';
import { exitCode } from '../../exit-code.ts';
import { textOf } from '../../option-values.ts';
import { nameOf } from './name-of.ts';

const stars = '******';

/** `flow connection show`: a connection without its secrets. One of a store is shown without its key being needed. */
export async function show(call: CommandCall): Promise<number> {
  const { options, io } = call;
  const name = nameOf(call);
  const shown = kept(name, call) ?? described(name, call);
  if (options['json'] === true) {
    io.stdout.write(`${stringifyJson(shown, 2)}\n`);
    return exitCode.done;
  }
  const { configs, secrets, ...head } = shown;
  const fields = Object.entries({ ...head, ...(configs as JsonObject), ...(secrets as JsonObject) });
  const width = Math.max(...fields.map(([key]) => key.length));
  io.stdout.write(fields.map(([key, value]) => `${key.padEnd(width)}  ${String(value)}\n`).join(''));
  return exitCode.done;
}

function kept(name: string, { options, io }: CommandCall): JsonObject | undefined {
  if (textOf(options, 'connections') !== undefined) return undefined;
  const store = orFailure(() => storeWith(name, options['project'] === true ? 'project' : 'nearest', io));
  const found = store?.find(name);
  const nearer = composeConnections(io, io.folder)
    .list()
    .find((one) => one.name === name);
  if (store === undefined || found === undefined || nearer?.from !== store.folder) return undefined;
  const { type, configs, secrets, created, modified } = found;
  return { name, type, from: shownStore(store.folder, io), configs, secrets: starred(secrets), created, modified };
}

function described(name: string, { options, io }: CommandCall): JsonObject {
  const source = composeConnections(io, io.folder, textOf(options, 'connections'));
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
