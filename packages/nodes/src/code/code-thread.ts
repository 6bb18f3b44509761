import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { longestTimerMs, type NodeOutcome, timedOut } from '@unroll/engine';
import type { Sighting } from '../observe/sighting.ts';
import type { CodePlace } from './code-place.ts';
import { leaveAtExit, waitAtExit } from './leave-threads.ts';
import { canceled } from './run-function.ts';
import type {
  FromThread,
  FunctionShape,
  LoadFailure,
  ThreadCall,
  ThreadData,
  ThreadSettings,
  ToThread,
} from './thread-messages.ts';

export interface ThreadListener {
  /** Code read something; told before the outcome that it had a part in. */
  seen(sightings: readonly Sighting[]): void;
  /** Its call is over and it may be given another, or it has ended. */
  free(): void;
}

export interface CallLimits {
  readonly signal: AbortSignal;
  /** From when the function begins: a call may wait for others before. */
  readonly timeLimitMs?: number | undefined;
}

interface Call {
  readonly node: string;
  readonly resolve: (outcome: NodeOutcome) => void;
}

/** Milliseconds a call that is stopped has to end by itself. */
const stopMs = 1000;

/** Beside this file, or beside the bundle. */
const entry = new URL(import.meta.url.endsWith('.ts') ? './thread-entry.ts' : './thread-entry.js', import.meta.url);

/** One thread that runs one call of a code node at a time. A call that is stopped and does not end by itself ends with its thread. */
export class CodeThread {
  readonly #worker: Worker;
  /** Not the port that `node:worker_threads` hands to whatever runs in the thread. */
  readonly #port: MessagePort;
  readonly #loading = new Map<number, (loaded: FunctionShape | LoadFailure) => void>();
  readonly #loaded = new Set<string>();
  readonly #listener: ThreadListener;
  #call: Call | undefined;
  #loads = 0;
  #failure = 'it ended';
  #isOnline = false;
  #hasEnded = false;
  #isStuck = false;

