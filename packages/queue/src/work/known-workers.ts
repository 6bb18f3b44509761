import * as z from 'zod';
import type { Database } from '../database/database.ts';
import { givenJson } from '../database/stored-text.ts';

/** A worker as the database knows it. */
export interface KnownWorker {
  readonly name: string;
  readonly host: string;
  readonly process: number;
  readonly version: string;
  /** Since it was heard of. */
  readonly silentMs: number;
  /** By run, how many of its rows are in flight there. */
  readonly works: Readonly<Record<string, number>>;
  /** By run, what of it is under way there. */
  readonly doing: Readonly<Record<string, WorkerDoing>>;
  /** By run, why the worker cannot run it. */
  readonly lacks: Readonly<Record<string, string>>;
}

/** What of a run is under way at a worker. */
export type WorkerDoing = {
  /** How many nodes are in flight, by their names. */
  readonly nodes: Readonly<Record<string, number>>;
  /** Names of the connections that its calls go to. */
  readonly connections: readonly string[];
};

/** Without a word for so long, a worker is taken for gone. */
const goneAfterSeconds = 20;

const heardOf = `seen_at BETWEEN clock_timestamp() - interval '${goneAfterSeconds} seconds'
  AND clock_timestamp() + interval '${goneAfterSeconds} seconds'`;

const count = z.int().min(0);

/** What workers tell of themselves: whoever may write in the database may write anything, and what cannot be read is not told. */
const told = z.object({
  works: z.record(z.string(), count).catch({}),
  doing: z
    .record(z.string(), z.object({ nodes: z.record(z.string(), count), connections: z.array(z.string()) }))
    .catch({}),
  lacks: z.record(z.string(), z.string()).catch({}),
});

type ToldColumns = Readonly<Record<keyof z.infer<typeof told>, unknown>>;

/** Workers that are heard of, by their names. */
export async function listWorkers(database: Database): Promise<readonly KnownWorker[]> {
  const sql = `SELECT name, host, process, version, works, doing, lacks,
      extract(epoch FROM clock_timestamp() - seen_at)::double precision * 1000 AS "silentMs"
    FROM ${database.schema}.worker WHERE ${heardOf}
    ORDER BY name, started_at`;
  const workers = await database.query<Omit<KnownWorker, keyof ToldColumns> & ToldColumns>(sql);
  return workers.map(({ works, doing, lacks, ...worker }) => ({
    ...worker,
    ...told.parse({ works, doing: givenJson(doing), lacks: givenJson(lacks) }),
  }));
}

/** The last one of this hour that went without a word: one that ends says so. */
export async function lastSilentWorker(database: Database): Promise<Pick<KnownWorker, 'name' | 'host'> | undefined> {
  const sql = `SELECT name, host FROM ${database.schema}.worker
    WHERE NOT (${heardOf}) AND seen_at > clock_timestamp() - interval '1 hour' ORDER BY seen_at DESC LIMIT 1`;
  const [last] = await database.query<Pick<KnownWorker, 'name' | 'host'>>(sql);
  return last;
}
