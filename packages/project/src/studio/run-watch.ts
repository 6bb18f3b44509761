import type { ProjectHost } from '../host/project-host.ts';
import { stampOf } from '../records/open-record.ts';
import type { LiveEvent, RunLine } from '../studio-contract/contract.ts';
import { readRunLine } from './run-line.ts';
import { type SeenRun, seenRuns } from './run-places.ts';

export type LiveListener = (event: LiveEvent) => void;

/** Of a run that can be stopped here: how many rows at a time it was asked to run. */
type OurRuns = (run: string) => { readonly concurrency?: number } | undefined;

/** Milliseconds from one look at the runs to the next. */
const lookMs = 500;

/** The runs of a folder and of an engine, whoever writes them: they are looked at while somebody listens. */
export class RunWatch implements Disposable {
  private readonly host: ProjectHost;
  private readonly lines = new Map<string, { readonly stamp: string; readonly line: RunLine }>();
  private readonly listeners = new Set<LiveListener>();
  private readonly ours: OurRuns;
  private watching: AbortController | undefined;

  /** @param ours tells of runs that were begun here */
  constructor(host: ProjectHost, ours: OurRuns = () => undefined) {
    this.host = host;
    this.ours = ours;
  }

  /** Newest first. */
  async list(): Promise<readonly RunLine[]> {
    const lines: RunLine[] = [];
    for (const seen of (await seenRuns(this.host)).values()) {
      const line = await this.seenLine(seen);
      if (line !== undefined) lines.push(line);
    }
    if (this.host.engine === undefined) return lines;
    return lines.sort((one, other) => other.startedAt - one.startedAt);
  }

  /** Undefined for one that was removed meanwhile. */
  async line(place: string): Promise<RunLine | undefined> {
    return await this.seenLine({ place, stamp: await stampOf(place, this.host) });
  }

  private async seenLine({ place, stamp }: SeenRun): Promise<RunLine | undefined> {
    const known = this.lines.get(place);
    // Of one that is under way time goes on.
    if (known?.stamp === stamp && known.line.status !== 'Running') return known.line;
    try {
      const line = this.withOurs(await readRunLine(place, this.host));
      this.lines.set(place, { stamp, line });
      return line;
    } catch (error) {
      if (isGone(error)) return undefined;
      throw error;
    }
  }

  private withOurs(line: RunLine): RunLine {
    const about = this.ours(line.id);
    if (line.progress === undefined || about === undefined) return line;
    return { ...line, progress: { ...line.progress, isOurs: true, ...about } };
  }

  listen(listener: LiveListener): Disposable {
    this.listeners.add(listener);
    if (this.watching === undefined) this.start();
    return {
      [Symbol.dispose]: () => {
        this.listeners.delete(listener);
        if (this.listeners.size === 0) this.stop();
      },
    };
  }

  /** Tells everybody who listens. */
  tell(event: LiveEvent): void {
    for (const listener of this.listeners) listener(event);
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
        // What was there when somebody began to listen was asked for before.
        known = known === undefined ? seen : await this.tellNew(seen, known);
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

  /** @returns what is known now; a run that cannot be read yet is looked at again */
  private async tellNew(
    seen: ReadonlyMap<string, SeenRun>,
    known: ReadonlyMap<string, SeenRun>,
  ): Promise<ReadonlyMap<string, SeenRun>> {
    const now = new Map(seen);
    for (const id of known.keys()) if (!seen.has(id)) this.tell({ type: 'removed', run: id });
    for (const [id, one] of seen) {
      if (known.get(id)?.stamp === one.stamp) continue;
      const run = await this.seenLine(one).catch(() => undefined);
      if (run === undefined) {
        now.set(id, { ...one, stamp: '' });
        continue;
      }
      this.tell({ type: 'run', run });
      this.tell({ type: 'rows', run: id, rows: run.rows.value ?? 0 });
    }
    return now;
  }
}

/** Removed since it was seen. */
function isGone(error: unknown): boolean {
  const code = (error as { readonly code?: unknown }).code;
  return code === 'ENOENT' || code === 'RunNotFound';
}
