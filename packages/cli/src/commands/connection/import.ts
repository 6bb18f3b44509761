import { join, resolve } from 'node:path';
import { ConnectionFileError, type ConnectionStore } from '@unroll/nodes';
import { orFailure, ProjectFailure, shownStore, targetStore } from '@unroll/project';
import { type ImportedConnection, readPromptFlowStore } from '@unroll/promptflow';
import { exitCode } from '../../exit-code.ts';
import type { Io } from '../../io.ts';
import type { ImportConnectionsSettings } from '../../options/connection-options.ts';
import { stringifyJsonLine } from '../../runs/run-result.ts';
import { keep, quoted } from './create.ts';

/**
 * `flow connection import`: Prompt flow's own connections. Their secrets are encrypted with a key of the system's key ring and
 * cannot be read: they are asked for, or left out where nobody can be asked.
 */
export async function importConnections(settings: ImportConnectionsSettings, io: Io): Promise<number> {
  const home = io.environment['HOME'] ?? io.environment['USERPROFILE'] ?? '';
  const path = resolve(io.folder, settings.from ?? join(home, '.promptflow', 'pf.sqlite'));
  const found = await read(path);
  const store = targetStore(settings.project ? 'project' : 'user', io);
  const told = settings.json ? { ...io, stdout: io.stderr } : io;
  for (const one of found) await importOne(one, store, told);
  const isAll = found.every(({ ok }) => ok);
  if (settings.json) {
    const names = (wanted: boolean): readonly string[] =>
      found.filter(({ ok }) => ok === wanted).map((one) => (one.ok ? one.connection.name : one.name));
    io.stdout.write(stringifyJsonLine({ imported: names(true), left_out: names(false) }));
    return isAll ? exitCode.done : exitCode.failed;
  }
  io.stdout.write(
    `imported ${found.filter(({ ok }) => ok).length} of ${found.length} connections into ${shownStore(store.folder, io)}\n`,
  );
  return isAll ? exitCode.done : exitCode.failed;
}

async function read(path: string): Promise<readonly ImportedConnection[]> {
  try {
    return await readPromptFlowStore(path);
  } catch (error) {
    if (!(error instanceof ConnectionFileError)) throw error;
    throw new ProjectFailure(error.message, { help: 'Name another with --from.' });
  }
}

async function importOne(one: ImportedConnection, store: ConnectionStore, io: Io): Promise<void> {
  if (!one.ok) {
    io.stdout.write(`- ${one.name}: there is no connection type "${one.type}" here\n`);
    return;
  }
  const { connection, secretNames } = one;
  const { name, type } = connection;
  const known = orFailure(() => store.find(name));
  if (known !== undefined) {
    io.stdout.write(`= ${name}: is here already\n`);
    return;
  }
  const wanted = Object.fromEntries(secretNames.map((key) => [key, '<user-input>']));
  if (io.isInteractive || secretNames.length === 0) {
    await keep({ ...connection, secrets: wanted }, store, io);
    io.stdout.write(`✓ ${name} (${type})\n`);
    return;
  }
  orFailure(() => store.save(connection, io.now()));
  const paths = secretNames.map((key) => (type === 'custom' ? `secrets.${key}=…` : `${key}=…`));
  io.stdout.write(
    `✓ ${name} (${type}), without its secrets: flow connection update ${quoted(name)} --set ${paths.join(' ')}\n`,
  );
}
