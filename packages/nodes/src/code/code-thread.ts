import { Worker } from 'node:worker_threads';
import type { NodeOutcome } from '@unroll/engine';
import type { Sighting } from '../observe/sighting.ts';
import type { CodePlace } from './code-place.ts';
import {
  type FromThread,
  type FunctionShape,
  type LoadFailure,
  places,
  type ThreadCall,
  type ThreadSettings,
  type ToThread,
} from './thread-messages.ts';

/** What becomes of calls, told to who gave them. */
export interface ThreadListener {
  /** Code read something; told before the outcome that it had a part in. */
  seen(sightings: readonly Sighting[]): void;
  ended(number: number, outcome: NodeOutcome): void;
  /** The call had not begun and will not. */
  left(number: number): void;
  /** The thread is gone; `computing` is the call whose function computed then, 0 where none did. */
  gone(computing: number, why: string): void;
}

/** Beside this file, or beside the bundle. */
const entry = new URL(import.meta.url.endsWith('.ts') ? './thread-entry.ts' : './thread-entry.js', import.meta.url);

/** One thread that runs code nodes: what is on its way to it, and whether it can be heard of. */
export class CodeThread {
  readonly #worker: Worker;
  readonly #integers: Int32Array;
  readonly #loading = new Map<number, (loaded: FunctionShape | LoadFailure) => void>();
  readonly #loaded = new Set<string>();
  readonly #listener: ThreadListener;
  #unsent: ThreadCall[] = [];
  #loads = 0;
  #lastNumber = 0;
  #unanswered = 0;
  #failure = 'it ended';
  #isClosed = false;

  constructor(settings: Omit<ThreadSettings, 'shared'>, listener: ThreadListener) {
    const shared = new SharedArrayBuffer(Object.keys(places).length * 4);
    this.#integers = new Int32Array(shared);
    this.#listener = listener;
    this.#worker = new Worker(entry, { workerData: { ...settings, shared } satisfies ThreadSettings, stdin: false });
    this.#worker.unref();
    this.#worker.on('message', (message: FromThread) => this.#hear(message));
    this.#worker.on('error', (error) => {
      this.#failure = error.message;
    });
    this.#worker.on('exit', (code) => this.#end(code));
  }

  hasLoaded(key: string): boolean {
    return this.#loaded.has(key);
  }

  /** Imports a module and finds its function. */
  async load(place: CodePlace): Promise<FunctionShape | LoadFailure> {
    this.#loads += 1;
    const number = this.#loads;
    this.#worker.ref();
    const loaded = await new Promise<FunctionShape | LoadFailure>((resolve) => {
      this.#loading.set(number, resolve);
      this.#post({ kind: 'load', number, place });
    });
    if (loaded.ok) this.#loaded.add(place.key);
    return loaded;
  }

  /**
   * Calls of one turn of the event loop go together: to wake a thread costs more than most functions. Their numbers grow,
   * their modules are loaded.
   */
  send(call: ThreadCall): void {
    this.#lastNumber = call.number;
    this.#unsent.push(call);
    if (this.#unsent.length === 1) setImmediate(() => this.#sendAll());
  }

  #sendAll(): void {
    const calls = this.#unsent;
    if (calls.length === 0) return;
    this.#unsent = [];
    this.#post({ kind: 'calls', calls });
  }

  abort(number: number): void {
    this.#sendAll();
    this.#post({ kind: 'abort', number });
  }

  /** The number of the call whose function computes; 0 where none does. */
  computing(): number {
    return Atomics.load(this.#integers, places.computing);
  }

  hasBegun(number: number): boolean {
    return Atomics.load(this.#integers, places.begun) >= number;
  }

  /** Keeps what has not begun from beginning here. @returns the last call that may have begun */
  takeBack(): number {
    Atomics.store(this.#integers, places.takenBack, this.#lastNumber);
    return Atomics.load(this.#integers, places.begun);
  }

  /** Asks for a sign; called from time to time while something is on its way. @returns how often none came */
  ping(): number {
    if (this.#unanswered === 0) this.#post({ kind: 'ping' });
    this.#unanswered += 1;
    return this.#unanswered - 1;
  }

  /** Whether a ping has not been answered yet. */
  isSilent(): boolean {
    return this.#unanswered > 0;
  }

  /** Holds the process while calls or modules are on their way. */
  hold(hasCalls: boolean): void {
    if (hasCalls || this.#loading.size > 0) this.#worker.ref();
    else this.#worker.unref();
  }

  /** Ends it wherever it is. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker.terminate();
  }

  #post(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  #hear(message: FromThread): void {
    this.#unanswered = 0;
    if (message.kind === 'ended') this.#listener.ended(message.number, message.outcome);
    else if (message.kind === 'left') this.#listener.left(message.number);
    else if (message.kind === 'seen') this.#listener.seen(message.sightings);
    else if (message.kind === 'loaded') {
      this.#loading.get(message.number)?.(message.loaded);
      this.#loading.delete(message.number);
    }
  }

  #end(code: number): void {
    const why = code === 0 || this.#failure !== 'it ended' ? this.#failure : `it ended with exit code ${code}`;
    const cause = { code: 'WorkerCrashed', message: why };
    for (const resolve of this.#loading.values()) resolve({ ok: false, cause, trace: [] });
    this.#loading.clear();
    if (!this.#isClosed) this.#listener.gone(this.computing(), why);
  }
}
