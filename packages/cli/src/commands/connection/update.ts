import type { JsonObject } from '@unroll/engine';
import { allStores, notFound, orFailure, ProjectFailure, shownStore, storeWith } from '@unroll/project';
import { connectionOf, fieldsOf, readGivenFields, unknownFields } from '../../connections/given-connection.ts';
import { exitCode } from '../../exit-code.ts';
import type { Io } from '../../io.ts';
import type { UpdateConnectionSettings } from '../../options/connection-options.ts';
import { stringifyJsonLine } from '../../runs/run-result.ts';
import { keep } from './create.ts';
import { nameOf } from './name-of.ts';

/** `flow connection update`: lays new values over a connection; a secret that is only held open stays. */
export async function update(settings: UpdateConnectionSettings, io: Io): Promise<number> {
  const name = nameOf(settings);
  const store = orFailure(() => storeWith(name, settings.project ? 'project' : 'nearest', io));
  const before = store?.find(name);
  if (store === undefined || before === undefined) {
    throw notFound(
      name,
      allStores(io).flatMap((one) => one.list().map((kept) => kept.name)),
    );
  }
  const { fields: given } = readGivenFields({ ...settings, name }, io);
  if (Object.keys(given).length === 0) {
    throw new ProjectFailure('nothing to change was given', { help: 'For instance: --set api_base=https://…' });
  }
  const fields = laidOver(fieldsOf({ ...before, secrets: heldOpen(before.secrets) }), given);
  for (const warning of unknownFields(fields)) io.stderr.write(`warning: ${warning}\n`);
  await keep(connectionOf(name, fields), store, io);
  const place = shownStore(store.folder, io);
  io.stdout.write(
    settings.json ? stringifyJsonLine({ updated: name, from: place }) : `updated connection "${name}" in ${place}\n`,
  );
  return exitCode.done;
}

/** What is kept is encrypted; it stands for itself until it is wanted. */
function heldOpen(secrets: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(secrets).map((key) => [key, '<no-change>']));
}

function laidOver(fields: JsonObject, given: JsonObject): JsonObject {
  const members = (key: string): JsonObject =>
    key in fields || key in given
      ? { [key]: { ...(fields[key] as JsonObject | undefined), ...(given[key] as JsonObject | undefined) } }
      : {};
  return { ...fields, ...given, ...members('configs'), ...members('secrets') };
}
