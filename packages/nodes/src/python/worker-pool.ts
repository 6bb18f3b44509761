import { availableParallelism } from 'node:os';
import { type JsonValue, offAbort, onAbort, type RowScope, ScopeSlot } from '@unroll/engine';
import { type Reply, WorkerProcess, type WorkerSettings } from './worker-process.ts';

/** A call waiting for, or running in, a worker. */
export interface PoolCall {
  /** Calls of one row go to the same worker. */
  readonly row: RowScope;
  readonly node: string;
  readonly load: LoadRequest;
  /** JSON text of the inputs as the given worker reads them. */
  readonly inputs: (worker: WorkerProcess) => string;
  readonly signal: AbortSignal;
  /** Whether others read what it is given. */
  readonly isShared?: boolean;
}

/** What a worker needs to make a node ready; sent again to each new worker. */
export type LoadRequest = { readonly op: 'load'; readonly node: string } & { readonly [key: string]: JsonValue };

/** What became of a call: the worker's reply, a failure to load it there, or nothing because it was stopped. */
export type PoolResult = Reply | { readonly ok: false; readonly stopped: true };

interface Queued {
  readonly call: PoolCall;
  readonly resolve: (result: PoolResult) => void;
}

interface Seat {
  readonly worker: WorkerProcess;
  /** The row that runs here now; of several the first. */
  row: RowScope | undefined;
  /** Whether calls of several rows have been sent, all of them quick. */
  isShared: boolean;
  /** In the order they were sent. */
  readonly running: Set<Running>;
  readonly queue: Queued[];
}

interface Running extends Queued {
  isStopped: boolean;
}

/** Quick calls that may be on their way to one worker. */
const mostOnTheWay = 16;

/**
 * Workers of one flow, started when first needed and kept. A worker runs one row at a time, that row's parallel nodes at
 * once; a row keeps to the worker of its first call. Calls that are known to be quick are sent ahead, for several rows:
 * the worker runs them one after the other. A worker that ends is replaced by the next call.
 */
export class WorkerPool {
  readonly #settings: WorkerSettings;
  readonly #most: number;
  readonly #seats = new Map<WorkerProcess, Seat>();
  readonly #seatOfRow = new ScopeSlot<{ seat: Seat | undefined }>('Python worker');
  #unseated: Queued[] = [];

  constructor(settings: WorkerSettings, most: number | undefined) {
    this.#settings = settings;
    this.#most = most ?? Math.min(4, availableParallelism());
  }

  /** What a node's file imports and names, told by a parse: nothing of it runs. */
  sources(path: string): Promise<Reply> {
    const { worker } = this.#seats.values().next().value ?? this.#start();
    return worker.request({ op: 'sources', path });
  }

  /** Name and version of the package that gives a module, with what stands for all it needs. */
  packageOf(module: string): Promise<Reply> {
    const { worker } = this.#seats.values().next().value ?? this.#start();
    return worker.request({ op: 'package', module });
  }

  /** Imports modules in one worker; the others do when they load a node. */
  import(modules: JsonValue): Promise<Reply> {
    const { worker } = this.#seats.values().next().value ?? this.#start();
    return worker.request({ op: 'import', modules });
  }

  /** Loads a node in one worker, to see that it can be and what it takes. */
  async load(request: LoadRequest): Promise<Reply> {
    const { worker } = this.#seats.values().next().value ?? this.#start();
    worker.loaded.add(request.node);
    const reply = await worker.request(request);
    if (!reply.ok) worker.loaded.delete(request.node);
    return reply;
  }

  /** @param holder worker that holds objects the call needs, if any */
  call(call: PoolCall, holder: WorkerProcess | undefined): Promise<PoolResult> {
    if (call.signal.aborted) return Promise.resolve({ ok: false, stopped: true });
    return new Promise((resolve) => {
      const queued = { call, resolve };
      const seat = this.#seatFor(call, holder);
      if (seat === undefined) this.#unseated.push(queued);
      else if (isOwn(seat, call) || (seat.queue.length === 0 && mayStart(seat, call))) this.#run(seat, queued);
      else seat.queue.push(queued);
    });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#seats.keys()].map((worker) => worker.close()));
  }

