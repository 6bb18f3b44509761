import type { ProjectHost } from '../host/project-host.ts';
import { lockState } from '../records/run-lock.ts';
import { listRunIds, runPath } from '../records/runs-folder.ts';
import type { LiveEvent, RunLine } from '../studio-contract/contract.ts';
import { recordStamp } from './held-run.ts';
import { readRunLine } from './run-line.ts';

export type LiveListener = (event: LiveEvent) => void;

/** Milliseconds from one look at the folder to the next. */
const lookMs = 500;

/** The runs of a folder, whichever process writes them: it is looked at while somebody listens. */
export class RunWatch implements Disposable {
  private readonly host: ProjectHost;
  private readonly lines = new Map<string, { readonly stamp: string; readonly line: RunLine }>();
  private readonly listeners = new Set<LiveListener>();
  private timer: NodeJS.Timeout | undefined;
  private known: ReadonlySet<string> | undefined;

  constructor(host: ProjectHost) {
    this.host = host;
  }

  /** Newest first. */
  async list(): Promise<readonly RunLine[]> {
    const lines: RunLine[] = [];
    for (const id of listRunIds(this.host.runsFolder)) {
      const line = await this.line(id);
      if (line !== undefined) lines.push(line);
    }
    return lines;
  }

  /** Undefined for one that was removed meanwhile. */
  async line(id: string, path: string = runPath(this.host.runsFolder, id)): Promise<RunLine | undefined> {
    const stamp = this.stampOf(path);
    const known = this.lines.get(path);
    // Of one that is under way time goes on.
    if (known?.stamp === stamp && known.line.status !== 'Running') return known.line;
    try {
      const line = await readRunLine(id, path, this.host);
      this.lines.set(path, { stamp, line });
      return line;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  listen(listener: LiveListener): Disposable {
    this.listeners.add(listener);
    if (this.timer === undefined) this.start();
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

  private stampOf(path: string): string {
    return `${recordStamp(path)} ${lockState(path)}`;
  }

  private start(): void {
    const ids = listRunIds(this.host.runsFolder);
    this.known = new Set(ids);
    const stamps = new Map(ids.map((id) => [id, this.stampOf(runPath(this.host.runsFolder, id))]));
    const look = (): void => {
      this.timer = setTimeout(() => void this.look(stamps).then(next), lookMs);
      this.timer.unref();
    };
    const next = (): void => {
      if (this.timer !== undefined) look();
    };
    look();
  }

  private stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.known = undefined;
  }

  private async look(stamps: Map<string, string>): Promise<void> {
    const ids = new Set(listRunIds(this.host.runsFolder));
    for (const id of this.known ?? []) {
      if (ids.has(id)) continue;
      stamps.delete(id);
      this.tell({ type: 'removed', run: id });
    }
    this.known = ids;
    for (const id of ids) {
      const stamp = this.stampOf(runPath(this.host.runsFolder, id));
      if (stamps.get(id) === stamp) continue;
      stamps.set(id, stamp);
      // A record may be in the middle of its birth or of its end: it is looked at again.
      const run = await this.line(id).catch(() => undefined);
      if (run === undefined) {
        stamps.delete(id);
        continue;
      }
      this.tell({ type: 'run', run });
      this.tell({ type: 'rows', run: id, rows: run.rows.value ?? 0 });
    }
  }
}
