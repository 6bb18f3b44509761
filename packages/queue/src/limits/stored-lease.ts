import type { Database, Transaction } from '../database/database.ts';

/** Calls of a worker that was not heard of for so long are given to others. */
const expiresSeconds = 10;

/** What a worker tells of its calls on a connection. */
export interface LeaseWish {
  readonly connection: string;
  /** Of the worker. */
  readonly holder: string;
  /** Under way there. */
  readonly held: number;
  /** That wait there. */
  readonly wanted: number;
  /** Calls of all workers together that may be under way. */
  readonly most: number;
}

export interface Lease {
  /** How many of those that wait may be made. */
  readonly granted: number;
  /** Whether another worker waits that has none under way. */
  readonly isOtherStarving: boolean;
}

interface Others {
  readonly held: number;
  readonly before: number;
  readonly holders: number;
  readonly starving: number;
}

/**
 * Tells what a worker has under way, and gives it a part of what is free: whoever has fewer comes first, then whoever waits longer,
 * and nobody gets more than an equal share while others wait.
 */
export async function renewLease(wish: LeaseWish, database: Database): Promise<Lease> {
  return await database.transaction(async (transaction) => {
    const { schema } = transaction;
    // One at a time: what the next one reads is what this one leaves.
    await transaction.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`calls of ${schema} ${wish.connection}`]);
    const others = await readOthers(wish, transaction);
    const free = Math.max(0, wish.most - wish.held - others.held);
    const share = Math.ceil(wish.most / (others.holders + 1));
    const isContended = others.holders > 0;
    const mine = isContended ? Math.min(free - others.before, Math.max(1, share - wish.held)) : free;
    const granted = Math.max(0, Math.min(wish.wanted, mine));
    await store(wish, granted, transaction);
    return { granted, isOtherStarving: others.starving > 0 };
  });
}

/** A lease that ends later than any does was told before the clock of the database stepped back: who lives tells it anew. */
const isHeardOf = `o.expires_at BETWEEN clock_timestamp() AND clock_timestamp() + interval '${2 * expiresSeconds} seconds'`;

async function readOthers({ connection, holder, held }: LeaseWish, transaction: Transaction): Promise<Others> {
  const sql = `SELECT coalesce(sum(o.held), 0)::integer AS held,
      count(*) FILTER (WHERE o.wanted > 0)::integer AS holders,
      count(*) FILTER (WHERE o.wanted > 0 AND o.held = 0)::integer AS starving,
      count(*) FILTER (WHERE o.wanted > 0 AND (o.held < $3 OR o.held = $3 AND o.waits_since < coalesce(me.waits_since, 'infinity')))::integer AS before
    FROM ${transaction.schema}.call_lease o
    LEFT JOIN ${transaction.schema}.call_lease me ON me.connection = $1 AND me.holder = $2 AND me.wanted > 0
    WHERE o.connection = $1 AND o.holder <> $2 AND ${isHeardOf}`;
  const [others] = await transaction.query<Others>(sql, [connection, holder, held]);
  if (others === undefined) throw new Error('bug: sums of nothing');
  return others;
}

async function store(
  { connection, holder, held, wanted }: LeaseWish,
  granted: number,
  transaction: Transaction,
): Promise<void> {
  const sql = `INSERT INTO ${transaction.schema}.call_lease AS l (connection, holder, held, wanted, expires_at)
    VALUES ($1, $2, $3, $4, clock_timestamp() + interval '${expiresSeconds} seconds')
    ON CONFLICT (connection, holder) DO UPDATE SET held = excluded.held, wanted = excluded.wanted, expires_at = excluded.expires_at,
      waits_since = CASE WHEN l.wanted > 0 AND $5 = 0 THEN l.waits_since ELSE excluded.waits_since END`;
  await transaction.query(sql, [connection, holder, held + granted, wanted - granted, granted]);
}

/** A worker that ends gives back what it had, and forgets who was silent for long. */
export async function dropLease(holder: string, database: Database): Promise<void> {
  const sql = `DELETE FROM ${database.schema}.call_lease WHERE holder = $1 OR expires_at < clock_timestamp() - interval '1 hour'`;
  await database.query(sql, [holder]);
}
