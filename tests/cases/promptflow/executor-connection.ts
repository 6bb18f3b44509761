import type { Connection, JsonObject, JsonValue } from '@unroll/engine';
import { connectionTypes, typeNameOf } from '@unroll/nodes';

/**
 * A connection in the form Prompt flow's executor takes: `{type: <class name>, value: {...}, secret_keys: [...]}`. Which
 * fields are secret is known of every class but `CustomConnection`, which tells it in `secret_keys`.
 *
 * @throws Error when the type is not known
 */
export function executorConnection(name: string, written: JsonObject): Connection {
  const className = String(written['type']);
  const type = typeNameOf(className);
  const known = type === undefined ? undefined : connectionTypes[type];
  if (type === undefined || known === undefined)
    throw new Error(`connection "${name}" has the unknown type ${className}`);
  const values = { ...known.defaults, ...((written['value'] ?? {}) as JsonObject) };
  const secretKeys = type === 'custom' ? ((written['secret_keys'] ?? []) as readonly JsonValue[]) : known.secrets;
  const pick = (isSecret: boolean): Record<string, string> =>
    Object.fromEntries(
      Object.entries(values).flatMap(([key, value]) =>
        value === null || secretKeys.includes(key) !== isSecret ? [] : [[key, String(value)]],
      ),
    );
  return { name, type, configs: pick(false), secrets: pick(true) };
}
