import type { ProjectHost } from '@unroll/project';
import type { Database } from '../database/database.ts';
import { isPassing } from '../database/database-failure.ts';
import { type Jobs, openJobs } from '../jobs/index.ts';
import { openSharedLimits, type SharedLimits } from '../limits/index.ts';
import { openRuns, type RunWork, settleRun } from '../work/index.ts';
import { doJob, type JobContext, JobLost } from './do-job.ts';
import { type Lack, openWorkedRun } from './open-worked-run.ts';
import { RowSlots } from './row-slots.ts';
import { WorkedRun } from './worked-run.ts';
import { WorkerEntry } from './worker-entry.ts';
import type { WorkerSettings } from './worker-settings.ts';

/** How often a worker looks for work where it has none. */
const lookMs = 300;

/** What a worker lacks is looked for again after so long. */
const lackMs = 5000;

/** Takes jobs of runs that it can run, until it is told to end: rows in flight end then, the others are handed back. */
export async function runWorker(settings: WorkerSettings, host: ProjectHost, database: Database): Promise<void> {
  const onError = (error: unknown): void => settings.onLine(`the queue: ${textOf(error)}`);
  await using jobs = await openJobs(database, onError);
  await using limits = openSharedLimits(database);
  await using entry = new WorkerEntry(settings, database);
  await using worker = new Worker(settings, host, database, jobs, entry, limits);
  await worker.work();
}

interface Lacking extends Lack {
  readonly at: number;
}

class Worker implements AsyncDisposable {
  private readonly settings: WorkerSettings;
  private readonly host: ProjectHost;
  private readonly database: Database;
  private readonly jobs: Jobs;
  private readonly entry: WorkerEntry;
  private readonly limits: SharedLimits;
  private readonly slots: RowSlots;
  /** Runs that are ready here, by their ids. */
  private readonly ready = new Map<string, WorkedRun>();
  private readonly opening = new Set<string>();
  private readonly lacking = new Map<string, Lacking>();
  private readonly underWay = new Set<Promise<void>>();
  private isLost = false;
  private wake: () => void = () => undefined;

  constructor(
    settings: WorkerSettings,
    host: ProjectHost,
    database: Database,
    jobs: Jobs,
    entry: WorkerEntry,
    limits: SharedLimits,
  ) {
    this.limits = limits;
    this.settings = settings;
    this.host = host;
    this.database = database;
    this.jobs = jobs;
    this.entry = entry;
    this.slots = new RowSlots(settings.concurrency);
  }

  async work(): Promise<void> {
    const { signal } = this.settings;
    signal.addEventListener('abort', () => this.wake(), { once: true });
    while (!signal.aborted) {
      await this.reached(() => this.look());
      if (!signal.aborted) await this.pause();
    }
    while (this.underWay.size > 0) {
      await Promise.race([...this.underWay, this.pause()]);
      await this.reached(() => this.tell());
    }
    await this.reached(() => this.syncAll());
  }

  /** Does what needs the database; where that is not reached, it is tried again later. */
  private async reached(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      if (this.isLost) this.settings.onLine('PostgreSQL is reached again');
      this.isLost = false;
    } catch (error) {
      if (!isPassing(error)) throw error;
      if (!this.isLost) this.settings.onLine(`PostgreSQL is not reached, and tried again: ${textOf(error)}`);
      this.isLost = true;
    }
  }

  private async pause(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, lookMs);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private async look(): Promise<void> {
    await this.syncAll();
    const runs = await openRuns(this.database);
    await this.forget(runs);
    for (const run of runs) {
      await settleRun(run, this.jobs, this.database);
      if (run.standing.state === 'running') await this.takeJobs(run);
    }
    await this.tell();
  }

  private async syncAll(): Promise<void> {
    for (const run of this.ready.values()) await run.sync();
  }

  /** Runs that are over, or were begun anew, are not kept. */
  private async forget(runs: readonly RunWork[]): Promise<void> {
    const known = new Map(runs.map((run) => [run.id, run]));
    for (const id of [...this.lacking.keys()]) if (!known.has(id)) this.lacking.delete(id);
    for (const [id, run] of this.ready) {
      if (run.jobs > 0 || known.get(id)?.attempt === run.work.attempt) continue;
      this.ready.delete(id);
      await run.flow[Symbol.asyncDispose]();
    }
  }

  private async takeJobs(work: RunWork): Promise<void> {
    const run = this.ready.get(work.id);
    if (run === undefined) return this.open(work);
    while (this.slots.isHungry && !this.settings.signal.aborted && !run.stopping.signal.aborted) {
      const [job] = await this.jobs.take(work.id, 1);
      if (job === undefined) return;
      run.jobs += 1;
      const begun = Promise.withResolvers<void>();
      const done = doJob(run, job, this.context(begun.resolve))
        .catch((error: unknown) => this.tellFailed(error, run))
        .finally(() => {
          run.jobs -= 1;
          begun.resolve();
          this.underWay.delete(done);
          this.wake();
        });
      this.underWay.add(done);
      // Its rows take their slots first: a job that waits here is one that no other worker runs.
      await begun.promise;
      await new Promise(setImmediate);
    }
  }

  private context(onBegun: () => void): JobContext {
    const { jobs, database, slots, settings } = this;
    return { jobs, database, slots, name: settings.name, stop: settings.signal, onBegun };
  }

  private tellFailed(error: unknown, { work }: WorkedRun): void {
    const reason = error instanceof JobLost ? 'it was given to another worker' : textOf(error);
    this.settings.onLine(`a job of run ${work.id} is left: ${reason}`);
  }

  /** Other runs need not wait until its flow is ready. */
  private open(work: RunWork): void {
    const lacking = this.lacking.get(work.id);
    if (this.opening.has(work.id)) return;
    if (lacking !== undefined && (!lacking.canChange || this.host.now() - lacking.at < lackMs)) return;
    this.opening.add(work.id);
    const opened = openWorkedRun(work, this.settings, this.host, { database: this.database, limits: this.limits })
      .then((run) => this.took(work, run))
      .catch((error: unknown) => this.settings.onLine(`run ${work.id} cannot be made ready: ${textOf(error)}`))
      .finally(() => {
        this.opening.delete(work.id);
        this.underWay.delete(opened);
        this.wake();
      });
    this.underWay.add(opened);
  }

  private took(work: RunWork, run: WorkedRun | Lack | 'busy'): void {
    if (run === 'busy') return;
    if (run instanceof WorkedRun) {
      this.lacking.delete(work.id);
      this.ready.set(work.id, run);
      this.settings.onLine(`works on run ${work.id}`);
      return;
    }
    if (this.lacking.get(work.id)?.reason !== run.reason) {
      this.settings.onLine(`run ${work.id} waits for another worker: ${run.reason}`);
    }
    this.lacking.set(work.id, { ...run, at: this.host.now() });
  }

  private async tell(): Promise<void> {
    const works = [...this.ready].flatMap(([id, { rows }]) => (rows === 0 ? [] : [[id, rows] as const]));
    const lacks = [...this.lacking].map(([id, { reason }]) => [id, reason] as const);
    await this.entry.tell(Object.fromEntries(works), Object.fromEntries(lacks));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { flow } of this.ready.values()) await flow[Symbol.asyncDispose]();
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