  constructor(settings: ThreadSettings, listener: ThreadListener) {
    this.#listener = listener;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    const workerData: ThreadData = { ...settings, port: port2 };
    this.#worker = new Worker(entry, { workerData, transferList: [port2], stdin: false });
    this.#worker.unref();
    this.#worker.on('online', () => {
      this.#isOnline = true;
    });
    this.#port.on('message', (message: FromThread) => this.#hear(message));
    // The thread holds the process while it has something to do.
    this.#port.unref();
    this.#worker.on('error', (error) => {
      this.#failure = error.message;
    });
    this.#worker.on('exit', (code) => {
      this.#hearTheRest();
      waitAtExit(this);
      this.#end(code);
    });
  }

  /** Whether it runs, and is no longer being started. */
  get isOnline(): boolean {
    return this.#isOnline;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Whether nothing ended it: it waits in a call of the system, and is counted as one that has ended. */
  get isStuck(): boolean {
    return this.#isStuck;
  }

  hasLoaded(key: string): boolean {
    return this.#loaded.has(key);
  }

  /** Imports a module and finds its function. */
  async load(place: CodePlace): Promise<FunctionShape | LoadFailure> {
    this.#loads += 1;
    const number = this.#loads;
    const loaded = await new Promise<FunctionShape | LoadFailure>((resolve) => {
      this.#loading.set(number, resolve);
      this.#holdProcess();
      this.#post({ kind: 'load', number, place });
    });
    if (loaded.ok) this.#loaded.add(place.key);
    return loaded;
  }

  /** Calls a function that was loaded here; not before the call under way is over. */
  run(call: ThreadCall, { signal, timeLimitMs }: CallLimits): Promise<NodeOutcome> {
    const { node } = call;
    if (this.#hasEnded) return Promise.resolve(threadLost(node, this.#failure));
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const stop = (outcome: NodeOutcome): void => {
        this.#post({ kind: 'abort' });
        // A second Ctrl-C may come before it is known whether the thread can be ended.
        leaveAtExit(this);
        clearTimeout(timer);
        timer = setTimeout(() => {
          this.#finish(outcome);
          void this.close();
        }, stopMs);
      };
      const cancel = (): void => stop(canceled(node));
      const expire = (limitMs: number): void => {
        const outcome = timedOut(node, limitMs);
        resolve(outcome);
        stop(outcome);
      };
      signal.addEventListener('abort', cancel, { once: true });
      if (timeLimitMs !== undefined)
        timer = setTimeout(() => expire(timeLimitMs), Math.min(timeLimitMs, longestTimerMs));
      this.#call = {
        node,
        resolve: (outcome) => {
          clearTimeout(timer);
          signal.removeEventListener('abort', cancel);
          resolve(outcome);
        },
      };
      this.#holdProcess();
      this.#post({ kind: 'call', call });
    });
  }

  /** Ends it in order, so that its code does what it waits for the exit with; where that takes too long, wherever it is. */
  async leave(): Promise<void> {
    if (this.#isOnline && !this.#hasEnded) {
      const ended = new Promise<void>((resolve) => {
        this.#worker.once('exit', () => resolve());
      });
      this.#post({ kind: 'leave' });
      await withinTime(ended, stopMs);
    }
    await this.close();
  }

  /** Ends it wherever it is; one that waits in a call of the system, for a child process or a pipe, is left there. */
  async close(): Promise<void> {
    if (this.#hasEnded || (await this.#hasTerminated())) return;
    this.#isStuck = true;
    // What is told to end holds the process until it has.
    this.#worker.unref();
    leaveAtExit(this);
    this.#failure = 'it could not be ended';
    this.#end(0);
  }

  async #hasTerminated(): Promise<boolean> {
    leaveAtExit(this);
    return (await withinTime(this.#worker.terminate(), stopMs)) || this.#hasEnded;
  }

  /** While it has something to do, the process does not end. */
  #holdProcess(): void {
    if (this.#call !== undefined || this.#loading.size > 0) this.#worker.ref();
    else this.#worker.unref();
  }

  #finish(outcome: NodeOutcome): void {
    const call = this.#call;
    this.#call = undefined;
    this.#holdProcess();
    call?.resolve(outcome);
  }

  #post(message: ToThread): void {
    this.#port.postMessage(message);
  }

  #hear(message: FromThread): void {
    if (message.kind === 'seen') this.#listener.seen(message.sightings);
    else if (message.kind === 'ended') this.#hearEnd(message.outcome);
    else {
      const loaded = this.#loading.get(message.number);
      this.#loading.delete(message.number);
      this.#holdProcess();
      loaded?.(message.loaded);
    }
  }

  /** What it said before it ended. */
  #hearTheRest(): void {
    for (let next = receiveMessageOnPort(this.#port); next !== undefined; next = receiveMessageOnPort(this.#port)) {
      this.#hear(next.message as FromThread);
    }
    this.#port.close();
  }

  /** A function that was told to stop may go on behind its call. */
  #hearEnd(outcome: NodeOutcome): void {
    waitAtExit(this);
    this.#finish(outcome);
    if (!outcome.ok && outcome.canceled === true) void this.close();
    else this.#listener.free();
  }

  #end(code: number): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (code !== 0 && this.#failure === 'it ended') this.#failure = `it ended with exit code ${code}`;
    const cause = { code: 'WorkerCrashed', message: this.#failure };
    for (const resolve of this.#loading.values()) resolve({ ok: false, cause, trace: [] });
    this.#loading.clear();
    if (this.#call !== undefined) this.#finish(threadLost(this.#call.node, this.#failure));
    this.#listener.free();
  }
}

/** Whether it came in that time. */
function withinTime(awaited: Promise<unknown>, limitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), limitMs);
    void awaited.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

export function threadLost(node: string, why: string): NodeOutcome {
  const message = `node '${node}' lost the thread it ran in: ${why}`;
  return {
    ok: false,
    error: { code: 'WorkerCrashed', message, retryable: true },
  };
}
