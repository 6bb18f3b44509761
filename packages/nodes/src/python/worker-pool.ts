import { availableParallelism } from 'node:os';
import { type JsonValue, type RowScope, ScopeSlot } from '@unroll/engine';
import { WorkerProcess } from './worker-process.ts';
import type { Reply } from './worker-reply.ts';
import type { WorkerSettings } from './worker-settings.ts';

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
  /** Headers of the trace that it belongs to; empty where it belongs to none. */
  readonly trace: Readonly<Record<string, string>>;
}

/** What stands at the top of a file runs when it is imported, and may wait for ever; as long as a row may take. */
const longestLoadMs = 600_000;

/** What a worker needs to make a node ready; sent again to each new worker. */
export type LoadRequest = { readonly op: 'load'; readonly node: string } & { readonly [key: string]: JsonValue };

type ImportRequest = { readonly op: 'import'; readonly modules: JsonValue };

/** What became of a call: the worker's reply, a failure to load it there, or nothing because it was stopped. */
export type PoolResult = Reply | { readonly ok: false; readonly stopped: true };

interface Queued {
  readonly call: PoolCall;
  readonly resolve: (result: PoolResult) => void;
}

interface WorkerSlot {
  readonly worker: WorkerProcess;
  /** The row whose calls run here now. */
  row: RowScope | undefined;
  /** How many calls of it do. */
  running: number;
  readonly queue: Queued[];
}

/**
 * Workers of one flow, started when first needed and kept. A worker runs one row at a time, that row's parallel nodes at
 * once; a row keeps to the worker of its first call. A worker that ends is replaced by the next call.
 */
export class WorkerPool {
  readonly #settings: WorkerSettings;
  readonly #most: number;
  readonly #longestLoadMs: number;
  readonly #slots = new Map<WorkerProcess, WorkerSlot>();
  readonly #slotOfRow = new ScopeSlot<{ slot: WorkerSlot | undefined }>('Python worker');
  #waiting: Queued[] = [];

  constructor(settings: WorkerSettings, most: number | undefined, longestLoad = longestLoadMs) {
    this.#settings = settings;
    this.#longestLoadMs = longestLoad;
    this.#most = most ?? Math.min(4, availableParallelism());
  }

  /** Of Python: `3.12`. */
  version(): Promise<Reply> {
    const { worker } = this.#slots.values().next().value ?? this.#start();
    return worker.request({ op: 'version' });
  }

  /** Name and version of the package that gives a module, with what stands for all it needs. */
  packageOf(module: string): Promise<Reply> {
    const { worker } = this.#slots.values().next().value ?? this.#start();
    return worker.request({ op: 'package', module });
  }

  /** Imports modules in one worker; the others do when they load a node. */
  import(modules: JsonValue): Promise<Reply> {
    const { worker } = this.#slots.values().next().value ?? this.#start();
    return this.#loading(worker, { op: 'import', modules });
  }

  /** Loads a node in one worker, to see that it can be and what it takes. */
  async load(request: LoadRequest): Promise<Reply> {
    const { worker } = this.#slots.values().next().value ?? this.#start();
    worker.loaded.add(request.node);
    const reply = await this.#loading(worker, request);
    if (!reply.ok) worker.loaded.delete(request.node);
    return reply;
  }

  /** @param holder worker that holds objects the call needs, if any */
  call(call: PoolCall, holder: WorkerProcess | undefined): Promise<PoolResult> {
    if (call.signal.aborted) return Promise.resolve({ ok: false, stopped: true });
    return new Promise((resolve) => {
      const stop = (): void => resolve({ ok: false, stopped: true });
      call.signal.addEventListener('abort', stop, { once: true });
      const queued: Queued = {
        call,
        resolve: (result) => {
          call.signal.removeEventListener('abort', stop);
          resolve(result);
        },
      };
      const slot = this.#slotFor(call, holder);
      if (slot === undefined) this.#waiting.push(queued);
      else if (isFreeFor(slot, call)) this.#run(slot, queued);
      else slot.queue.push(queued);
    });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#slots.keys()].map((worker) => worker.close()));
  }