  /** The row's own worker, else an idle one, else a new one; undefined when all are busy. */
  #seatFor(call: PoolCall, holder: WorkerProcess | undefined): Seat | undefined {
    const held = holder === undefined ? undefined : this.#seats.get(holder);
    const own = held ?? this.#ofRow(call).seat;
    if (own !== undefined && !own.worker.hasExited) return own;
    for (const seat of this.#seats.values()) {
      if (seat.running.size === 0 && seat.queue.length === 0) return seat;
    }
    if (this.#seats.size < this.#most) return this.#start();
    return [...this.#seats.values()].find((seat) => seat.queue.length === 0 && mayStart(seat, call));
  }

  #ofRow({ row }: PoolCall): { seat: Seat | undefined } {
    return row.kept(this.#seatOfRow, () => ({ seat: undefined }));
  }

  #start(): Seat {
    const worker = new WorkerProcess(this.#settings, (ended) => this.#replace(ended));
    const seat: Seat = { worker, row: undefined, isShared: false, running: new Set(), queue: [] };
    this.#seats.set(worker, seat);
    return seat;
  }

  #run(seat: Seat, queued: Queued): void {
    const { call, resolve } = queued;
    if (call.signal.aborted) {
      resolve({ ok: false, stopped: true });
      this.#next(seat);
      return;
    }
    const count = seat.running.size;
    if (count === 0) seat.row = call.row;
    seat.isShared = count > 0 && (seat.isShared || seat.row !== call.row);
    const running = { call, resolve, isStopped: false };
    seat.running.add(running);
    this.#ofRow(call).seat = seat;
    const stop = (): void => {
      running.isStopped = true;
      resolve({ ok: false, stopped: true });
      endStopped(seat);
    };
    onAbort(call.signal, stop);
    void this.#send(seat.worker, call).then((reply) => {
      offAbort(call.signal, stop);
      seat.running.delete(running);
      if ('crashed' in reply && reply.hasNotStarted && !running.isStopped) {
        void this.call(call, undefined).then(resolve);
      } else resolve(reply);
      endStopped(seat);
      this.#next(seat);
    });
  }

  #send(worker: WorkerProcess, call: PoolCall): Promise<Reply> {
    return worker.loaded.has(call.node)
      ? worker.call(call.node, call.inputs(worker), call.isShared === true)
      : this.#loadAndSend(worker, call);
  }

  async #loadAndSend(worker: WorkerProcess, call: PoolCall): Promise<Reply> {
    worker.loaded.add(call.node);
    const loaded = await worker.request(call.load);
    if (loaded.ok) return worker.call(call.node, call.inputs(worker), call.isShared === true);
    worker.loaded.delete(call.node);
    return loaded;
  }

  /** Starts what waits for this worker: its own rows first, then rows that have none. */
  #next(seat: Seat): void {
    for (let first = this.#takeNext(seat); first !== undefined; first = this.#takeNext(seat)) {
      this.#run(seat, first);
      if (seat.isShared) continue;
      for (const queued of takeRow(seat.queue, first.call.row)) this.#run(seat, queued);
      for (const queued of takeRow(this.#unseated, first.call.row)) this.#run(seat, queued);
    }
  }

  #takeNext(seat: Seat): Queued | undefined {
    const waiting = seat.queue.length > 0 ? seat.queue : this.#unseated;
    const [first] = waiting;
    if (first === undefined || seat.worker.hasExited || !mayStart(seat, first.call)) return undefined;
    return waiting.shift();
  }

  #replace(ended: WorkerProcess): void {
    const seat = this.#seats.get(ended);
    this.#seats.delete(ended);
    const waiting = [...(seat?.queue.splice(0) ?? []), ...this.#unseated];
    this.#unseated = [];
    for (const queued of waiting) void this.call(queued.call, undefined).then(queued.resolve);
  }
}

/**
 * Ends a worker that runs what was stopped. Of several rows only the first call has begun: one that is stopped behind it
 * is left until its turn comes, so that no other row loses what it has done.
 */
function endStopped({ worker, running, isShared }: Seat): void {
  const [first] = running;
  const isUnderWay = isShared ? first?.isStopped : [...running].some(({ isStopped }) => isStopped);
  if (isUnderWay === true) worker.kill();
}

/** Whether nothing but the call's row runs in the worker. */
function isOwn({ running, isShared, row }: Seat, call: PoolCall): boolean {
  return running.size > 0 && !isShared && row === call.row;
}

/** Whether the worker is free for the call, or all that runs there is quick as the call is. */
function mayStart({ worker, running }: Seat, { node }: PoolCall): boolean {
  return running.size === 0 || (running.size < mostOnTheWay && worker.isQuick(node) && worker.isAllQuick);
}

/** Takes the calls of one row out of a queue. */
function takeRow(queue: Queued[], row: RowScope): readonly Queued[] {
  const taken = queue.filter(({ call }) => call.row === row);
  if (taken.length > 0) queue.splice(0, queue.length, ...queue.filter(({ call }) => call.row !== row));
  return taken;
}
