import { RowPace } from '@unroll/engine';
import { defaultBulkSettings } from '../bulk/bulk-settings.ts';
import type { EngineCatalog } from '../host/engine-runs.ts';
import { requireInside } from '../host/inside-folder.ts';
import type { ProjectEvent } from '../host/project-event.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { projectOn } from '../library/open-project.ts';
import type { Operation } from '../library/operation.ts';
import type { Project } from '../library/project.ts';
import type { DatasetRunSettings } from '../library/settings.ts';
import { isAtEngine } from '../records/record-place.ts';
import type { Forecast, LiveRun, RunControl, RunRequest } from '../studio-contract/contract.ts';
import { forecastView } from './forecast-view.ts';
import type { Language } from './lens.ts';
import { placeOfRun } from './run-places.ts';

/** Runs over data that were begun here: they end with who began them, and can be stopped. */
export class BegunRuns implements AsyncDisposable {
  private readonly host: ProjectHost;
  private readonly project: Project;
  /** By id. */
  private readonly under = new Map<string, Begun>();
  /** How fast runs go that were begun here, by id: it stays when they are stopped and go on. */
  private readonly paces = new Map<string, RowPace>();
  private readonly changed: (place: string) => void;

  /** @param changed is told of the place of a run that begins no more rows, or more or fewer of them at a time */
  constructor(host: ProjectHost, changed: (place: string) => void = () => undefined) {
    this.host = host;
    this.changed = changed;
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
    const pace = this.paceOf(concurrency);
    const settings = { ...datasetSettings({ data, limit, name }), pace, signal: stop.signal };
    return await this.follow(this.project.runDataset(flow, settings), stop, pace);
  }

  /**
   * What a run would ask of models and what that costs; nothing is asked.
   *
   * @throws ProjectFailure where it could not begin
   */
  async forecast({ flow, ...asked }: RunRequest, language?: Language): Promise<Forecast> {
    requireInside('flow', flow, this.host);
    if (asked.data !== undefined) requireInside('data', asked.data, this.host);
    const { forecast, basis } = await this.project.plan(flow, datasetSettings(asked));
    return forecastView(forecast, basis, language);
  }

  /** A run that is under way here: whether it can be stopped still, and how many rows at a time it runs. */
  about(run: string): { readonly canStop: boolean; readonly concurrency: number } | undefined {
    const begun = this.under.get(run);
    if (begun === undefined) return undefined;
    return { canStop: !begun.stop.signal.aborted, concurrency: begun.pace.rows };
  }

  /** @throws ProjectFailure where it is not under way here, or cannot go on */
  async control(run: string, asked: RunControl): Promise<LiveRun> {
    const place = await placeOfRun(run, this.host);
    const { engine } = this.host;
    if (place !== undefined && isAtEngine(place) && engine !== undefined) {
      return await controlAtEngine(run, asked, await engine.catalog());
    }
    if (asked.do === 'resume') return await this.goOn(run, asked.retryFailed);
    const begun = this.under.get(run);
    if (begun === undefined) {
      throw new ProjectFailure(`run ${run} was not begun here`, { code: 'NotOurs', help: 'Who began it can stop it.' });
    }
    if (asked.do === 'pace') begun.pace.rows = asked.concurrency;
    else begun.stop.abort();
    if (place !== undefined) this.changed(place);
    if (asked.do === 'stop') await begun.ended;
    return { run };
  }

  private async goOn(run: string, retryFailed: boolean): Promise<LiveRun> {
    // A record may say that it was stopped a moment before whoever wrote it has left it.
    await this.settled(run);
    const stop = new AbortController();
    const pace = this.paces.get(run) ?? this.paceOf(undefined);
    const settings = { pace, signal: stop.signal };
    const going = retryFailed ? this.project.retryFailed(run, settings) : this.project.resume(run, settings);
    return await this.follow(going, stop, pace);
  }

  /** @param asked rows at a time; as many as runs in the terminal where nobody says */
  paceOf(asked: number | undefined): RowPace {
    return new RowPace(asked ?? defaultBulkSettings(this.host).concurrency);
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
  async follow(going: Operation<ProjectEvent, unknown>, stop: AbortController, pace: RowPace): Promise<LiveRun> {
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
    this.under.set(id, { stop, ended: settled, pace });
    this.paces.set(id, pace);
    return { run: id };
  }
}

/** What is done with a run on workers; its pace is theirs. */
async function controlAtEngine(run: string, asked: RunControl, catalog: EngineCatalog): Promise<LiveRun> {
  if (asked.do === 'stop') await catalog.stop(run);
  else if (asked.do === 'resume') await catalog.goOn(run, asked.retryFailed ? 'retry-failed' : 'resume');
  else throw new ProjectFailure(`the pace of run ${run} is that of its workers`, { code: 'NotOurs' });
  return { run };
}

function datasetSettings({ limit, ...asked }: Omit<RunRequest, 'flow'>): Omit<DatasetRunSettings, 'signal'> {
  const settings = { ...asked, ...(limit === undefined ? {} : { rows: `0-${limit - 1}` }) };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

interface Begun {
  readonly stop: AbortController;
  readonly ended: Promise<unknown>;
  readonly pace: RowPace;
}

function notBegun(): ProjectFailure {
  return new ProjectFailure('the run ended before it began', { code: 'NotBegun' });
}