  /** The row's own worker, else an idle one, else a new one; undefined when all are busy. */
  #slotFor(call: PoolCall, holder: WorkerProcess | undefined): WorkerSlot | undefined {
    const held = holder === undefined ? undefined : this.#slots.get(holder);
    const own = held ?? this.#ofRow(call).slot;
    if (own !== undefined && !own.worker.hasExited) return own;
    for (const slot of this.#slots.values()) {
      if (slot.running === 0 && slot.queue.length === 0) return slot;
    }
    return this.#slots.size < this.#most ? this.#start() : undefined;
  }

  #ofRow({ row }: PoolCall): { slot: WorkerSlot | undefined } {
    return row.kept(this.#slotOfRow, () => ({ slot: undefined }));
  }

  #start(): WorkerSlot {
    const worker = new WorkerProcess(this.#settings, (ended) => this.#replace(ended));
    const slot: WorkerSlot = { worker, row: undefined, running: 0, queue: [] };
    this.#slots.set(worker, slot);
    return slot;
  }

  /** What was stopped while it waited has its answer. */
  #run(slot: WorkerSlot, queued: Queued): void {
    const { call, resolve } = queued;
    if (call.signal.aborted) return;
    slot.row = call.row;
    slot.running += 1;
    this.#ofRow(call).slot = slot;
    const stop = (): void => slot.worker.kill();
    call.signal.addEventListener('abort', stop, { once: true });
    void this.#send(slot.worker, call).then((reply) => {
      call.signal.removeEventListener('abort', stop);
      slot.running -= 1;
      resolve(reply);
      this.#next(slot);
    });
  }

  /** Code that is imported and does not end is ended with its worker. */
  async #loading(worker: WorkerProcess, request: LoadRequest | ImportRequest): Promise<Reply> {
    const limit = this.#longestLoadMs;
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      worker.kill();
    }, limit);
    const reply = await worker.request(request);
    clearTimeout(timer);
    if (reply.ok || !isLate || !('crashed' in reply)) return reply;
    return { ...reply, crashed: `importing its code took more than ${limit / 1000} s` };
  }

  #send(worker: WorkerProcess, call: PoolCall): Promise<Reply> {
    return worker.loaded.has(call.node) ? sendTo(worker, call) : this.#loadAndSend(worker, call);
  }

  async #loadAndSend(worker: WorkerProcess, call: PoolCall): Promise<Reply> {
    worker.loaded.add(call.node);
    const loaded = await this.#loading(worker, call.load);
    if (loaded.ok) return sendTo(worker, call);
    worker.loaded.delete(call.node);
    return loaded;
  }

  /** Starts what waits for this worker, all calls of one row: of its own rows first, then of rows that have none. */
  #next(slot: WorkerSlot): void {
    if (slot.running > 0 || slot.worker.hasExited) return;
    const first = slot.queue.shift() ?? this.#waiting.shift();
    if (first === undefined) return;
    this.#run(slot, first);
    if (slot.running === 0) {
      this.#next(slot);
      return;
    }
    for (const queued of takeRow(slot.queue, first.call.row)) this.#run(slot, queued);
    for (const queued of takeRow(this.#waiting, first.call.row)) this.#run(slot, queued);
  }

  #replace(ended: WorkerProcess): void {
    const slot = this.#slots.get(ended);
    this.#slots.delete(ended);
    const waiting = [...(slot?.queue.splice(0) ?? []), ...this.#waiting];
    this.#waiting = [];
    for (const queued of waiting) void this.call(queued.call, undefined).then(queued.resolve);
  }
}

function sendTo(worker: WorkerProcess, { node, inputs, isShared = false, trace }: PoolCall): Promise<Reply> {
  return worker.call(node, inputs(worker), isShared, trace);
}

/** Whether nothing runs there, or calls of the same row. */
function isFreeFor({ running, queue, row }: WorkerSlot, call: PoolCall): boolean {
  return running > 0 ? row === call.row : queue.length === 0;
}

/** Takes the calls of one row out of a queue. */
function takeRow(queue: Queued[], row: RowScope): readonly Queued[] {
  const taken = queue.filter(({ call }) => call.row === row);
  if (taken.length > 0) queue.splice(0, queue.length, ...queue.filter(({ call }) => call.row !== row));
  return taken;
}
