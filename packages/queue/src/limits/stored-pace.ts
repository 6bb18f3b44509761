import type { ThrottleState } from '@unroll/nodes';
import type { Database } from '../database/database.ts';
import { givenText } from '../database/stored-text.ts';

/** Units that may be used at once after a rest, as time at the even rate. */
export const burstMs = 1000;

/** What is taken of a connection at once; amounts as milliseconds that they take at the even rate, 0 where there is no limit. */
export interface TakenUnits {
  readonly requestsMs: number;
  readonly tokensMs: number;
  /** Of calls before: tokens used above those taken, or, below 0, not used. */
  readonly correctionMs: number;
}

/** Milliseconds from now by the clock of the database; below 0 where it was before. */
export interface TakenFrom {
  /** From when the first of the requests may be used, without a burst. */
  readonly requestsMs: number;
  readonly tokensMs: number;
  /** Until the service wants to hear of us again. */
  readonly closedMs: number;
}

/**
 * Hands out units in the order they are asked for, whoever asks: the generic cell rate algorithm (ITU-T I.371, annex A) with
 * amounts, as in one process. After a pause there is no burst.
 */
export async function takeUnits(connection: string, units: TakenUnits, database: Database): Promise<TakenFrom> {
  const next = (column: string, correction: string, taken: string): string =>
    `greatest(p.${column} + ${correction}, p.closed_until + ${ms(String(burstMs))}, clock_timestamp()) + ${taken}`;
  const sql = `INSERT INTO ${database.schema}.pace AS p (connection, requests_until, tokens_until)
    VALUES ($1, clock_timestamp() + ${ms('$2')}, clock_timestamp() + ${ms('$3')})
    ON CONFLICT (connection) DO UPDATE SET
      requests_until = ${next('requests_until', "interval '0'", ms('$2'))},
      tokens_until = ${next('tokens_until', ms('$4'), ms('$3'))}
    RETURNING ${fromNow(`requests_until - ${ms('$2')}`)} AS "requestsMs", ${fromNow(`tokens_until - ${ms('$3')}`)} AS "tokensMs",
      ${fromNow('closed_until')} AS "closedMs"`;
  const { requestsMs, tokensMs, correctionMs } = units;
  const [permit] = await database.query<TakenFrom>(sql, [connection, requestsMs, tokensMs, correctionMs]);
  if (permit === undefined) throw new Error('bug: an insertion that returns nothing');
  return permit;
}

/** @returns milliseconds until the service wants to hear of us again; below 0 where it does */
export async function closedFor(connection: string, database: Database): Promise<number> {
  const sql = `SELECT ${fromNow('closed_until')} AS "closedMs" FROM ${database.schema}.pace WHERE connection = $1`;
  const [row] = await database.query<Pick<TakenFrom, 'closedMs'>>(sql, [connection]);
  return row?.closedMs ?? -1;
}

/** Nobody calls the connection for so long. A pause that ends later stays. */
export async function close(connection: string, forMs: number, database: Database): Promise<void> {
  const sql = `INSERT INTO ${database.schema}.pace AS p (connection, closed_until) VALUES ($1, clock_timestamp() + ${ms('$2')})
    ON CONFLICT (connection) DO UPDATE SET closed_until = greatest(p.closed_until, excluded.closed_until)`;
  await database.query(sql, [connection, forMs]);
}

/** Of the connections whose calls wait, wherever they are made. */
export async function readPaces(database: Database): Promise<readonly ThrottleState[]> {
  const behind = `greatest(closed_until, requests_until - ${ms(String(burstMs))}, tokens_until - ${ms(String(burstMs))})`;
  const sql = `SELECT connection, ${fromNow(behind)} AS "waitMs" FROM ${database.schema}.pace
    WHERE ${behind} > clock_timestamp() ORDER BY connection`;
  const paces = await database.query<ThrottleState & { readonly waitMs: number }>(sql);
  return paces.map((pace) => ({ ...pace, connection: givenText(pace.connection) }));
}

function ms(amount: string): string {
  return `${amount}::double precision * interval '1 millisecond'`;
}

function fromNow(moment: string): string {
  return `extract(epoch FROM ${moment} - clock_timestamp())::double precision * 1000`;
}
