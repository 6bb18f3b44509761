import { setImmediate } from 'node:timers/promises';
import type { RunMarks } from '@unroll/engine';
import type { ProjectHost } from '../host/project-host.ts';
import { folderCatalog } from '../records/folder-catalog.ts';
import { marksOf, stampOf } from '../records/open-record.ts';
import { isAtEngine } from '../records/record-place.ts';
import type { LiveEvent, RunLine } from '../studio-contract/contract.ts';
import type { Language } from './lens.ts';
import { ReadingTime } from './reading-time.ts';
import { type RunFacts, readRunFacts, runLine } from './run-line.ts';
import { type SeenRun, seenRuns } from './run-places.ts';
import { workViewOf } from './work-view.ts';

export type LiveListener = (event: LiveEvent) => void;

/** Of a run that is under way here: whether it can be stopped still, how many rows at a time it was asked to run. */
type OurRuns = (run: string) => { readonly canStop: boolean; readonly concurrency?: number } | undefined;

/** What somebody listens for. */
interface Heard {
  /** That is looked at. */
  readonly run: string | undefined;
  readonly language: Language;
}

/** The runs there are, newest first, as far as they were read. */
interface ListedRuns {
  readonly lines: readonly RunLine[];
  /** Older ones that a later list reads. */
  readonly unread: number;
}

/** Milliseconds from one look at the runs to the next. */
const lookMs = 500;

/** The runs of a folder and of an engine, whoever writes them: they are looked at while somebody listens. */
export class RunWatch implements Disposable {
  private readonly host: ProjectHost;
  /** By place; sentences are made of them in each language. */
  private readonly facts = new Map<string, { readonly stamp: string; readonly facts: RunFacts }>();
  /** By place, how the record stood when it was last begun to be read: what came after is still to be told. */
  private readonly stamps = new Map<string, string>();
  private readonly listeners = new Map<LiveListener, Heard>();
  /** By run, as it was told last. */
  private readonly works = new Map<string, string>();
  private readonly ours: OurRuns;
  private readonly patienceMs: number;
  private watching: AbortController | undefined;

  /**
   * @param ours tells of runs that were begun here
   * @param patienceMs how long a list reads runs that are not known yet
   */
  constructor(host: ProjectHost, ours: OurRuns = () => undefined, patienceMs = 400) {
    this.host = host;
    this.patienceMs = patienceMs;
    this.ours = ours;
  }

  /** @param waits for all of them, as a list does of which some are on workers */
  async list(language: Language = 'en', waits = false): Promise<ListedRuns> {
    const lines: RunLine[] = [];
    const { host } = this;
    const time = new ReadingTime(waits || host.engine !== undefined ? Number.POSITIVE_INFINITY : this.patienceMs);
    let unread = 0;
    const marks = await allMarks(host);
    for (const [id, seen] of await seenRuns(host)) {
      if (!this.isKnown(seen) && time.isOver()) {
        unread += 1;
        continue;
      }
      const line = await this.seenLine(seen, language);
      if (line !== undefined) lines.push(marked(line, marks(id, seen)));
    }
    if (host.engine !== undefined) lines.sort((one, other) => other.startedAt - one.startedAt);
    return { lines, unread };
  }

  private isKnown({ place, stamp }: SeenRun): boolean {
    return this.facts.get(place)?.stamp === stamp;
  }

  /** Undefined for one that was removed meanwhile. */
  async line(place: string, language: Language = 'en'): Promise<RunLine | undefined> {
    return await this.markedLine({ place, stamp: await stampOf(place, this.host) }, language);
  }

  private async markedLine(seen: SeenRun, language: Language): Promise<RunLine | undefined> {
    const line = await this.seenLine(seen, language);
    return line === undefined ? undefined : marked(line, await marksOf(seen.place, this.host));
  }

  /** Without what is said of it: that changes while its record stays. */
  private async seenLine(seen: SeenRun, language: Language): Promise<RunLine | undefined> {
    try {
      return this.withOurs(runLine(await this.factsOf(seen), this.host.now(), language));
    } catch (error) {
      if (isGone(error)) return undefined;
      throw error;
    }
  }

  private async factsOf({ place, stamp }: SeenRun): Promise<RunFacts> {
    const known = this.facts.get(place);
    if (known?.stamp === stamp) return known.facts;
    this.stamps.set(place, stamp);
    // Records are read without a pause: what else is asked goes between two of them.
    await setImmediate();
    const facts = await readRunFacts(place, this.host);
    this.facts.set(place, { stamp, facts });
    return facts;
  }

  private withOurs(line: RunLine): RunLine {
    const about = this.ours(line.id);
    if (line.progress === undefined || about === undefined) return line;
    return { ...line, progress: { ...line.progress, isOurs: true, ...about } };
  }

