import { requireInside } from '../host/inside-folder.ts';
import type { ProjectEvent } from '../host/project-event.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { projectOn } from '../library/open-project.ts';
import type { Operation } from '../library/operation.ts';
import type { Project } from '../library/project.ts';
import type { DatasetRunSettings } from '../library/settings.ts';
import type { Forecast, LiveRun, RunControl, RunRequest } from '../studio-contract/contract.ts';
import { forecastView } from './forecast-view.ts';

/** Runs over data that were begun here: they end with who began them, and can be stopped. */
export class BegunRuns implements AsyncDisposable {
  private readonly host: ProjectHost;
  private readonly project: Project;
  /** By id. */
  private readonly under = new Map<string, Begun>();

  constructor(host: ProjectHost) {
    this.host = host;
    this.project = projectOn(host);
  }

  /**
   * Resolves once its record is there; what becomes of its rows is told by the record.
   *
   * @throws ProjectFailure where it cannot begin: the flow has mistakes, the data cannot be read …
   */
  async begin({ flow, data, limit, concurrency, name }: RunRequest): Promise<LiveRun> {
    requireInside('flow', flow, this.host);
    if (data !== undefined) requireInside('data', data, this.host);
    const stop = new AbortController();
    const settings = { ...datasetSettings({ data, limit, concurrency, name }), signal: stop.signal };
    return await this.follow(this.project.runDataset(flow, settings), stop, concurrency);
  }

  /**
   * What a run would ask of models and what that costs; nothing is asked.
   *
   * @throws ProjectFailure where it could not begin
   */
  async forecast({ flow, ...asked }: RunRequest): Promise<Forecast> {
    requireInside('flow', flow, this.host);
    if (asked.data !== undefined) requireInside('data', asked.data, this.host);
    const { forecast, basis } = await this.project.plan(flow, datasetSettings(asked));
    return forecastView(forecast, basis);
  }

  /** A run that can be stopped here, and how many rows at a time it was asked to run. */
  about(run: string): { readonly concurrency?: number } | undefined {
    const begun = this.under.get(run);
    if (begun === undefined) return undefined;
    return begun.concurrency === undefined ? {} : { concurrency: begun.concurrency };
  }

  /** @throws ProjectFailure where it is not under way here, or cannot go on */
  async control(run: string, asked: RunControl): Promise<LiveRun> {
    if (asked.do === 'resume') return await this.goOn(run, asked.retryFailed);
    const begun = this.under.get(run);
    if (begun === undefined) {
      throw new ProjectFailure(`run ${run} was not begun here`, { code: 'NotOurs', help: 'Who began it can stop it.' });
    }
    begun.stop.abort();
    await begun.ended;
    if (asked.do === 'stop') return { run };
    // Rows in flight have ended; the others go on, so many at a time.
    return await this.goOn(run, false, asked.concurrency);
  }

  private async goOn(run: string, retryFailed: boolean, concurrency?: number): Promise<LiveRun> {
    // A record may say that it was stopped a moment before whoever wrote it has left it.
    await this.settled(run);
    const stop = new AbortController();
    const settings = { signal: stop.signal, ...(concurrency === undefined ? {} : { concurrency }) };
    const going = retryFailed ? this.project.retryFailed(run, settings) : this.project.resume(run, settings);
    return await this.follow(going, stop, concurrency);
  }

  /** Resolves once nobody is at work here on the run any more. */
  async settled(run: string): Promise<void> {
    await this.under.get(run)?.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { stop } of this.under.values()) stop.abort();
    await Promise.all([...this.under.values()].map(({ ended }) => ended));
  }

  /** Rows in flight finish; what they come to is in the record. */
  async follow(going: Operation<ProjectEvent, unknown>, stop: AbortController, concurrency?: number): Promise<LiveRun> {
    const started = Promise.withResolvers<string>();
    const ended = (async () => {
      for await (const event of going) if (event.type === 'run-started') started.resolve(event.record.id);
      await going.result;
    })();
    const id = await Promise.race([started.promise, ended.then(() => Promise.reject(notBegun()))]);
    const settled = ended.then(
      () => this.under.delete(id),
      () => this.under.delete(id),
    );
    this.under.set(id, { stop, ended: settled, concurrency });
    return { run: id };
  }
}

function datasetSettings({ limit, ...asked }: Omit<RunRequest, 'flow'>): Omit<DatasetRunSettings, 'signal'> {
  const settings = { ...asked, ...(limit === undefined ? {} : { rows: `0-${limit - 1}` }) };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

interface Begun {
  readonly stop: AbortController;
  readonly ended: Promise<unknown>;
  readonly concurrency: number | undefined;
}

function notBegun(): ProjectFailure {
  return new ProjectFailure('the run ended before it began', { code: 'NotBegun' });
}
