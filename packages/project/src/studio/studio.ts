import { basename } from 'node:path';
import { shownPath } from '@unroll/engine';
import { recordedSince } from '../explain/explain-row.ts';
import { madeWith } from '../host/made-with.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { catalogOf, markRun } from '../records/open-record.ts';
import { recordFailure } from '../records/record-failure.ts';
import { isAtEngine } from '../records/record-place.ts';
import { removeRun } from '../records/remove-run.ts';
import type { RowIndex } from '../row-index/row-index.ts';
import { noMarks } from '../row-index/row-scores.ts';
import type {
  RowPage,
  RowsPage,
  RunLine,
  RunMarks,
  RunPage,
  RunsPage,
  Session,
  Value,
} from '../studio-contract/contract.ts';
import { againstRun, openOrNone } from './against-run.ts';
import { BegunRuns } from './begun-runs.ts';
import { Chats } from './chats.ts';
import { Evaluations } from './evaluations.ts';
import { firstRows } from './first-rows.ts';
import { HeldDiffs } from './held-diffs.ts';
import { type HeldRun, HeldRuns } from './held-run.ts';
import { KeptMarks } from './kept-marks.ts';
import { LabelledRows } from './labelled-rows.ts';
import type { Language, Lens, StudioSettings } from './lens.ts';
import { Lenses } from './lenses.ts';
import { Patience } from './patience.ts';
import { rowPage, rowValue } from './row-page.ts';
import { type RowsQuery, rowsPage, sortedPlaces } from './rows-page.ts';
import { RunGates } from './run-gates.ts';
import { runPage } from './run-page.ts';
import { type LiveListener, RunWatch } from './run-watch.ts';
import { type RunsQuery, runsPage } from './runs-page.ts';
import { WorkUnderWay } from './work-under-way.ts';
import { workViewOf } from './work-view.ts';

/** A page asks for what it shows first within this time. */
const firstViewMs = 400;

/** Looks at the runs of a project: what its pages show, by one code for server, export and tests. */
export class Studio implements AsyncDisposable {
  readonly host: ProjectHost;
  readonly evaluations: Evaluations;
  readonly held: HeldRuns;
  readonly diffs: HeldDiffs;
  readonly begun: BegunRuns;
  readonly chats: Chats;
  private readonly settings: StudioSettings;
  private readonly watched: RunWatch;
  private readonly gates: RunGates;
  private readonly marks = new KeptMarks();
  /** Rows with what their labels are kept under. */
  readonly labelled = new LabelledRows();
  private readonly patience: Patience;
  readonly lenses: Lenses;
  private readonly work = new WorkUnderWay();

  constructor(host: ProjectHost, settings: StudioSettings) {
    this.host = host;
    this.settings = settings;
    this.evaluations = new Evaluations(host, settings.scored);
    this.held = new HeldRuns(host, settings.records);
    this.diffs = new HeldDiffs(host, settings.compared);
    this.begun = new BegunRuns(host, (place) => void this.watched.reportPlace(place).catch(() => undefined));
    this.chats = new Chats(host);
    this.watched = new RunWatch(host, (run) => this.begun.about(run));
    this.patience = new Patience(settings.isExport ?? false, (run) => this.watched.tell({ type: 'ready', run }));
    this.lenses = new Lenses(this, this.patience);
    this.gates = new RunGates(this.evaluations, this.held, this.watched);
  }

  session(): Session {
    const { host, settings } = this;
    return {
      version: 1,
      release: madeWith().version,
      folder: basename(host.folder),
      runsFolder: shownPath(host.runsFolder, host.folder),
      isReadOnly: settings.isReadOnly,
      isExport: settings.isExport ?? false,
      opened: settings.opened,
    };
  }

  async runs(query: RunsQuery): Promise<RunsPage> {
    const { isExport: waits } = this.settings;
    const { language } = query;
    const { lines, unread } = await this.watched.list(language, waits);
    return runsPage(await this.gates.of(lines, { waits, language }), query, unread);
  }

  /**
   * What the list says of one run.
   *
   * @throws ProjectFailure where there is no such run
   */
  async line(id: string, language?: Language): Promise<RunLine> {
    const { path } = await this.held.open(id);
    const line = await this.watched.line(path, language);
    if (line === undefined) throw new ProjectFailure(`run ${id} was removed`, { code: 'RunRemoved' });
    return line;
  }

