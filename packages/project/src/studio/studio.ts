import { basename } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { chooseRuns } from '../diff/choose-runs.ts';
import { recordedSince } from '../explain/explain-row.ts';
import { madeWith } from '../host/made-with.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { shownPath } from '../host/shown-path.ts';
import { catalogOf } from '../records/open-record.ts';
import { recordFailure } from '../records/record-failure.ts';
import { isAtEngine, runIdOf } from '../records/record-place.ts';
import { removeRun } from '../records/remove-run.ts';
import type { RowIndex } from '../row-index/row-index.ts';
import type { RowMarks } from '../row-index/row-scores.ts';
import type { RowPage, RowsPage, RunPage, RunsPage, Session, Value } from '../studio-contract/contract.ts';
import { BegunRuns } from './begun-runs.ts';
import { Chats } from './chats.ts';
import { chosenEvaluation } from './chosen-evaluation.ts';
import { Evaluations, type ScoredRecord } from './evaluations.ts';
import { firstRows } from './first-rows.ts';
import { type HeldRun, HeldRuns } from './held-run.ts';
import type { Lens, Seen, StudioSettings } from './lens.ts';
import { rowMarks } from './row-marks.ts';
import { rowPage, rowValue } from './row-page.ts';
import { type NarrowedRows, type RowsQuery, rowsPage, sortedPlaces } from './rows-page.ts';
import { RunGates } from './run-gates.ts';
import { runPage } from './run-page.ts';
import { type LiveListener, RunWatch } from './run-watch.ts';
import { type RunsQuery, runsPage } from './runs-page.ts';
import { WorkUnderWay } from './work-under-way.ts';

/** How long a page waits for what takes long at many rows; then it comes without, and `ready` tells when it is there. */
const patienceMs = 250;
/** A page asks for what it shows first within this time. */
const firstViewMs = 400;

/** Looks at the runs of a project: what its pages show, by one code for server, export and tests. */
export class Studio implements AsyncDisposable {
  readonly host: ProjectHost;
  readonly evaluations: Evaluations;
  readonly held: HeldRuns;
  readonly begun: BegunRuns;
  readonly chats: Chats;
  private readonly settings: StudioSettings;
  private readonly watched: RunWatch;
  private readonly gates: RunGates;
  private readonly marks = new Map<string, Marked>();
  private readonly waiting = new Set<string>();
  private readonly work = new WorkUnderWay();

  constructor(host: ProjectHost, settings: StudioSettings) {
    this.host = host;
    this.settings = settings;
    this.evaluations = new Evaluations(host);
    this.held = new HeldRuns(host);
    this.begun = new BegunRuns(host);
    this.chats = new Chats(host);
    this.watched = new RunWatch(host, (run) => this.begun.about(run));
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
    return runsPage(await this.gates.of(await this.watched.list(), this.settings.isExport), query);
  }

