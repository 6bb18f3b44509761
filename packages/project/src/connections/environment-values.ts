import type { ConnectionSource } from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';
import type { System } from '../host/project-host.ts';
import { readTextFile } from '../host/text-file.ts';

/**
 * Variables of a `.env` file.
 *
 * @param path as it can be typed
 * @param warn told of each line that is left out, never with what stands there: it may be a secret
 * @throws ProjectFailure when the file cannot be read
 */
export function readDotenvFile(
  path: string,
  system: System,
  warn: (message: string) => void,
): Readonly<Record<string, string>> {
  const tell = (line: number, why: string): void => warn(`${path}:${line}: this line is left out: ${why}`);
  return readDotenv(readTextFile(path, system), system.environment, tell);
}

/**
 * `NAME=value` lines, read as python-dotenv reads them, which Prompt flow asks: `export` before a name, quotes round it, and
 * quotes round a value, which may go on over lines. `${NAME}` is what the file says of it further up, else the environment;
 * `${NAME:-text}` is the text where neither does. `${connection.key}` stays.
 */
export function readDotenv(
  text: string,
  environment: Readonly<Record<string, string | undefined>> = {},
  tell: TellUnread = () => undefined,
): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const [name, value] of bindings(text.replace(/^\ufeff/, ''), tell)) {
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

type TellUnread = (line: number, why: string) => void;

/** A line that is none, such as one with more behind a closing quote, is told and passed over. */
function* bindings(text: string, tell: TellUnread): Generator<readonly [name: string, value: string]> {
  for (let at = 0; at < text.length; ) {
    const found = matchAt(beginning, text, at);
    const after = at + (found?.[0].length ?? 0);
    const ended = matchAt(end, text, after);
    const { quoted, plain, equals, ...value } = found?.groups ?? {};
    const name = quoted ?? plain;
    if (ended === null || (name === undefined && equals !== undefined)) {
      tell(lineOf(text, at), whyUnread(equals, text[after]));
    } else if (name !== undefined && equals !== undefined) yield [name, writtenValue(value)];
    at = after + (ended ?? matchAt(restOfLine, text, after) ?? [''])[0].length;
  }
}

/** Of a statement that begins after empty lines, where it stands itself. */
function lineOf(text: string, at: number): number {
  const begins = at + text.slice(at).search(/\S/);
  return text.slice(0, begins).split(/\r\n|\n|\r/).length;
}

function whyUnread(equals: string | undefined, next: string | undefined): string {
  if (equals === undefined) return 'it is not NAME=value';
  const isOpen = equals.trim() === '=' && (next === '"' || next === "'");
  if (isOpen) return 'the quote before its value is never closed';
  return /^=\s*['"]/.test(equals) ? 'more stands behind the closing quote of its value' : 'it is not NAME=value';
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

const connectionReference = /^\s*\$\{([^.{}]+)\.([^.{}]+)\}\s*$/;

/** What of the variables may stand in a record: their names, and the values that only name a connection. */
export function recordableEnvironment(
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string | null>> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, connectionReference.test(value) ? value : null]),
  );
}
