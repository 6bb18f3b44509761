import type { Redactor } from '@unroll/engine';
import { thrownText } from '@unroll/engine';
import { ProjectFailure } from '@unroll/project/project-failure';

/** What PostgreSQL and the network call an error: five letters (https://www.postgresql.org/docs/current/errcodes-appendix.html), or `ECONNREFUSED`. */
function errorCode(error: unknown): string {
  const code: unknown = (error as { readonly code?: unknown } | null)?.code;
  if (typeof code === 'string') return code;
  // A name of several addresses, none of which answers.
  return error instanceof AggregateError ? errorCode(error.errors[0]) : '';
}

/** Whether the connection is gone, or none could be had for now: to try again can help. */
export function isDisconnection(error: unknown): boolean {
  const code = errorCode(error);
  if (isSocketMissing(error)) return true;
  if (refusalByPooler(error) !== undefined) return false;
  if (/^(08|57P0[1-5]|53300|25006)/.test(code)) return true;
  if (/^E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN|CONNABORTED)$/.test(code)) return true;
  const message = error instanceof Error ? error.message : '';
  return /Connection terminated|timeout exceeded when trying to connect|timeout expired|not queryable/.test(message);
}

/** Of a server on the same machine that is down: its socket is a file. */
function isSocketMissing(error: unknown): boolean {
  return errorCode(error) === 'ENOENT' && (error as NodeJS.ErrnoException).syscall === 'connect';
}

/** Whether to try again can help: also where there is no room, two wait for each other, or somebody intervened (classes 40, 53, 55, 57, 58), or it stood still for too long (25P03). */
export function isPassing(error: unknown): boolean {
  return isDisconnection(error) || /^(40|5[3578]|25P03)/.test(errorCode(error));
}

/** No space on the disk, no memory, a disk that fails: PostgreSQL answers, and takes nothing. */
export function isOutOfRoom(error: unknown): boolean {
  return /^(53[12]|58)/.test(errorCode(error));
}

interface Words {
  readonly message: string;
  readonly help: string;
  readonly code: string;
}

type Refusal = 'who' | 'database' | 'pooling' | 'parameter';

/** PgBouncer says all that it says with one code (08P01); what it says of these will not pass (seen of 1.18). */
const refusals: readonly (readonly [RegExp, Refusal])[] = [
  [/authentication failed|no such user|password/i, 'who'],
  [/database ".*" does not exist|no such database/, 'database'],
  [/statement pooling mode/, 'pooling'],
  [/unsupported startup parameter/, 'parameter'],
];

function refusalByPooler(error: unknown): Refusal | undefined {
  if (errorCode(error) !== '08P01') return undefined;
  const said = saidBy(error);
  return refusals.find(([words]) => words.test(said))?.[1];
}

/**
 * An error of PostgreSQL or on the way to it, in words for people and without the password.
 *
 * @param shown address without password
 */
export function databaseFailure(error: unknown, shown: string, redactor: Redactor): unknown {
  if (error instanceof ProjectFailure) return error;
  const said = redactor.message(saidBy(error));
  const words =
    wordsOf(errorCode(error), refusalByPooler(error), shown, said) ??
    (isDisconnection(error) ? unreached(errorCode(error), shown, said) : undefined) ??
    damageWords(errorCode(error), shown, said) ??
    (isPassing(error) ? refusedForNow(error, shown, said) : undefined);
  if (words === undefined) return error;
  return new ProjectFailure(words.message, { help: words.help, code: words.code, kind: 'failed' });
}

function saidBy(error: unknown): string {
  if (error instanceof AggregateError) return saidBy(error.errors[0]);
  return thrownText(error);
}

function unreachable(shown: string, said: string): Words {
  return {
    message: `there is no PostgreSQL at ${shown}: ${said}`,
    help: 'Is the server running, and can it be reached from here?',
    code: 'EngineUnreachable',
  };
}

function refusedForNow(error: unknown, shown: string, said: string): Words {
  const help = helpForNow(error);
  // As where it is not reached: who waits for that waits for this.
  return { message: `PostgreSQL at ${shown} cannot do what it is asked: ${said}`, help, code: 'EngineUnreachable' };
}

