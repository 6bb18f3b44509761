import type { ProjectHost } from '@unroll/project';
import type { Database } from '../database/database.ts';
import { isPassing } from '../database/database-failure.ts';
import { type Jobs, openJobs, type TakenJob } from '../jobs/index.ts';
import { openSharedLimits, type SharedLimits } from '../limits/index.ts';
import { openRuns, type RunWork, settleRun } from '../work/index.ts';
import { doJob, type JobContext, JobLost } from './do-job.ts';
import { type Lack, openWorkedRun } from './open-worked-run.ts';
import { RowSlots } from './row-slots.ts';
import { WorkedRun } from './worked-run.ts';
import { WorkerEntry } from './worker-entry.ts';
import type { WorkerSettings } from './worker-settings.ts';

/** How often a worker looks at all runs; between two looks it fills slots that become free with jobs of the runs it knows. */
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
  /** Of these, those that may have a job for this worker, as far as the last look told; the oldest first. */
  private feeding: readonly WorkedRun[] = [];
  private readonly opening = new Set<string>();
  private readonly lacking = new Map<string, Lacking>();
  private readonly underWay = new Set<Promise<void>>();
  /** What was said once, and is not said with every look. */
  private readonly told = new Set<string>();
  private isLost = false;
  /** Something has happened for which all runs are looked at at once. */
  private isLookDue = false;
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
    this.slots = new RowSlots(settings.concurrency, () => this.wake());
  }

  async work(): Promise<void> {
    const { signal } = this.settings;
    signal.addEventListener('abort', () => this.wake(), { once: true });
    while (!signal.aborted) {
      this.isLookDue = false;
      const isReached = await this.reached(() => this.look());
      await this.feedUntil(performance.now() + lookMs, isReached);
    }
    while (this.underWay.size > 0) {
      await Promise.race([...this.underWay, this.pause(lookMs)]);
      await this.reached(() => this.tell());
    }
    await this.reached(() => this.tellSpent());
  }

  /** Slots that become free are filled at once, until all runs are to be looked at again. */
  private async feedUntil(lookAt: number, isReached: boolean): Promise<void> {
    let mayFeed = isReached;
    for (;;) {
      const leftMs = lookAt - performance.now();
      if (this.isLookDue || this.settings.signal.aborted || leftMs <= 0) return;
      if (mayFeed && this.isHungry()) mayFeed = await this.reached(() => this.feed(lookAt));
      else await this.pause(leftMs);
    }
  }

  /** Does what needs the database; where that is not reached, it is tried again later. */
  private async reached(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      if (this.isLost) this.settings.onLine('PostgreSQL is reached again');
      this.isLost = false;
      return true;
    } catch (error) {
      if (!isPassing(error)) throw error;
      if (!this.isLost) this.settings.onLine(`PostgreSQL is not reached, and tried again: ${textOf(error)}`);
      this.isLost = true;
      return false;
    }
  }

  private async pause(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private async look(): Promise<void> {
    await this.tellSpent();
    const runs = await openRuns(this.database, ({ message }) => this.tellOnce(message));
    for (const run of this.ready.values()) {
      await run.learn(runs.find(({ number }) => number === run.work.number)?.standing);
    }
    await this.forget(runs);
    for (const run of runs) {
      // As long as a job of it is under way here there is nothing to settle.
      const isBusy = (this.ready.get(run.id)?.jobs ?? 0) > 0;
      if (run.standing.state === 'stopping' || !isBusy) await settleRun(run, this.jobs, this.database);
      if (run.standing.state === 'running' && !this.ready.has(run.id)) this.open(run);
    }
    this.feeding = runs.flatMap(({ id, standing }) => (standing.state === 'running' ? (this.ready.get(id) ?? []) : []));
    await this.feed(performance.now() + lookMs);
    await this.tell();
  }

  private async tellSpent(): Promise<void> {
    for (const run of this.ready.values()) await run.tellSpent();
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

  private isHungry(): boolean {
    return this.feeding.length > 0 && this.slots.isHungry;
  }

  /** Takes jobs until every slot is taken; a run that has none is asked again after the next look. */
  private async feed(lookAt: number): Promise<void> {
    const { signal } = this.settings;
    while (this.isHungry() && !this.isLookDue && !signal.aborted && performance.now() < lookAt) {
      const [run] = this.feeding;
      if (run === undefined) return;
      const [job] = run.stopping.signal.aborted ? [] : await this.jobs.take(run.work.id, 1);
      if (job === undefined) this.feeding = this.feeding.filter((one) => one !== run);
      else await this.begin(run, job);
    }
  }

  private async begin(run: WorkedRun, job: TakenJob): Promise<void> {
    run.jobs += 1;
    const begun = Promise.withResolvers<void>();
    const done = doJob(run, job, this.context(begun.resolve))
      .catch((error: unknown) => this.tellFailed(error, run))
      .finally(() => {
        run.jobs -= 1;
        begun.resolve();
        this.underWay.delete(done);
        // The run may be over.
        if (run.jobs === 0) this.lookSoon();
      });
    this.underWay.add(done);
    // Its rows take their slots first: a job that waits here is one that no other worker runs.
    await begun.promise;
    await new Promise(setImmediate);
  }

  private lookSoon(): void {
    this.isLookDue = true;
    this.wake();
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
      .catch((error: unknown) =>
        this.took(work, { reason: `it cannot be made ready: ${textOf(error)}`, canChange: true }),
      )
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
      this.lookSoon();
      return;
    }
    if (this.lacking.get(work.id)?.reason !== run.reason) {
      this.settings.onLine(`run ${work.id} waits for another worker: ${run.reason}`);
    }
    this.lacking.set(work.id, { ...run, at: this.host.now() });
  }

  private tellOnce(line: string): void {
    if (this.told.has(line)) return;
    this.told.add(line);
    this.settings.onLine(line);
  }

  private async tell(): Promise<void> {
    const works = [...this.ready].flatMap(([id, { rows }]) => (rows === 0 ? [] : [[id, rows] as const]));
    const lacks = [...this.lacking].map(([id, { reason }]) => [id, reason] as const);
    const doing = [...this.ready].flatMap(([id, run]) => (run.jobs === 0 ? [] : [[id, run.doing()] as const]));
    const told = {
      works: Object.fromEntries(works),
      doing: Object.fromEntries(doing),
      lacks: Object.fromEntries(lacks),
    };
    await this.entry.tell(told);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { flow } of this.ready.values()) await flow[Symbol.asyncDispose]();
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
