import type { ConnectionSource } from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';

/**
 * `NAME=value` lines; `export` before it, quotes round the value and `#` comments are understood. `${NAME}` is what the file
 * says of it further up, else the environment; `${NAME:-text}` is the text where neither does. `${connection.key}` stays.
 */
export function readDotenv(
  text: string,
  environment: Readonly<Record<string, string | undefined>> = {},
): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const line of text.split(/\r?\n/)) {
    const [, name, value] = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined || value === undefined) continue;
    values[name] = unquoted(value).replaceAll(
      /\$\{([^}.:]*)(?::-([^}]*))?\}/g,
      (_whole, other: string, fallback = '') => values[other] ?? environment[other] ?? fallback,
    );
  }
  return values;
}

function unquoted(value: string): string {
  const [, quote, inside = ''] = /^(['"])(.*)\1(?:\s+#.*)?$/.exec(value) ?? [];
  if (quote === '"') return inside.replaceAll('\\n', '\n').replaceAll('\\"', '"');
  return quote === "'" ? inside : value.replace(/\s+#.*$/, '');
}

/**
 * The values as programs get them: `${connection.key}` replaced by what the connection holds.
 *
 * @throws ProjectFailure when there is no such connection or it has no such key
 */
export function resolveEnvironment(
  given: Readonly<Record<string, string>>,
  connections: ConnectionSource,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, connectionValue(name, value, connections) ?? value]),
  );
}

function connectionValue(variable: string, value: string, connections: ConnectionSource): string | undefined {
  const [, name, key] = connectionReference.exec(value) ?? [];
  if (name === undefined || key === undefined) return undefined;
  const connection = connections.find(name);
  if (connection === undefined) {
    throw new ProjectFailure(`variable ${variable} asks for connection "${name}", which is not found`, {
      code: 'ConnectionNotFoundError',
    });
  }
  const found = connection.secrets[key] ?? connection.configs[key];
  if (found !== undefined) return found;
  throw new ProjectFailure(`variable ${variable}: connection "${name}" has no "${key}"`);
}

const connectionReference = /^\$\{([^.{}]+)\.([^.{}]+)\}$/;

/** What of the variables may stand in a record: their names, and the values that only name a connection. */
export function recordableEnvironment(
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string | null>> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, connectionReference.test(value) ? value : null]),
  );
}
