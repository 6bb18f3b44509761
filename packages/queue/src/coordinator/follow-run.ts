import type { RunReader } from '@unroll/engine';
import { thrownText } from '@unroll/engine';
import { notify, type ProjectHost, type RunRecord } from '@unroll/project';
import type { Database } from '../database/database.ts';
import { isPassing } from '../database/database-failure.ts';
import type { Jobs } from '../jobs/index.ts';
import { readPaces } from '../limits/index.ts';
import { openRunReader } from '../record/postgres-run-reader.ts';
import {
  beginning,
  type Cursor,
  endedRows,
  findRunWork,
  lastSilentWorker,
  listWorkers,
  notesAfter,
  type RunWork,
  settledCursor,
  settleRun,
} from '../work/index.ts';
import { RunProgress } from './run-progress.ts';

export interface FollowSettings {
  readonly record: RunRecord;
  /** Whether it went on just now: what ended before is counted, and not told row by row. */
  readonly isResumed: boolean;
  /** Aborted: nobody follows it any more, and the run goes on. */
  readonly leave?: AbortSignal | undefined;
  /** Aborted: the wish is passed on once, and the run followed to its end. */
  readonly stop?: AbortSignal | undefined;
  readonly onStop?: (run: RunWork) => Promise<void>;
}

/** Where PostgreSQL has no room, workers live and cannot say so there. */
async function noWorkerText(database: Database): Promise<string> {
  const last = await lastSilentWorker(database);
  const start = 'flow worker --engine with the same address starts';
  if (last === undefined) return `no worker is there: ${start} one`;
  const why = 'has ended without a word or cannot write to PostgreSQL, which it says itself';
  return `no worker is heard of any more; the last one, ${last.name} on ${last.host}, ${why}: ${start} another`;
}

/** Who leaves a run to the workers hears where there are none, or none of the version that the run was begun with. */
export async function reportNoWorker(version: string, database: Database, host: ProjectHost): Promise<void> {
  const versions = [...new Set((await listWorkers(database)).map((worker) => worker.version))];
  if (versions.includes(version)) return;
  const others = `no worker of Unroll ${version} is there, only of ${versions.join(', ')}`;
  const message =
    versions.length === 0
      ? await noWorkerText(database)
      : `${others}: a run waits for workers of the version it was begun with`;
  notify(host, { kind: 'warning', message });
}

/** How often the database is asked what is new. */
const lookMs = 300;

/**
 * Follows a run until nobody works on it any more, and tells what happens as an ordinary run over data does. Following changes nothing;
 * any number may follow one run.
 *
 * @returns how it stands then; undefined where it was left
 */
export async function followRun(
  run: RunWork,
  settings: FollowSettings,
  jobs: Jobs,
  database: Database,
  host: ProjectHost,
): Promise<RunWork | undefined> {
  await using reader = await openRunReader(database, run.id);
  const follower = new Follower(run, settings, reader, database, host);
  return await follower.follow(jobs);
}

class Follower {
  private run: RunWork;
  private readonly settings: FollowSettings;
  private readonly database: Database;
  private readonly host: ProjectHost;
  private readonly progress: RunProgress;
  private cursor: Cursor = beginning;
  private lastNote = 0;
  private readonly warned = new Set<string>();
  private isStopTold = false;
  private isLost = false;
  /** Rows that were told since the cursor: a look that broke off is made again. */
  private readonly toldRows = new Set<string>();
  private reportsRows: boolean;

  constructor(run: RunWork, settings: FollowSettings, reader: RunReader, database: Database, host: ProjectHost) {
    this.run = run;
    this.settings = settings;
    this.database = database;
    this.host = host;
    this.reportsRows = !settings.isResumed;
    this.progress = new RunProgress(run.info, reader, host.steadyNow() - run.standing.elapsedMs, host);
  }

  async follow(jobs: Jobs): Promise<RunWork | undefined> {
    const { leave, stop, onStop } = this.settings;
    this.reportStarted();
    let isStopped = false;
    const step = async (): Promise<boolean> => {
      if (stop?.aborted === true && !isStopped) {
        await onStop?.(this.run);
        isStopped = true;
      }
      // Looked at first: a server that takes no writes shows how the run stands all the same.
      const isOver = await this.look();
      if (!isOver) await settleRun(this.run, jobs, this.database);
      return isOver;
    };
    for (;;) {
      const isOver = await this.reached(step);
      if (isOver || leave?.aborted === true) {
        this.host.report({ type: 'rows-ended', stopped: this.run.standing.state !== 'ended' });
        return isOver ? this.run : undefined;
      }
      await pause([leave, stop?.aborted === true ? undefined : stop]);
    }
  }