/** Where it answers, with its five letters, it is there. */
function unreached(code: string, shown: string, said: string): Words {
  if (!/^(53300|57P03|08P01)$/.test(code)) return unreachable(shown, said);
  const help =
    code === '57P03'
      ? 'It is starting, stopping or going over to another server: try again.'
      : 'A process opens up to 10 connections: more of them (max_connections, max_client_conn), fewer processes, or a pooler.';
  return { message: `PostgreSQL at ${shown} lets nobody in for now: ${said}`, help, code: 'EngineUnreachable' };
}

function helpForNow(error: unknown): string {
  if (isOutOfRoom(error)) return 'Its disk or its memory is full, or its disk fails: once that is mended, try again.';
  if (errorCode(error) !== '57014') return 'Most often this passes: try again.';
  return 'Somebody cancelled it, or the statement_timeout of the server, the database or the role did: ALTER ROLE … SET statement_timeout = 0.';
}

/** A standby, or a server on its way to being one: a failover ends it. */
function readOnly(shown: string, said: string): Words {
  return {
    message: `PostgreSQL at ${shown} takes no writes: ${said}`,
    help: 'An engine needs the primary server, and default_transaction_read_only off.',
    code: 'EngineUnreachable',
  };
}

function unfitPooler(refusal: 'pooling' | 'parameter', shown: string, said: string): Words {
  const help =
    refusal === 'pooling'
      ? 'The pooler has to keep a connection for a whole transaction: pool_mode = transaction, or session.'
      : 'Leave it out of the address, or let the pooler pass it over: ignore_startup_parameters of PgBouncer.';
  return { message: `the pooler at ${shown} cannot be used: ${said}`, help, code: 'EnginePoolerUnfit' };
}

/** Also of the files that the address names. */
const isAboutEncryption = /does not support SSL|^E[A-Z]+: .*, (open|read)\b/;

const damageHelp = {
  tables:
    'Something else has changed or removed them. A backup brings them back; ?schema=NAME in the address sets up another engine beside this one.',
  jobs: 'flow engine init makes them; a run that was under way goes on after flow stop and flow run --resume.',
};

/** A schema, table, column or function is not there or another one, a value is none that we write, a page of the disk cannot be read. Not our own slips: a statement or a text that no PostgreSQL takes. */
const isOfTables = /^(22(?!021|P05)|23|3F|42(?!601)|XX)/;

/** What is there is not what we made, or what the queue needs. */
function damageWords(code: string, shown: string, said: string): Words | undefined {
  const isOfJobs = /^pg-boss (?:is not installed|database requires)/.test(said);
  if (!isOfJobs && !(code.length === 5 && isOfTables.test(code))) return undefined;
  return {
    message: `the tables of the engine at ${shown} are not as flow made them: ${said}`,
    help: damageHelp[isOfJobs ? 'jobs' : 'tables'],
    code: 'EngineDamaged',
  };
}

function wordsOf(code: string, refusal: Refusal | undefined, shown: string, said: string): Words | undefined {
  if (code === 'ENOTFOUND') return unreachable(shown, said);
  if (code === '25006') return readOnly(shown, said);
  if (refusal === 'pooling' || refusal === 'parameter') return unfitPooler(refusal, shown, said);
  if (code.startsWith('28') || refusal === 'who') {
    const help = 'User and password are read from the address, PGUSER, PGPASSWORD and ~/.pgpass.';
    return { message: `PostgreSQL at ${shown} lets nobody in: ${said}`, help, code: 'EngineRefused' };
  }
  if (code === '3D000' || refusal === 'database') {
    const help = 'createdb makes one; runs may share it with other tables, they have a schema of their own.';
    return { message: `PostgreSQL at ${shown}: ${said}`, help, code: 'EngineDatabaseMissing' };
  }
  if (code === '42501') {
    const help = 'flow engine status names the rights that are missing, as the statements that grant them.';
    return { message: `PostgreSQL at ${shown}: ${said}`, help, code: 'EngineRightsMissing' };
  }
  if (/^(DEPTH_ZERO_|SELF_SIGNED|UNABLE_TO_|CERT_|ERR_TLS)/.test(code) || isAboutEncryption.test(said)) {
    const help = 'sslmode and sslrootcert of the address mean what they mean to libpq.';
    return { message: `no encrypted connection to PostgreSQL at ${shown}: ${said}`, help, code: 'EngineNotEncrypted' };
  }
  return undefined;
}
