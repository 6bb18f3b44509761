import { randomUUID } from 'node:crypto';
import { type Db, type FetchOptions, PgBoss } from 'pg-boss';
import * as z from 'zod';
import type { Database, Queryable } from '../database/database.ts';
import { jobId } from './job-id.ts';
import type { HeldJob, Jobs, NewJob, TakenJob, Work } from './jobs.ts';

/** A job without a word for so long is given away, whatever is known of its worker (work/silent-workers.ts is quicker); less is not possible. */
const heartbeatSeconds = 10;

/** A job that ended so many workers is not given to another one; before that a worker gives up the row that does it (worker/). */
const maxRetries = 30;

/** Jobs of one statement. */
const addedAtOnce = 5000;

/** A day, the longest there is: that a worker is alive is told by its heartbeat. */
const longestJobSeconds = 86_399;

/** Makes or renews the tables of jobs, in the schema `<schema>_jobs`. */
export async function installJobs(database: Database): Promise<void> {
  // Also where it is there, making it asks for the right to make one.
  const name = `${database.schema}_jobs`;
  const isThere = (await database.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [name])).length > 0;
  const boss = bossOn(database, { migrate: true, createSchema: !isThere, supervise: false });
  await boss.start();
  await boss.stop({ graceful: false });
}

/** Why the tables of jobs cannot be used as they are; undefined where they can. */
export async function jobsRefusal(database: Database): Promise<string | undefined> {
  const boss = bossOn(database, { migrate: false, supervise: false });
  try {
    await boss.start();
  } catch (error) {
    const { message } = error as Error;
    if (/^pg-boss /.test(message)) return message;
    throw error;
  }
  await boss.stop({ graceful: false });
  return undefined;
}

/**
 * Opens the jobs of all runs. As long as they are open, this process is one of those that give jobs of dead workers to others.
 *
 * @param onProblem told what went wrong in the background; it is tried again
 */
export async function openJobs(database: Database, onProblem: (message: string) => void): Promise<Jobs> {
  const boss = bossOn(database, { migrate: false, supervise: true });
  // Some of them are no instances of Error, as which they are declared.
  boss.on('error', ({ message }) => onProblem(message));
  await boss.start();
  return new BossJobs(boss, database);
}

function bossOn(
  database: Database,
  options: { readonly migrate: boolean; readonly createSchema?: boolean; readonly supervise: boolean },
): PgBoss {
  return new PgBoss({
    ...options,
    db: sqlOn(database),
    schema: `${database.schema}_jobs`,
    schedule: false,
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 2,
  });
}

function sqlOn(queryable: Queryable): Db {
  return {
    // biome-ignore lint/suspicious/noExplicitAny: the library's own word for a row
    executeSql: async (sql, values) => ({ rows: [...((await queryable.query<any>(sql, values)) ?? [])] }),
  };
}

class BossJobs implements Jobs {
  private readonly boss: PgBoss;
  private readonly database: Database;
  /** Of runs that were seen to have one. */
  private readonly open = new Set<string>();

  constructor(boss: PgBoss, database: Database) {
    this.boss = boss;
    this.database = database;
  }

  async openQueue(run: string): Promise<void> {
    if (this.open.has(run)) return;
    await this.boss.createQueue(queueOf(run), {
      partition: true,
      heartbeatSeconds,
      retryLimit: maxRetries,
      expireInSeconds: longestJobSeconds,
    });
    this.open.add(run);
  }

  async add(run: string, jobs: readonly NewJob[], within: Queryable): Promise<void> {
    for (let from = 0; from < jobs.length; from += addedAtOnce) {
      const some = jobs.slice(from, from + addedAtOnce);
      const rows = some.map(({ name, work }) => ({
        id: jobId(`${run}\n${name}`),
        data: work,
        priority: priorityOf(work),
      }));
      await this.boss.insert(queueOf(run), rows, { db: sqlOn(within) });
    }
  }

  async take(run: string, most: number): Promise<readonly TakenJob[]> {
    return await this.fetched(run, { batchSize: most });
  }

  async takeReturned(run: string): Promise<TakenJob | undefined> {
    const [job] = await this.fetched(run, { batchSize: 1, minPriority: returnedPriority });
    return job;
  }

  private async fetched(run: string, which: FetchOptions): Promise<readonly TakenJob[]> {
    const jobs = await this.boss.fetch(queueOf(run), which);
    return jobs.map(({ id, data, retryCount }) => {
      const work = readWork(data);
      return { run, id, work, retryCount, deaths: deathsOf(work, retryCount) };
    });
  }

