import { thrownText } from '@unroll/engine';
import { composeConnections, type ProjectHost } from '@unroll/project';
import type { Database } from '../database/database.ts';
import { isDisconnection, isPassing } from '../database/database-failure.ts';
import { type Jobs, openJobs, type TakenJob } from '../jobs/index.ts';
import { openSharedLimits } from '../limits/index.ts';
import { isRemoved, openRuns, settleRun, unlessRemoved } from '../work/index.ts';
import { doJob, type JobContext, JobLost } from './do-job.ts';
import type { SharedByRuns } from './open-worked-run.ts';
import { ReadyRuns } from './ready-runs.ts';
import { roomWatch } from './room-watch.ts';
import { RowSlots } from './row-slots.ts';
import { ToldLines } from './told-lines.ts';
import type { WorkedRun } from './worked-run.ts';
import { WorkerEntry, type WorkerReport } from './worker-entry.ts';
import type { WorkerSettings } from './worker-settings.ts';

/** How often a worker looks at all runs; between two looks it fills slots that become free with jobs of the runs it knows. */
const lookMs = 300;

/**
 * Takes jobs of runs that it can run, until it is told to end: rows in flight end then, the others are handed back.
 *
 * @throws ProjectFailure where its file of connections cannot be read, which every run would fail by
 */
export async function runWorker(settings: WorkerSettings, host: ProjectHost, database: Database): Promise<void> {
  if (settings.connectionsFile !== undefined) composeConnections(host, host.folder, settings.connectionsFile);
  const told = new ToldLines(settings.onLine);
  await using jobs = await openJobs(database, (message) => told.tell(`the queue: ${message}`));
  await using limits = openSharedLimits(database);
  await using worker = new Worker(settings, host, database, jobs, limits, told);
  await worker.work();
}

class Worker implements AsyncDisposable {
  private readonly settings: WorkerSettings;
  private readonly database: Database;
  private readonly jobs: Jobs;
  private readonly runs: ReadyRuns;
  private readonly entry: WorkerEntry;
  private readonly slots: RowSlots;
  private readonly onRetry: JobContext['onRetry'];
  /** Of the runs, those that may have a job for this worker, as far as the last look told; the oldest first. */
  private feeding: readonly WorkedRun[] = [];
  private readonly underWay = new Set<Promise<void>>();
  private readonly told: ToldLines;
  private isLost = false;
  /** Something has happened for which all runs are looked at at once. */
  private isLookDue = false;
  private wake: () => void = () => undefined;

  constructor(
    settings: WorkerSettings,
    host: ProjectHost,
    database: Database,
    jobs: Jobs,
    limits: SharedByRuns['limits'],
    told: ToldLines,
  ) {
    this.settings = settings;
    this.told = told;
    this.database = database;
    this.jobs = jobs;
    this.runs = new ReadyRuns(settings, host, { database, limits }, () => this.runsChanged());
    this.entry = new WorkerEntry(settings, database, jobs, () => toldOf(this.runs));
    this.onRetry = roomWatch(settings, database);
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
    await Promise.all([...this.underWay, ...this.runs.underWay()]);
    await this.reached(() => this.reportSpent());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.entry[Symbol.asyncDispose]();
    await this.runs[Symbol.asyncDispose]();
  }

  private runsChanged(): void {
    this.entry.tell();
    this.lookSoon();
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
      const isGone = isDisconnection(error);
      if (!isGone) this.told.tell(`PostgreSQL cannot do what it is asked, and is asked again: ${thrownText(error)}`);
      else if (!this.isLost) this.settings.onLine(`PostgreSQL is not reached, and tried again: ${thrownText(error)}`);
      this.isLost ||= isGone;
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
    await this.reportSpent();
    const runs = await openRuns(this.database, ({ message }) => this.told.tell(message));
    for (const run of this.runs.all()) {
      const { standing } = runs.find(({ number }) => number === run.work.number) ?? {};
      await unlessRemoved(run.work, this.database, () => run.learn(standing));
    }
    await this.runs.forget(runs);
    for (const run of runs) {
      // As long as a job of it is under way here there is nothing to settle.
      const isBusy = (this.runs.get(run.id)?.jobs.size ?? 0) > 0;
      if (run.standing.state === 'stopping' || !isBusy)
        await unlessRemoved(run, this.database, () => settleRun(run, this.jobs, this.database));
      if (run.standing.state === 'running') this.runs.open(run);
    }
    this.feeding = runs.flatMap(({ id, standing }) => (standing.state === 'running' ? (this.runs.get(id) ?? []) : []));
    await this.takeReturned();
    await this.feed(performance.now() + lookMs);
  }

  private async reportSpent(): Promise<void> {
    for (const run of this.runs.all()) await unlessRemoved(run.work, this.database, () => run.reportSpent());
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

  /**
   * What has come back from other workers is taken beside what is in hand here, with each look one job of a run; none as long as rows of
   * such a job wait here for a slot, so that all workers take their part.
   */
  private async takeReturned(): Promise<void> {
    for (const run of this.feeding) {
      if (this.slots.doLostWait || this.settings.signal.aborted) return;
      const { returned } = run.standing;
      if (run.stopping.signal.aborted || run.returned === returned) continue;
      const job = await this.jobs.takeReturned(run.work.id);
      if (job === undefined) {
        run.returned = returned;
        continue;
      }
      await this.begin(run, job);
      // There may be more.
      this.isLookDue = true;
    }
  }

  private async begin(run: WorkedRun, job: TakenJob): Promise<void> {
    run.jobs.add(job);
    this.entry.tell();
    const begun = Promise.withResolvers<void>();
    const done = doJob(run, job, this.context(begun.resolve))
      .catch((error: unknown) => this.reportFailed(error, run))
      .finally(() => {
        run.jobs.delete(job);
        begun.resolve();
        this.underWay.delete(done);
        // The run may be over.
        if (run.jobs.size === 0) this.lookSoon();
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
    const { jobs, database, slots, settings, onRetry } = this;
    return { jobs, database, slots, name: settings.name, stop: settings.signal, onBegun, onRetry };
  }

  private async reportFailed(error: unknown, { work }: WorkedRun): Promise<void> {
    const reason = error instanceof JobLost ? 'it was given to another worker' : thrownText(error);
    const isGone = await isRemoved(work, this.database);
    this.settings.onLine(`a job of run ${work.id} is left: ${isGone ? 'the run was removed meanwhile' : reason}`);
  }
}

function toldOf(runs: ReadyRuns): WorkerReport {
  const ready = runs.all();
  return {
    works: Object.fromEntries(ready.flatMap(({ work, rows }) => (rows === 0 ? [] : [[work.id, rows]]))),
    doing: Object.fromEntries(ready.flatMap((run) => (run.jobs.size === 0 ? [] : [[run.work.id, run.doing()]]))),
    lacks: runs.lacks(),
    jobs: ready.flatMap((run) => [...run.jobs].map(({ run: of, id, retryCount }) => ({ run: of, id, retryCount }))),
  };
}
