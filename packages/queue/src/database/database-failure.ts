import type { Redactor } from '@unroll/engine';
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
  if (/^(08|57P0[1-5]|53300|25006)/.test(code)) return true;
  if (/^E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN|CONNABORTED)$/.test(code)) return true;
  const message = error instanceof Error ? error.message : '';
  return /Connection terminated|timeout exceeded when trying to connect|timeout expired|not queryable/.test(message);
}

/** Whether to try again can help: also where there is no room, two wait for each other, or somebody intervened (classes 40, 53, 55, 57, 58), or it stood still for too long (25P03). */
export function isPassing(error: unknown): boolean {
  return isDisconnection(error) || /^(40|5[3578]|25P03)/.test(errorCode(error));
}

interface Words {
  readonly message: string;
  readonly help: string;
  readonly code: string;
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
    wordsOf(errorCode(error), shown, said) ?? (isDisconnection(error) ? unreachable(shown, said) : undefined);
  if (words === undefined) return error;
  return new ProjectFailure(words.message, { help: words.help, code: words.code, kind: 'failed' });
}

function saidBy(error: unknown): string {
  if (error instanceof AggregateError) return saidBy(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

function unreachable(shown: string, said: string): Words {
  return {
    message: `there is no PostgreSQL at ${shown}: ${said}`,
    help: 'Is the server running, and can it be reached from here?',
    code: 'EngineUnreachable',
  };
}

function wordsOf(code: string, shown: string, said: string): Words | undefined {
  if (code === 'ENOTFOUND') return unreachable(shown, said);
  if (code.startsWith('28')) {
    const help = 'User and password are read from the address, PGUSER, PGPASSWORD and ~/.pgpass.';
    return { message: `PostgreSQL at ${shown} lets nobody in: ${said}`, help, code: 'EngineRefused' };
  }
  if (code === '3D000') {
    const help = 'createdb makes one; runs may share it with other tables, they have a schema of their own.';
    return { message: `PostgreSQL at ${shown}: ${said}`, help, code: 'EngineDatabaseMissing' };
  }
  if (code === '42501') {
    const help = 'flow engine status names the rights that are missing, as the statements that grant them.';
    return { message: `PostgreSQL at ${shown}: ${said}`, help, code: 'EngineRightsMissing' };
  }
  if (/^(DEPTH_ZERO_|SELF_SIGNED|UNABLE_TO_|CERT_|ERR_TLS)/.test(code) || said.includes('does not support SSL')) {
    const help = 'sslmode and sslrootcert of the address mean what they mean to libpq.';
    return { message: `no encrypted connection to PostgreSQL at ${shown}: ${said}`, help, code: 'EngineNotEncrypted' };
  }
  return undefined;
}
