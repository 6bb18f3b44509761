import { ProjectFailure } from '@unroll/project/project-failure';

/** Where runs are kept in PostgreSQL. */
export interface EngineAddress {
  /** As it was given, but for what only we understand: with its password. */
  readonly url: string;
  /** Without password and settings, to be shown: `postgres://ada@db.example:5432/flows`. */
  readonly shown: string;
  /** Everything is in this schema and in `<schema>_jobs`. */
  readonly schema: string;
}

const defaultSchema = 'unroll';
/** Not those of PostgreSQL itself. */
const possibleSchema = /^(?!pg_|information_schema$)[a-z_][a-z0-9_]{0,50}$/;

/**
 * Reads `postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=…&schema=…`. What is left out is read from the variables of libpq
 * (PGHOST, PGUSER, PGPASSWORD …) and `~/.pgpass`.
 *
 * @throws ProjectFailure when it is none
 */
export function readEngineAddress(text: string): EngineAddress {
  if (isMiswritten(text)) {
    throw new ProjectFailure('the address of the engine holds a character that has another meaning there', {
      help: 'In user and password "/" is written %2F, "?" %3F, "#" %23 and "%" %25; or give the password in PGPASSWORD or ~/.pgpass.',
      code: 'EngineAddressInvalid',
    });
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // With fewer slashes all that follows is a path, which is shown.
  if (url === undefined || !/^postgres(ql)?:\/\//i.test(text.trim())) {
    throw new ProjectFailure('an engine is an address of PostgreSQL', {
      help: 'postgres://USER:PASSWORD@HOST:5432/DATABASE; what is left out is read from PGHOST, PGUSER, PGPASSWORD and PGDATABASE.',
      code: 'EngineAddressInvalid',
    });
  }
  const schema = url.searchParams.get('schema') ?? defaultSchema;
  if (!possibleSchema.test(schema)) {
    throw new ProjectFailure(`a schema cannot be called "${schema}"`, {
      help: 'Small letters of ASCII, digits and "_", at most 51; no digit and no "pg_" at the start.',
      code: 'EngineAddressInvalid',
    });
  }
  url.searchParams.delete('schema');
  return { url: url.href, shown: shownAddress(url), schema };
}

/** A password may end where it should not: what is left of it would be taken for a path, and shown. */
function isMiswritten(text: string): boolean {
  const [, server = '', path = '', settings = '', rest = ''] =
    /^postgres(?:ql)?:\/\/([^/?#]*)([^?#]*)(?:\?([^#]*))?(#?)/i.exec(text.trim()) ?? [];
  const names = settings.split('&').map((setting) => setting.split('=', 1)[0] ?? '');
  return rest !== '' || [path, ...names].some((part) => part.includes('@')) || !isDecodable(server + path);
}

function isDecodable(text: string): boolean {
  return !/%(?![0-9a-f]{2})/i.test(text);
}

function shownAddress(url: URL): string {
  const user = url.username === '' ? '' : `${url.username}@`;
  return `postgres://${user}${url.host}${url.pathname}`;
}
