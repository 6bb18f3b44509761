import type { Connection } from '@unroll/engine';
import type { ConnectionStore } from '@unroll/nodes';
import { orFailure, ProjectFailure, shownStore, targetStore } from '@unroll/project';
import { fillSecrets } from '../../connections/fill-secrets.ts';
import { connectionOf, readGivenFields, unknownFields } from '../../connections/given-connection.ts';
import { exitCode } from '../../exit-code.ts';
import type { Io } from '../../io.ts';
import type { CreateConnectionSettings } from '../../options/connection-options.ts';
import { stringifyJsonLine } from '../../runs/run-result.ts';

/** `flow connection create`: keeps a connection; one of the same name is replaced, as in Prompt flow. */
export async function create(settings: CreateConnectionSettings, io: Io): Promise<number> {
  const { name, fields } = readGivenFields(settings, io);
  if (name === undefined) {
    throw new ProjectFailure('the connection needs a name', { help: 'Give one with --name, or in the file.' });
  }
  for (const warning of unknownFields(fields)) io.stderr.write(`warning: ${warning}\n`);
  const store = targetStore(settings.project ? 'project' : 'user', io);
  const before = orFailure(() => store.find(name));
  await keep(connectionOf(name, fields), store, io);
  const word = before === undefined ? 'created' : 'replaced';
  const place = shownStore(store.folder, io);
  if (settings.json) {
    io.stdout.write(stringifyJsonLine({ [word]: name, from: place }));
    return exitCode.done;
  }
  io.stdout.write(`${word} connection "${name}" in ${place}\n`);
  io.stdout.write(`next    flow connection test ${quoted(name)}\n`);
  return exitCode.done;
}

/** Asks for the secrets that are missing, and saves. Secrets of the one it replaces are opened only when they stay. */
export async function keep(connection: Connection, store: ConnectionStore, io: Io): Promise<void> {
  const before = orFailure(() => store.find(connection.name));
  const kept = {
    names: before?.type === connection.type ? Object.keys(before.secrets) : [],
    open: () => orFailure(() => store.open(connection.name)),
  };
  const filled = await fillSecrets(connection, kept, io);
  orFailure(() => store.save(filled, io.now()));
}

export function quoted(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `"${name}"`;
}
