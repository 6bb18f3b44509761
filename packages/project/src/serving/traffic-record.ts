import { markedInexact, type RowResult, type RunLog, type RunnableFlow } from '@unroll/engine';
import type { FoundFlow } from '../flows/find-flow.ts';
import { notify, type ProjectHost } from '../host/project-host.ts';
import { reasonOf } from '../host/refusal.ts';
import { type RecordedRun, type RecordSettings, recordRun } from '../records/record-run.ts';
import { lockRun, type RunLock } from '../records/run-lock.ts';

/** No answer waits for its record, and each commit takes the event loop from those under way. */
const commitEveryMs = 100;

/** Where a request is, or will be, on record. */
export interface RequestPlace {
  readonly run: string;
  /** Number of its row, from 0. */
  readonly line: number;
}

/** Takes down one request when it has ended. */
export interface RequestRecord {
  readonly place: RequestPlace;
  /** @param result undefined where the request is not to be kept */
  end(result: RowResult | undefined): void;
}

/**
 * The requests to one flow as rows of runs, a run a day (UTC). Records are written beside the answers: one that cannot be written is
 * told once, and costs no answer.
 */
export class TrafficRecord {
  readonly #flow: RunnableFlow;
  readonly #found: FoundFlow;
  readonly #settings: Pick<RecordSettings, 'options' | 'flowDigest'>;
  readonly #host: ProjectHost;
  readonly #days = new Set<TrafficDay>();
  #today: TrafficDay | undefined;
  #hasFailed = false;

  /** @param settings what the records say of the flow, and of how it is served */
  constructor(
    flow: RunnableFlow,
    found: FoundFlow,
    settings: Pick<RecordSettings, 'options' | 'flowDigest'>,
    host: ProjectHost,
  ) {
    this.#flow = flow;
    this.#found = found;
    this.#settings = settings;
    this.#host = host;
  }

  /** A place for a request that begins now; undefined where nothing can be recorded. */
  begin(): RequestRecord | undefined {
    const day = this.#dayOf(this.#host.now());
    if (day === undefined) return undefined;
    const line = day.begin();
    const end = (result: RowResult | undefined): void => {
      if (result !== undefined) day.append(result).catch((error: unknown) => this.#fail(error));
      day.end();
    };
    return { place: { run: day.record.id, line }, end };
  }

  /** The record of a run of this flow that is being written. */
  open(run: string): RunLog | undefined {
    return [...this.#days].find(({ record }) => record.id === run)?.record.store;
  }

  /** What was appended is durable then. A request that begins after it has a run of its own. */
  async close(): Promise<void> {
    this.#today = undefined;
    for (const day of this.#days) await this.#close(day);
  }

  #dayOf(now: number): TrafficDay | undefined {
    const date = new Date(now).toISOString().slice(0, 10);
    if (this.#today?.date === date) return this.#today;
    const before = this.#today;
    this.#today = this.#begun(date);
    before?.whenDone(() => void this.#close(before));
    return this.#today;
  }

  #begun(date: string): TrafficDay | undefined {
    if (this.#hasFailed) return undefined;
    try {
      const settings = { ...this.#settings, data: {}, commitEveryMs };
      const record = recordRun(this.#flow, this.#found, settings, this.#host);
      const day = new TrafficDay(date, record, lockRun(record.file, record.id));
      this.#days.add(day);
      return day;
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  async #close(day: TrafficDay): Promise<void> {
    this.#days.delete(day);
    try {
      await day[Symbol.asyncDispose]();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    const message = `requests are answered, and no longer recorded: ${reasonOf(error)}`;
    notify(this.#host, { kind: 'warning', message });
  }
}

/** The record of one day, which is closed when its last request has ended. */
class TrafficDay implements AsyncDisposable {
  readonly date: string;
  readonly record: RecordedRun;
  readonly #lock: RunLock;
  #lines = 0;
  #underWay = 0;
  #done: (() => void) | undefined;
  #isClosed = false;

  constructor(date: string, record: RecordedRun, lock: RunLock) {
    this.date = date;
    this.record = record;
    this.#lock = lock;
  }

  begin(): number {
    this.#underWay += 1;
    const line = this.#lines;
    this.#lines += 1;
    return line;
  }

  /** A row that ends when the server no longer waits for it is not recorded. */
  async append({ row, nodes }: RowResult): Promise<void> {
    if (this.#isClosed) return;
    await this.record.store.append(nodes.map(markedInexact), row);
  }

  end(): void {
    this.#underWay -= 1;
    if (this.#underWay === 0) this.#done?.();
  }

  whenDone(done: () => void): void {
    this.#done = done;
    if (this.#underWay === 0) done();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    using _lock = this.#lock;
    await using store = this.record.store;
    await store.ensureKept();
  }
}