  async keep(job: TakenJob, within: Queryable = this.database): Promise<boolean> {
    return isAffected(await this.boss.touch(queueOf(job.run), attemptOf(job), { db: sqlOn(within) }));
  }

  async complete(job: HeldJob, within: Queryable): Promise<boolean> {
    return isAffected(await this.boss.complete(queueOf(job.run), attemptOf(job), null, { db: sqlOn(within) }));
  }

  async giveAway(job: HeldJob, within: Queryable): Promise<boolean> {
    const table = `${this.database.schema}_jobs.job`;
    const sql = `SELECT data FROM ${table} WHERE name = $1 AND id = $2 AND state = 'active'`;
    const [found] = await within.query<{ readonly data: unknown }>(sql, [queueOf(job.run), job.id]);
    const work = readWork(found?.data);
    if (work.kind === 'rows') {
      const { chunk } = work;
      return await this.putFirst(job, { kind: 'rows', chunk, lost: deathsOf(work, job.retryCount) + 1 }, within);
    }
    return isAffected(await this.boss.fail(queueOf(job.run), attemptOf(job), null, { db: sqlOn(within) }));
  }

  /** Another job in the place of one. A failure would leave it in its place in the queue, and count as one of its retries. */
  private async putFirst(job: HeldJob, work: Work, within: Queryable): Promise<boolean> {
    const wasHeld = await this.complete(job, within);
    if (wasHeld) await this.add(job.run, [{ name: randomUUID(), work }], within);
    return wasHeld;
  }

  async giveBack(job: TakenJob, within: Queryable): Promise<void> {
    const { work } = job;
    await this.putFirst(job, work.kind === 'rows' ? { kind: 'rows', chunk: work.chunk, isLeft: true } : work, within);
  }

  /** As the library's `deleteQueuedJobs`, which takes no transaction. */
  async dropQueued(run: string, within: Queryable): Promise<void> {
    const sql = `DELETE FROM ${this.database.schema}_jobs.job WHERE name = $1 AND state IN ('created', 'retry')`;
    await within.query(sql, [queueOf(run)]);
  }

  async isAnyActive(run: string, within: Queryable): Promise<boolean> {
    return await this.isAny(run, "'active'", within);
  }

  async isAnyOpen(run: string, within: Queryable): Promise<boolean> {
    return await this.isAny(run, "'created', 'retry', 'active'", within);
  }

  private async isAny(run: string, states: string, within: Queryable): Promise<boolean> {
    const sql = `SELECT 1 FROM ${this.database.schema}_jobs.job WHERE name = $1 AND state IN (${states}) LIMIT 1`;
    return (await within.query(sql, [queueOf(run)])).length > 0;
  }

  async closeQueue(run: string): Promise<void> {
    this.open.delete(run);
    await this.boss.deleteQueue(queueOf(run));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.boss.stop({ graceful: false });
  }
}

const work = z.union([
  z.object({
    kind: z.literal('rows'),
    chunk: z.int32().min(0),
    isLeft: z.literal(true).optional(),
    lost: z.int().min(0).optional(),
  }),
  z.object({ kind: z.literal('finish') }),
]);

/** What a job is, from its row in the database: whoever may write there may write anything. */
function readWork(data: unknown): Work {
  const read = work.safeParse(data);
  return read.success ? (read.data as Work) : { kind: 'unreadable' };
}

/** Of rows that others had; all else has none above 0. */
const returnedPriority = 1;

/** Rows in their order, after those that others had. */
function priorityOf(work: Work): number {
  if (work.kind !== 'rows') return 0;
  return work.isLeft === true || work.lost !== undefined ? returnedPriority : -work.chunk;
}

function deathsOf(work: Work, retryCount: number): number {
  return retryCount + (work.kind === 'rows' ? (work.lost ?? 0) : 0);
}

/** Only the attempt that was taken: not one of another worker, where the job was given away meanwhile. */
function attemptOf({ id, retryCount }: HeldJob): { readonly id: string; readonly retryCount: number } {
  return { id, retryCount };
}

/** The library gives the count, though its types do not tell. */
function isAffected(response: object): boolean {
  return 'affected' in response && response.affected === 1;
}

/** Names of runs may hold letters of any script; those of queues may not. */
function queueOf(run: string): string {
  return `run-${jobId(run)}`;
}
