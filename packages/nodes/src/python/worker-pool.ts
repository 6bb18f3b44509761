import { availableParallelism } from 'node:os';
import type { Value } from '@unroll/engine';
import { type Reply, WorkerProcess, type WorkerSettings } from './worker-process.ts';

/** A call waiting for, or running in, a worker. */
export interface PoolCall {
  /** Stands for the row: calls with the same object go to the same worker. */
  readonly row: object;
  readonly node: string;
  readonly load: LoadRequest;
  /** JSON text of the inputs as the given worker reads them. */
  readonly inputs: (worker: WorkerProcess) => string;
  readonly signal: AbortSignal;
}

/** What a worker needs to make a node ready; sent again to each new worker. */
export type LoadRequest = { readonly op: 'load'; readonly node: string } & { readonly [key: string]: Value };

/** What became of a call: the worker's reply, a failure to load it there, or nothing because it was stopped. */
export type PoolResult = Reply | { readonly ok: false; readonly stopped: true };

interface Queued {
  readonly call: PoolCall;
  readonly resolve: (result: PoolResult) => void;
}

interface Seat {
  readonly worker: WorkerProcess;
  /** The one row that runs here now. */
  row: object | undefined;
  running: number;
  readonly queue: Queued[];
}

/**
 * Workers of one flow, started when first needed and kept. A worker serves one row at a time, that row's parallel
 * nodes at once; a row keeps to the worker of its first call. A worker that ends is replaced by the next call.
 */
export class WorkerPool {
  readonly #settings: WorkerSettings;
  readonly #most: number;
  readonly #seats = new Map<WorkerProcess, Seat>();
  readonly #seatOfRow = new WeakMap<object, Seat>();
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

  /** Imports modules in one worker; the others do when they load a node. */
  import(modules: Value): Promise<Reply> {
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
      else if (seat.running > 0 && seat.row !== call.row) seat.queue.push(queued);
      else this.#run(seat, queued);
    });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#seats.keys()].map((worker) => worker.close()));
  }

  /** The row's own worker, else an idle one, else a new one; undefined when all are busy. */
  #seatFor(call: PoolCall, holder: WorkerProcess | undefined): Seat | undefined {
    const held = holder === undefined ? undefined : this.#seats.get(holder);
    const own = held ?? this.#seatOfRow.get(call.row);
    if (own !== undefined && !own.worker.hasExited) return own;
    for (const seat of this.#seats.values()) {
      if (seat.running === 0 && seat.queue.length === 0) return seat;
    }
    return this.#seats.size < this.#most ? this.#start() : undefined;
  }

  #start(): Seat {
    const worker = new WorkerProcess(this.#settings, (ended) => this.#replace(ended));
    const seat: Seat = { worker, row: undefined, running: 0, queue: [] };
    this.#seats.set(worker, seat);
    return seat;
  }

  #run(seat: Seat, { call, resolve }: Queued): void {
    if (call.signal.aborted) {
      resolve({ ok: false, stopped: true });
      this.#next(seat);
      return;
    }
    seat.row = call.row;
    seat.running += 1;
    this.#seatOfRow.set(call.row, seat);
    let isStopped = false;
    const stop = (): void => {
      isStopped = true;
      seat.worker.kill();
    };
    call.signal.addEventListener('abort', stop, { once: true });
    void this.#send(seat.worker, call).then((reply) => {
      call.signal.removeEventListener('abort', stop);
      seat.running -= 1;
      resolve(isStopped ? { ok: false, stopped: true } : reply);
      if (seat.running === 0) this.#next(seat);
    });
  }

  async #send(worker: WorkerProcess, call: PoolCall): Promise<Reply> {
    if (!worker.loaded.has(call.node)) {
      worker.loaded.add(call.node);
      const loaded = await worker.request(call.load);
      if (!loaded.ok) {
        worker.loaded.delete(call.node);
        return loaded;
      }
    }
    return worker.request({ op: 'call', node: call.node }, call.inputs(worker));
  }

  /** Starts what waits for this worker: its own rows first, then rows that have none. */
  #next(seat: Seat): void {
    if (seat.worker.hasExited || seat.running > 0) return;
    const first = seat.queue.shift() ?? this.#unseated.shift();
    if (first === undefined) return;
    this.#run(seat, first);
    for (const queued of takeRow(seat.queue, first.call.row)) this.#run(seat, queued);
    for (const queued of takeRow(this.#unseated, first.call.row)) this.#run(seat, queued);
  }

  #replace(ended: WorkerProcess): void {
    const seat = this.#seats.get(ended);
    this.#seats.delete(ended);
    const waiting = [...(seat?.queue.splice(0) ?? []), ...this.#unseated];
    this.#unseated = [];
    for (const queued of waiting) void this.call(queued.call, undefined).then(queued.resolve);
  }
}

/** Takes the calls of one row out of a queue. */
function takeRow(queue: Queued[], row: object): readonly Queued[] {
  const taken = queue.filter(({ call }) => call.row === row);
  if (taken.length > 0) queue.splice(0, queue.length, ...queue.filter(({ call }) => call.row !== row));
  return taken;
}
