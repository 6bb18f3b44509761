import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { madeWith } from '@unroll/project';
import type { Database } from '../database/database.ts';
import { isPassing } from '../database/database-failure.ts';
import { storedJson } from '../database/stored-text.ts';
import type { HeldJob, Jobs } from '../jobs/index.ts';
import { giveAwaySilent, type KnownWorker, silentSeconds } from '../work/index.ts';
import type { WorkerSettings } from './worker-settings.ts';

/** How often it is told what a worker works on. */
const reportMs = 1000;

/** Unheard of for so long by the database, this worker judges nobody's silence for a while: its machine may have slept, or the database, or its clock was set. */
const longGapSeconds = silentSeconds / 2;

/** What others see of this worker, each by run but the jobs. */
export interface WorkerReport extends Pick<KnownWorker, 'works' | 'doing' | 'lacks'> {
  readonly jobs: readonly HeldJob[];
}

/**
 * Tells once a second that this worker lives, and what it works on; gone without a word for some seconds, it is taken for dead, and
 * any other one gives away what it had in hand.
 */
export class WorkerEntry implements AsyncDisposable {
  private readonly database: Database;
  private readonly settings: WorkerSettings;
  private readonly jobs: Jobs;
  private readonly report: () => WorkerReport;
  private readonly id = randomUUID();
  private readonly timer: NodeJS.Timeout;
  private telling: Promise<void> = Promise.resolve();
  private isDue = false;
  private looking: Promise<void> | undefined;
  private lookedAt = 0;
  /** Since when the database has heard of this worker without a gap. */
  private inTouchSince: number | undefined;

  constructor(settings: WorkerSettings, database: Database, jobs: Jobs, report: () => WorkerReport) {
    this.settings = settings;
    this.database = database;
    this.jobs = jobs;
    this.report = report;
    this.timer = setInterval(() => this.tell(), reportMs);
    this.tell();
  }

  /** Tells it now, or once what is being told is told. Where the database is not reached it is told later. */
  tell(): void {
    if (this.isDue) return;
    this.isDue = true;
    this.telling = this.telling.then(() => this.beat());
  }

  private async beat(): Promise<void> {
    this.isDue = false;
    try {
      const gap = await this.write(this.report());
      if (Math.abs(gap) > longGapSeconds) this.inTouchSince = undefined;
      this.inTouchSince ??= performance.now();
      // After the database was out of reach for all, or the machine slept, all of them seem silent.
      if (performance.now() - this.inTouchSince > silentSeconds * 1000) this.lookForSilent();
    } catch (error) {
      this.failed(error);
    }
  }

  /** Beside what is told: where it waits for a lock, others still hear of this worker. */
  private lookForSilent(): void {
    if (this.looking !== undefined || performance.now() - this.lookedAt < reportMs) return;
    this.lookedAt = performance.now();
    this.looking = giveAwaySilent(this.jobs, this.database)
      .catch((error: unknown) => this.failed(error))
      .finally(() => {
        this.looking = undefined;
      });
  }

  private failed(error: unknown): void {
    this.inTouchSince = undefined;
    if (!isPassing(error)) this.settings.onLine(`this worker cannot tell that it lives: ${String(error)}`);
  }

  /** @returns seconds since it was told before, by the clock of the database */
  private async write({ works, doing, lacks, jobs }: WorkerReport): Promise<number> {
    const { name, concurrency } = this.settings;
    const table = `${this.database.schema}.worker`;
    const sql = `WITH before AS (SELECT seen_at FROM ${table} WHERE id = $1)
      INSERT INTO ${table} (id, name, host, process, version, concurrency, works, doing, lacks, jobs)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
      ON CONFLICT (id) DO UPDATE SET seen_at = clock_timestamp(), works = excluded.works, doing = excluded.doing,
        lacks = excluded.lacks, jobs = excluded.jobs
      RETURNING extract(epoch FROM seen_at - (SELECT seen_at FROM before))::double precision AS gap`;
    const { version } = madeWith();
    const seen = [this.id, name, hostname(), process.pid, version, concurrency];
    const columns = [works, doing, lacks, jobs].map(storedJson);
    const [row] = await this.database.query<{ readonly gap: number | null }>(sql, [...seen, ...columns]);
    return row?.gap ?? 0;
  }

  /** It has ended, and nobody has to wait for it; so have those that were gone long ago. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.timer);
    await this.telling;
    await this.looking;
    const { schema } = this.database;
    const sql = `DELETE FROM ${schema}.worker WHERE id = $1 OR seen_at < clock_timestamp() - interval '1 hour'`;
    await this.database.query(sql, [this.id]);
  }
}
