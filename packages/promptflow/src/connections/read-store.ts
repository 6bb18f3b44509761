import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { type Connection, type JsonObject, ownValue, parseJson, thrownText } from '@unroll/engine';
import { ConnectionFileError, connectionTypes, typeNameOf } from '@unroll/nodes';

/** A connection of Prompt flow's local store: everything but its secrets, whose key lies in the system's key ring. */
interface PromptFlowConnection {
  readonly connection: Connection;
  /** Names of secrets it has there; their values stay behind. */
  readonly secretNames: readonly string[];
}

export type ImportedConnection =
  | ({ readonly ok: true } & PromptFlowConnection)
  | { readonly ok: false; readonly name: string; readonly type: string };

interface Row {
  readonly connectionName: string;
  readonly connectionType: string;
  readonly configs: string;
  readonly customConfigs: string;
}

/**
 * Reads Prompt flow's SQLite store (`~/.promptflow/pf.sqlite`, table `connection`), which is not changed. `configs` holds the
 * fields of typed connections as JSON; `customConfigs` those of custom ones, each `{configValueType, value}`.
 *
 * @param path absolute
 * @throws ConnectionFileError when there is no such store
 */
export async function readPromptFlowStore(path: string): Promise<readonly ImportedConnection[]> {
  if (!existsSync(path)) throw new ConnectionFileError(`there is no store of Prompt flow at ${path}`);
  const { DatabaseSync } = await import('node:sqlite');
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true });
    const rows = database
      .prepare('SELECT connectionName, connectionType, configs, customConfigs FROM connection ORDER BY connectionName')
      .all();
    return rows.map((row) => readRow(row as unknown as Row));
  } catch (error) {
    const reason = thrownText(error);
    throw new ConnectionFileError(`${path} cannot be read as Prompt flow's store: ${reason}`);
  } finally {
    database?.close();
  }
}

function readRow({ connectionName: name, connectionType, configs, customConfigs }: Row): ImportedConnection {
  const type = typeNameOf(connectionType) ?? typeNameOf(`${connectionType}Connection`) ?? camelType(connectionType);
  const known = type === undefined ? undefined : ownValue(connectionTypes, type);
  if (type === undefined || known === undefined) return { ok: false, name, type: connectionType };
  const plain = { ...asTexts(parseJson(configs) as JsonObject), ...customFields(customConfigs, false) };
  const hidden = [...Object.keys(customFields(customConfigs, true)), ...known.secrets.filter((key) => key in plain)];
  const kept = Object.entries(plain).filter(([key]) => !known.secrets.includes(key));
  const fields = type === 'custom' ? kept : kept.filter(([key]) => known.configs.includes(key));
  return {
    ok: true,
    connection: { name, type, configs: Object.fromEntries(fields), secrets: {} },
    secretNames: [...new Set(hidden)],
  };
}

/** `AzureOpenAI`, as older stores write it. */
function camelType(written: string): string | undefined {
  const plain = (text: string): string => text.replaceAll('_', '').toLowerCase();
  return Object.keys(connectionTypes).find((type) => plain(type) === plain(written));
}

function customFields(text: string, isSecret: boolean): Readonly<Record<string, string>> {
  const fields = parseJson(text === '' ? '{}' : text) as Readonly<Record<string, JsonObject>>;
  return asTexts(
    Object.fromEntries(
      Object.entries(fields).flatMap(([key, field]) =>
        (field?.['configValueType'] === 'Secret') === isSecret ? [[key, field?.['value'] ?? null]] : [],
      ),
    ),
  );
}

function asTexts(values: JsonObject): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => (value === null ? [] : [[key, String(value)]])),
  );
}