  /** @returns false where the database is not reached: the run goes on there, and is looked at again */
  private async reached(step: () => Promise<boolean>): Promise<boolean> {
    try {
      const isOver = await step();
      this.isLost = false;
      return isOver;
    } catch (error) {
      if (!isPassing(error)) throw error;
      if (!this.isLost) {
        const failure = this.database.failureOf(error);
        const reason = thrownText(failure);
        notify(this.host, { kind: 'warning', message: `the run is looked at again once that can be: ${reason}` });
      }
      this.isLost = true;
      return false;
    }
  }

  private reportStarted(): void {
    const { info } = this.run;
    const { record, isResumed } = this.settings;
    this.host.report({
      type: 'run-started',
      kind: 'dataset',
      plan: { name: info.flowName },
      record,
      isResumed,
      data: info.data?.path,
      about: info.data?.path ?? info.flowPath,
      total: info.data?.total,
      progress: () => this.progress.view(this.host.steadyNow()),
    });
  }

  /** @returns whether the run is over, and all of it told */
  private async look(): Promise<boolean> {
    // Asked first: what was recorded before a run was over is found after.
    const found = await findRunWork(this.run.id, this.database);
    if (found === undefined) {
      this.reportOnce(`nobody works on run ${this.run.id} any more: somebody removed its work from the database`);
      return true;
    }
    this.run = found;
    const { state } = found.standing;
    const isOver = state === 'ended' || state === 'stopped';
    await this.reportNotes();
    await this.lookAtWorkers(isOver);
    await this.reportRows(isOver);
    this.reportStopping();
    return isOver;
  }

  private async reportRows(isOver: boolean): Promise<void> {
    const to = isOver ? undefined : await settledCursor(this.database);
    for await (const rows of endedRows(this.run, this.cursor, to, this.database)) {
      for (const ended of rows) {
        const key = `${ended.line} ${ended.repeat}`;
        if (this.toldRows.has(key)) continue;
        const row = await this.progress.rowEnded(ended);
        this.toldRows.add(key);
        if (this.reportsRows) this.host.report({ type: 'row-ended', row });
      }
    }
    this.reportsRows = true;
    if (to !== undefined) this.cursor = to;
    this.toldRows.clear();
  }

  private async reportNotes(): Promise<void> {
    for (const { number, message } of await notesAfter(this.run, this.lastNote, this.database)) {
      this.lastNote = number;
      notify(this.host, { kind: 'warning', message });
    }
  }

  private async lookAtWorkers(isOver: boolean): Promise<void> {
    const workers = await listWorkers(this.database);
    this.progress.workersSeen(isOver ? [] : workers, isOver ? [] : await readPaces(this.database));
    if (isOver) return;
    if (workers.length === 0) this.reportOnce(await noWorkerText(this.database));
    for (const { name, host, lacks } of workers) {
      const lack = lacks[this.run.id];
      if (lack !== undefined) this.reportOnce(`worker ${name} on ${host} cannot run it: ${lack}`);
    }
  }

  private reportOnce(message: string): void {
    if (this.warned.has(message)) return;
    this.warned.add(message);
    notify(this.host, { kind: 'warning', message });
  }

  private reportStopping(): void {
    const { state, budgetText } = this.run.standing;
    if (state !== 'stopping' || this.isStopTold) return;
    this.isStopTold = true;
    this.host.report({ type: 'run-stopping', budget: budgetText });
  }
}

async function pause(signals: readonly (AbortSignal | undefined)[]): Promise<void> {
  const given = signals.filter((signal) => signal !== undefined);
  await new Promise<void>((resolve) => {
    const ended = new AbortController();
    const done = (): void => {
      clearTimeout(timer);
      ended.abort();
      resolve();
    };
    const timer = setTimeout(done, lookMs);
    for (const signal of given) signal.addEventListener('abort', done, { once: true, signal: ended.signal });
  });
}