  async run(id: string, lens: Lens): Promise<RunPage> {
    return await this.reading(async () => {
      const run = await this.held.open(id);
      const line = await this.watched.line(run.path);
      if (line === undefined) throw new ProjectFailure(`run ${id} was removed`, { code: 'RunRemoved' });
      const indexed = await this.indexOf(run, line.status === 'Running');
      const seen = await this.lensOf(run, lens);
      return await runPage({
        line,
        info: run.reader.info,
        index: indexed ?? run.indexNow(),
        scored: seen.scored,
        against: (await this.againstOf(run, lens, seen.scored))?.id,
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
      const { scored } = await this.lensOf(run, query);
      const indexed = await this.indexOf(run, query.isFresh);
      const first = indexed === undefined ? await firstRows(run.reader, query) : undefined;
      if (first !== undefined) return first;
      const index = indexed ?? (await run.index());
      return await rowsPage({ reader: run.reader, ...this.marksOf(id, index, scored) }, query);
    });
  }

  async row(
    id: string,
    place: { readonly line: number; readonly repeat: number },
    query: RowsQuery & Lens,
  ): Promise<RowPage> {
    return await this.reading(async () => {
      const run = await this.held.open(id);
      const { scored } = await this.lensOf(run, query);
      const index = await this.indexOf(run);
      const marks = index === undefined ? undefined : this.marksOf(id, index, scored).marks;
      return await rowPage({
        ...{ run, ...place, index, scored },
        marks: marks ?? { scores: new Map(), firstBad: new Map(), labels: new Map() },
        places: index === undefined || marks === undefined ? undefined : sortedPlaces({ index, marks }, query),
        against: await this.againstOf(run, query, scored),
        since: await this.openOrNone(recordedSince(run.reader)),
        host: this.host,
      });
    });
  }

  async value(id: string, place: { readonly line: number; readonly repeat: number }, ref: string): Promise<Value> {
    return await this.reading(async () => {
      const { reader } = await this.held.open(id);
      return await rowValue(reader, place.line, place.repeat, ref);
    });
  }

  /** @throws ProjectFailure where a process is at work on it */
  async remove(id: string): Promise<void> {
    const place = await this.held.placeOf(id);
    await this.held.drop(id);
    if (isAtEngine(place)) await (await catalogOf(place, this.host)).remove(id);
    else removeRun(place, id);
  }

  listen(listener: LiveListener): Disposable {
    return this.watched.listen(listener);
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
    if (isAtOnce) return await this.orPending(run.id, run.index(isFresh));
    const reading = this.work.over(firstViewMs).then(() => run.index(isFresh));
    return await this.orPending(run.id, reading, 0);
  }

  /** @returns undefined where it takes long; the page is told once it is there */
  private async orPending<T>(id: string, work: Promise<T>, patience = patienceMs): Promise<T | undefined> {
    if (this.settings.isExport) return await work;
    const over = new AbortController();
    const late = setTimeout(patience, undefined, { signal: over.signal }).catch(() => undefined);
    const done = await Promise.race([work, late]).finally(() => over.abort());
    if (done === undefined && !this.waiting.has(id)) {
      this.waiting.add(id);
      const tell = (): void => {
        this.waiting.delete(id);
        this.watched.tell({ type: 'ready', run: id });
      };
      work.then(tell, tell);
    }
    return done;
  }

  private async lensOf(run: HeldRun, { evaluation, against }: Lens): Promise<Seen> {
    const evaluations = await this.evaluations.ofRun(run.reader.info);
    const chosen = chosenEvaluation(evaluation, evaluations, run);
    if (chosen === undefined) return { evaluations, isPending: false };
    try {
      const other = against === undefined || against === 'none' ? undefined : (await this.held.open(against)).path;
      const scored = await this.orPending(run.id, this.evaluations.score(chosen, run.path, other));
      return scored === undefined ? { evaluations, isPending: true } : { evaluations, scored, isPending: false };
    } catch (error) {
      if (!(error instanceof ProjectFailure)) throw error;
      return {
        evaluations,
        problem: error.help === undefined ? error.message : `${error.message}. ${error.help}`,
        isPending: false,
      };
    }
  }

  /** The run asked for, else that of the baseline, else the one before it over the same data. */
  private async againstOf(
    run: HeldRun,
    { against }: Lens,
    scored: ScoredRecord | undefined,
  ): Promise<HeldRun | undefined> {
    if (against === 'none') return undefined;
    if (against !== undefined) return await this.held.open(against);
    const named = [scored?.against, recordedSince(run.reader)].filter((id) => id !== run.id);
    for (const id of named) {
      const held = await this.openOrNone(id);
      if (held !== undefined) return held;
    }
    const before = await chooseRuns([undefined, run.id], this.host).catch(() => undefined);
    return before === undefined ? undefined : await this.openOrNone(runIdOf(before.before));
  }

  /** A run that was named long ago may be gone, or damaged. */
  private async openOrNone(id: string | undefined): Promise<HeldRun | undefined> {
    return id === undefined ? undefined : await this.held.open(id).catch(() => undefined);
  }

  private marksOf(id: string, index: RowIndex, scored: ScoredRecord | undefined): Marked {
    const known = this.marks.get(id);
    if (known !== undefined && known.index === index && known.scored === scored) return known;
    const marked = { index, scored, marks: rowMarks(index, scored), kept: new Map<string, NarrowedRows>() };
    this.marks.set(id, marked);
    for (const old of [...this.marks.keys()].slice(0, -8)) this.marks.delete(old);
    return marked;
  }
}

interface Marked {
  readonly index: RowIndex;
  readonly scored: ScoredRecord | undefined;
  readonly marks: RowMarks;
  readonly kept: Map<string, NarrowedRows>;
}
