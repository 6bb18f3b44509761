import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { madeWith } from '@unroll/project';
import type { Database } from '../database/database.ts';
import type { KnownWorker } from '../work/index.ts';
import type { WorkerSettings } from './worker-settings.ts';

/** How often it is told what a worker works on. */
const tellMs = 1000;

/** What others see of this worker; gone without a word for some seconds, it is taken for dead. */
export class WorkerEntry implements AsyncDisposable {
  private readonly database: Database;
  private readonly settings: WorkerSettings;
  private readonly id = randomUUID();
  private toldAt = Number.NEGATIVE_INFINITY;
  private toldLacks = '';

  constructor(settings: WorkerSettings, database: Database) {
    this.settings = settings;
    this.database = database;
  }

  /**
   * Not more than once a second, unless it lacks something else than before.
   *
   * Each by run.
   */
  async tell({ works, doing, lacks }: Pick<KnownWorker, 'works' | 'doing' | 'lacks'>): Promise<void> {
    const lacking = JSON.stringify(lacks);
    if (lacking === this.toldLacks && performance.now() - this.toldAt < tellMs) return;
    const { name, concurrency } = this.settings;
    const sql = `INSERT INTO ${this.database.schema}.worker (id, name, host, process, version, concurrency, works, doing, lacks)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
      ON CONFLICT (id) DO UPDATE SET seen_at = clock_timestamp(), works = excluded.works, doing = excluded.doing, lacks = excluded.lacks`;
    const { version } = madeWith();
    const seen = [this.id, name, hostname(), process.pid, version, concurrency];
    await this.database.query(sql, [...seen, JSON.stringify(works), JSON.stringify(doing), lacking]);
    this.toldAt = performance.now();
    this.toldLacks = lacking;
  }

  /** It has ended, and nobody has to wait for it; so have those that were gone long ago. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { schema } = this.database;
    const sql = `DELETE FROM ${schema}.worker WHERE id = $1 OR seen_at < clock_timestamp() - interval '1 hour'`;
    await this.database.query(sql, [this.id]);
  }
}