  /** @param run that is looked at: also who works on it is told */
  listen(
    listener: LiveListener,
    { run, language = 'en' }: { readonly run?: string | undefined; readonly language?: Language } = {},
  ): Disposable {
    this.listeners.set(listener, { run, language });
    if (this.watching === undefined) this.start();
    return {
      [Symbol.dispose]: () => {
        this.listeners.delete(listener);
        if (this.listeners.size === 0) this.stop();
      },
    };
  }

  /** Tells everybody who listens how the run there stands now. */
  async reportPlace(place: string): Promise<void> {
    await this.reportRun({ place, stamp: await stampOf(place, this.host) });
  }

  /** Tells everybody who listens of a run, each in their language. @returns undefined where it is gone, or cannot be read yet */
  private async reportRun(seen: SeenRun): Promise<RunLine | undefined> {
    const languages = new Set([...this.listeners.values()].map(({ language }) => language));
    let line: RunLine | undefined;
    for (const language of languages) {
      const run = await this.markedLine(seen, language).catch(() => undefined);
      if (run === undefined) return undefined;
      line = run;
      for (const [listener, heard] of this.listeners) if (heard.language === language) listener({ type: 'run', run });
    }
    return line;
  }

  /** Tells everybody who listens. */
  tell(event: LiveEvent): void {
    for (const listener of this.listeners.keys()) listener(event);
  }

  [Symbol.dispose](): void {
    this.stop();
    this.listeners.clear();
  }

  private start(): void {
    let known: ReadonlyMap<string, SeenRun> | undefined;
    const watching = new AbortController();
    this.watching = watching;
    const look = async (): Promise<void> => {
      if (watching.signal.aborted) return;
      try {
        const seen = await seenRuns(this.host);
        known = await this.reportNew(seen, known ?? this.asRead(seen));
        await this.reportWork(seen);
      } catch {
        // Not reached, or in the middle of its birth or of its end: it is looked at again.
      }
    };
    const next = (): void => {
      if (!watching.signal.aborted) setTimeout(() => void look().then(next), lookMs).unref();
    };
    void look().then(next);
  }

  private stop(): void {
    this.watching?.abort();
    this.watching = undefined;
  }

  /** Who begins to listen has asked before for what there was: a run that was read then may be another by now. */
  private asRead(seen: ReadonlyMap<string, SeenRun>): ReadonlyMap<string, SeenRun> {
    return new Map([...seen].map(([id, one]) => [id, { ...one, stamp: this.stamps.get(one.place) ?? one.stamp }]));
  }

  /** @returns what is known now; a run that cannot be read yet is looked at again */
  private async reportNew(
    seen: ReadonlyMap<string, SeenRun>,
    known: ReadonlyMap<string, SeenRun>,
  ): Promise<ReadonlyMap<string, SeenRun>> {
    const now = new Map(seen);
    for (const id of known.keys()) if (!seen.has(id)) this.tell({ type: 'removed', run: id });
    for (const [id, one] of seen) {
      if (known.get(id)?.stamp === one.stamp) continue;
      const run = await this.reportRun(one);
      if (run === undefined) {
        now.set(id, { ...one, stamp: '' });
        continue;
      }
      this.tell({ type: 'rows', run: id, rows: run.rows.value ?? 0 });
    }
    return now;
  }

  /** What is done by workers changes also where no row ends. */
  private async reportWork(seen: ReadonlyMap<string, SeenRun>): Promise<void> {
    for (const run of new Set([...this.listeners.values()].map((heard) => heard.run))) {
      const place = run === undefined ? undefined : seen.get(run)?.place;
      const work = place === undefined ? undefined : await workViewOf(place, this.host);
      const json = JSON.stringify(work);
      if (run === undefined || work === undefined || this.works.get(run) === json) continue;
      this.works.set(run, json);
      this.tell({ type: 'work', run, work });
    }
  }
}

/** What is said of a run, by its id and where it is. */
async function allMarks({
  runsFolder,
  engine,
}: ProjectHost): Promise<(id: string, seen: SeenRun) => RunMarks | undefined> {
  const here = await folderCatalog(runsFolder).marks();
  const there = (await (await engine?.catalog())?.marks()) ?? new Map<string, RunMarks>();
  return (id, { place }) => (isAtEngine(place) ? there : here).get(id);
}

function marked(line: RunLine, marks: RunMarks | undefined): RunLine {
  return marks === undefined ? line : { ...line, ...marks };
}

/** Removed since it was seen. */
function isGone(error: unknown): boolean {
  const code = (error as { readonly code?: unknown }).code;
  return code === 'ENOENT' || code === 'RunNotFound';
}
