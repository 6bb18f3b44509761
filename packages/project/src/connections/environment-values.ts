import type { ConnectionSource } from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';

/**
 * `NAME=value` lines, read as python-dotenv reads them, which Prompt flow asks: `export` before a name, quotes round it, and
 * quotes round a value, which may go on over lines. `${NAME}` is what the file says of it further up, else the environment;
 * `${NAME:-text}` is the text where neither does. `${connection.key}` stays.
 */
export function readDotenv(
  text: string,
  environment: Readonly<Record<string, string | undefined>> = {},
): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const [name, value] of bindings(text.replace(/^\ufeff/, ''))) {
    values[name] = value.replaceAll(
      /\$\{([^}.:]*)(?::-([^}]*))?\}/g,
      (_whole, other: string, fallback = '') => values[other] ?? environment[other] ?? fallback,
    );
  }
  return values;
}

const beginning =
  /\s*(?:export[^\S\r\n]+)?(?:'(?<quoted>[^']+)'|(?<plain>[^'=#\s][^=#\s]*))?[^\S\r\n]*(?<equals>=(?<gap>[^\S\r\n]*)(?:'(?<single>(?:\\.|[^'\\])*)'|"(?<double>(?:\\.|[^"\\])*)"|(?<bare>[^\s'"][^\r\n]*)?))?/suy;
const end = /(?:[^\S\r\n]*#[^\r\n]*)?[^\S\r\n]*(?:\r\n|\n|\r|$)/uy;
const restOfLine = /[^\r\n]*(?:\r\n|\n|\r)?/uy;

/** A line that is none, such as one with more behind a closing quote, is passed over. */
function* bindings(text: string): Generator<readonly [name: string, value: string]> {
  for (let at = 0; at < text.length; ) {
    const found = matchAt(beginning, text, at);
    const after = at + (found?.[0].length ?? 0);
    const ended = matchAt(end, text, after);
    const { quoted, plain, equals, ...value } = found?.groups ?? {};
    const name = quoted ?? plain;
    if (ended !== null && name !== undefined && equals !== undefined) yield [name, writtenValue(value)];
    at = after + (ended ?? matchAt(restOfLine, text, after) ?? [''])[0].length;
  }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function writtenValue({ gap = '', single, double, bare = '' }: Readonly<Record<string, string | undefined>>): string {
  if (single !== undefined) return single.replaceAll(/\\([\\'])/g, '$1');
  if (double !== undefined)
    return double.replaceAll(/\\([\\'"abfnrtv])/g, (_whole, sign: string) => escapes[sign] ?? sign);
  return gap !== '' && bare.startsWith('#') ? '' : bare.replace(/\s+#.*$/, '').trimEnd();
}

const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

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