  /** What the list says of these runs, what their gates say among it, however long that takes. */
  async listed(ids: readonly string[], language?: Language): Promise<readonly RunLine[]> {
    // Two records may tell the same id.
    const lines = await Promise.all(ids.map(async (id) => ({ ...(await this.line(id, language)), id })));
    return await this.gates.of(lines, { waits: true, language });
  }

  async run(id: string, lens: Lens): Promise<RunPage> {
    return await this.reading(async () => {
      const run = await this.held.open(id);
      const line = await this.line(id, lens.language);
      const indexed = await this.indexOf(run, true);
      const seen = await this.lenses.of(run, lens);
      return await runPage({
        // Two records may tell the same id.
        line: { ...line, id },
        info: run.reader.info,
        work: await workViewOf(run.path, this.host),
        index: indexed ?? run.indexNow(),
        scored: seen.scored,
        against: (await againstRun(run, lens, seen.scored, this))?.id,
        language: lens.language,
        evaluations: seen.evaluations.map(({ path }) => path),
        evaluationProblem: seen.problem,
        pending: [
          ...(indexed === undefined ? (['rows'] as const) : []),
          ...(seen.isPending ? (['scores'] as const) : []),
        ],
      });
    });
  }

  async rows(id: string, query: RowsQuery & Lens & { readonly isFresh?: boolean }): Promise<RowsPage> {
    return await this.reading(async () => {
      const run = await this.held.open(id);
      const seen = await this.lenses.of(run, query);
      const indexed = await this.indexOf(run, query.isFresh);
      const first = indexed === undefined ? await firstRows(run.reader, query) : undefined;
      if (first !== undefined) return first;
      const index = indexed ?? (await run.index());
      return await rowsPage({ reader: run.reader, ...this.marks.of(id, index, seen) }, query);
    });
  }

  async row(
    id: string,
    place: { readonly line: number; readonly repeat: number },
    query: RowsQuery & Lens,
  ): Promise<RowPage> {
    return await this.reading(async () => {
      const run = await this.held.open(id);
      const seen = await this.lenses.of(run, query);
      const { scored } = seen;
      const index = await this.indexOf(run);
      const marks = index === undefined ? undefined : this.marks.of(id, index, seen).marks;
      return await rowPage({
        ...{ run, ...place, index, scored },
        isPending: seen.isPending || index === undefined,
        marks: marks ?? noMarks,
        places: index === undefined || marks === undefined ? undefined : sortedPlaces({ index, marks }, query),
        against: await againstRun(run, query, scored, this),
        since: await openOrNone(recordedSince(run.reader), this.held),
        host: this.host,
        language: query.language,
      });
    });
  }

  async value(id: string, place: { readonly line: number; readonly repeat: number }, ref: string): Promise<Value> {
    return await this.reading(async () => {
      const { reader } = await this.held.open(id);
      return await rowValue(reader, place.line, place.repeat, ref);
    });
  }

  /** Says something of a run, and tells everybody who looks at the runs. */
  async mark(id: string, change: RunMarks): Promise<RunLine> {
    const place = await this.held.placeOf(id);
    await markRun(place, change, this.host);
    await this.watched.reportPlace(place);
    return await this.line(id);
  }

  /** @throws ProjectFailure where a process is at work on it */
  async remove(id: string): Promise<void> {
    const place = await this.held.placeOf(id);
    await this.held.drop(id);
    if (isAtEngine(place)) await (await catalogOf(place, this.host)).remove(id);
    else removeRun(place, id);
  }

  /** @param heard the run that is looked at, and the language in which sentences are told */
  listen(
    listener: LiveListener,
    heard: { readonly run?: string | undefined; readonly language?: Language } = {},
  ): Disposable {
    return this.watched.listen(listener, heard);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.watched[Symbol.dispose]();
    await this.begun[Symbol.asyncDispose]();
    await this.chats[Symbol.asyncDispose]();
    await this.held[Symbol.asyncDispose]();
  }

  private async reading<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await this.work.during(read);
    } catch (error) {
      throw recordFailure(error);
    }
  }

  /** A large record is read once what is shown without it was given: until its tables were looked at, nothing else is answered. */
  private async indexOf(run: HeldRun, isFresh = false): Promise<RowIndex | undefined> {
    const isAtOnce = this.settings.isExport || run.indexNow() !== undefined || !(await run.isLarge());
    if (isAtOnce) return await this.patience.with(run.id, run.index(isFresh));
    const reading = this.work.over(firstViewMs).then(() => run.index(isFresh));
    return await this.patience.with(run.id, reading, 0);
  }
}
