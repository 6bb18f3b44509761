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
const possibleSchema = /^[a-z_][a-z0-9_]{0,50}$/;

/**
 * Reads `postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=…&schema=…`. What is left out is read from the variables of libpq
 * (PGHOST, PGUSER, PGPASSWORD …) and `~/.pgpass`.
 *
 * @throws ProjectFailure when it is none
 */
export function readEngineAddress(text: string): EngineAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw new ProjectFailure('an engine is an address of PostgreSQL', {
      help: 'postgres://USER:PASSWORD@HOST:5432/DATABASE; what is left out is read from PGHOST, PGUSER, PGPASSWORD and PGDATABASE.',
      code: 'EngineAddressInvalid',
    });
  }
  const schema = url.searchParams.get('schema') ?? defaultSchema;
  if (!possibleSchema.test(schema)) {
    throw new ProjectFailure(`a schema cannot be called "${schema}"`, {
      help: 'Small letters of ASCII, digits and "_", at most 51, and no digit at the start.',
      code: 'EngineAddressInvalid',
    });
  }
  url.searchParams.delete('schema');
  return { url: url.href, shown: shownAddress(url), schema };
}

function shownAddress(url: URL): string {
  const user = url.username === '' ? '' : `${url.username}@`;
  return `postgres://${user}${url.host}${url.pathname}`;
}
