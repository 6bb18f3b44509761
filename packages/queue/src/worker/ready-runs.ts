import { thrownText } from '@unroll/engine';
import type { ProjectHost } from '@unroll/project';
import type { RunWork } from '../work/index.ts';
import { type Lack, openWorkedRun, type SharedByRuns } from './open-worked-run.ts';
import { WorkedRun } from './worked-run.ts';
import type { WorkerSettings } from './worker-settings.ts';

/** What a worker lacks is looked for again after so long. */
const lackMs = 5000;

interface Lacking extends Lack {
  readonly at: number;
}

/** The runs that a worker has made ready, and what it lacks for others. */
export class ReadyRuns implements AsyncDisposable {
  private readonly settings: WorkerSettings;
  private readonly host: ProjectHost;
  private readonly shared: SharedByRuns;
  private readonly onChange: () => void;
  private readonly ready = new Map<string, WorkedRun>();
  private readonly opening = new Map<string, Promise<void>>();
  private readonly lacking = new Map<string, Lacking>();

  /** @param onChange told when a run is ready, or turned out to be none that can be */
  constructor(settings: WorkerSettings, host: ProjectHost, shared: SharedByRuns, onChange: () => void) {
    this.settings = settings;
    this.host = host;
    this.shared = shared;
    this.onChange = onChange;
  }

  get(id: string): WorkedRun | undefined {
    return this.ready.get(id);
  }

  all(): readonly WorkedRun[] {
    return [...this.ready.values()];
  }

  /** By run, why this worker cannot run it. */
  lacks(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.lacking].map(([id, { reason }]) => [id, reason]));
  }

  /** Those that are being made ready. */
  underWay(): Iterable<Promise<void>> {
    return this.opening.values();
  }

  /** Makes a run ready, where it is not; other runs need not wait until it is. */
  open(work: RunWork): void {
    const { id } = work;
    const lacking = this.lacking.get(id);
    if (this.ready.has(id) || this.opening.has(id)) return;
    if (lacking !== undefined && (!lacking.canChange || this.host.now() - lacking.at < lackMs)) return;
    const opened = openWorkedRun(work, this.settings, this.host, this.shared)
      .catch((error: unknown): Lack => ({ reason: `it cannot be made ready: ${thrownText(error)}`, canChange: true }))
      .then((run) => this.took(work, run))
      .finally(() => {
        this.opening.delete(id);
        this.onChange();
      });
    this.opening.set(id, opened);
  }

  /** Runs that are over, or were begun again, are not kept. */
  async forget(open: readonly RunWork[]): Promise<void> {
    const known = new Map(open.map((run) => [run.id, run]));
    for (const id of [...this.lacking.keys()]) if (!known.has(id)) this.lacking.delete(id);
    for (const [id, run] of this.ready) {
      if (run.jobs.size > 0 || known.get(id)?.attempt === run.work.attempt) continue;
      this.ready.delete(id);
      await run.flow[Symbol.asyncDispose]();
    }
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

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { flow } of this.ready.values()) await flow[Symbol.asyncDispose]();
  }
}
