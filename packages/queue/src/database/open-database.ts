import { Redactor } from '@unroll/engine';
import { ProjectFailure } from '@unroll/project/project-failure';
import { Client, Pool, type PoolClient, types } from 'pg';
import { briefly } from './briefly.ts';
import type { Database, Queryable, Transaction } from './database.ts';
import { databaseFailure } from './database-failure.ts';
import { type EngineAddress, readEngineAddress } from './engine-address.ts';

export interface DatabaseSettings {
  /** Learns the password of the address. */
  readonly redactor?: Redactor;
  /** Connections at most, 10 where absent. */
  readonly connections?: number;
  /** What the server's list of connections calls them: `flow worker`. */
  readonly applicationName?: string;
}

/** Of a TCP connection, and of the wait for one of the pool. */
const connectTimeoutMs = 10_000;

/**
 * Opens the database of an address; TLS is as in libpq (`sslmode`, `sslrootcert`, `sslcert`, `sslkey`).
 *
 * @throws ProjectFailure when the address is none, there is no server, or it does not let us in; in words, without the password
 */
export async function openDatabase(address: string, settings: DatabaseSettings = {}): Promise<Database> {
  const { redactor = new Redactor(), connections = 10, applicationName = 'flow' } = settings;
  const read = readEngineAddress(address);
  const passwords = passwordsOf(read.url);
  for (const password of passwords) redactor.learn(password);
  const inErrors = redactor.withShort(passwords);
  try {
    const connectionString = await withEncryption(read.url);
    const pool = new Pool({
      connectionString,
      max: connections,
      connectionTimeoutMillis: connectTimeoutMs,
      keepAlive: true,
      application_name: applicationName,
      types: { getTypeParser },
    });
    // A connection that is lost while nobody uses it is replaced by the next one.
    pool.on('error', () => {});
    return new PooledDatabase(pool, read, inErrors);
  } catch (error) {
    throw databaseFailure(error, read.shown, inErrors);
  }
}

function passwordsOf(address: string): readonly string[] {
  const { password, searchParams } = new URL(address);
  const given = ['password', 'sslpassword'].flatMap((name) => searchParams.getAll(name));
  return [decodeURIComponent(password), password, ...given].filter((text) => text !== '');
}

const int8 = 20;

/** Numbers of ours are below 2^53. */
const getTypeParser: typeof types.getTypeParser = ((oid: number, format: 'text' | 'binary') =>
  oid === int8 ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser;

const sslModes: readonly string[] = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'];

/**
 * As libpq does: without `sslmode`, or with `prefer`, encrypted where the server can; other modes are for the client library,
 * whose words for them are those of libpq then. A connection is made, so that what is wrong is told at once.
 */
async function withEncryption(url: string): Promise<string> {
  const mode = new URL(url).searchParams.get('sslmode') ?? process.env['PGSSLMODE'] ?? 'prefer';
  if (!sslModes.includes(mode)) {
    throw new ProjectFailure(`there is no sslmode "${mode}"`, {
      code: 'EngineAddressInvalid',
      help: `As in libpq: ${sslModes.join(', ')}.`,
    });
  }
  const as = (sslmode: string): string => {
    const other = new URL(url);
    other.searchParams.set('sslmode', sslmode);
    other.searchParams.set('uselibpqcompat', 'true');
    return other.href;
  };
  try {
    await tryConnection(as(mode));
    return as(mode);
  } catch (error) {
    const isPlain = mode === 'prefer' && error instanceof Error && error.message.includes('does not support SSL');
    if (!isPlain) throw error;
    await tryConnection(as('disable'));
    return as('disable');
  }
}

async function tryConnection(connectionString: string): Promise<void> {
  const client = new Client({ connectionString, connectionTimeoutMillis: connectTimeoutMs });
  client.on('error', () => {});
  await client.connect();
  await client.end();
}

class PooledDatabase implements Database {
  readonly schema: string;
  readonly shown: string;
  private readonly pool: Pool;
  private readonly redactor: Redactor;

  constructor(pool: Pool, { schema, shown }: EngineAddress, redactor: Redactor) {
    this.pool = pool;
    this.schema = schema;
    this.shown = shown;
    this.redactor = redactor;
  }

  async query<Row>(sql: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    return await queryableOf(this.pool).query<Row>(sql, values);
  }

  async lists<Row extends readonly unknown[]>(sql: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    return await queryableOf(this.pool).lists<Row>(sql, values);
  }

  async transaction<Result>(work: (transaction: Transaction) => Promise<Result>, begin = briefly): Promise<Result> {
    const client = await this.pool.connect();
    let failure: Error | undefined;
    // Of a connection that is lost between two queries.
    const onError = (error: Error): void => {
      failure = error;
    };
    client.on('error', onError);
    try {
      await client.query(begin);
      const result = await work({ schema: this.schema, ...queryableOf(client) });
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch((lost: Error) => onError(lost));
      throw error;
    } finally {
      client.off('error', onError);
      client.release(failure);
    }
  }

  failureOf(error: unknown): unknown {
    return databaseFailure(error, this.shown, this.redactor);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.pool.end();
  }
}

function queryableOf(client: Pool | PoolClient): Queryable {
  return {
    async query<Row>(sql: string, values: readonly unknown[] = []) {
      const { rows } = await client.query(sql, values as unknown[]);
      return rows as readonly Row[];
    },
    async lists<Row extends readonly unknown[]>(sql: string, values: readonly unknown[] = []) {
      const { rows } = await client.query({ text: sql, values: values as unknown[], rowMode: 'array' });
      return rows as unknown as readonly Row[];
    },
  };
}
