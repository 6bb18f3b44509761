import type { Transaction } from './database.ts';

/**
 * Limits of the server, the database or the role, as pg_dump lifts them: what they end would be made again, and ended again, while its
 * rows are paid for once more each time.
 */
export const untimed = 'SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0';

/**
 * Begins a transaction that changes what others wait for. A process that stands still in the middle of it (SIGSTOP, a machine that is
 * paused) would keep it locked: after 10 seconds the server undoes it and closes the connection.
 */
export const briefly = `BEGIN; ${untimed}; SET LOCAL idle_in_transaction_session_timeout = '10s'`;

const aliveMs = 3000;

/** Waits for something else in the middle of a transaction, however long it takes: as long as this process does not stand still, the server hears of it. */
export async function whileAlive<Result>(transaction: Transaction, work: () => Promise<Result>): Promise<Result> {
  // Where it fails, so does the next statement.
  const timer = setInterval(() => void transaction.query('SELECT 1').catch(() => undefined), aliveMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
