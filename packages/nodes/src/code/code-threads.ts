import { type NodeOutcome, type PrepareContext, ScopeSlot } from '@unroll/engine';
import { packageLookupOf } from '../identity/package-imports.ts';
import { ObservedReads } from '../observe/observed-reads.ts';
import { readPart } from '../observe/parts-now.ts';
import type { CodePlace } from './code-place.ts';
import { type CallLimits, CodeThread, threadLost } from './code-thread.ts';
import { canceled } from './run-function.ts';
import type { FunctionShape, LoadFailure, ThreadCall, ThreadSettings } from './thread-messages.ts';

/** Most threads of one flow, and so most functions of it that run at the same time. */
const maxThreads = 32;
/** Milliseconds a call waits for a thread that is there before it gets one of its own, unless one is just starting. */
const patienceMs = 200;
/**
 * Where so many calls end in that time, it is their number that makes others wait, or a busy machine: on one, a thread for each that
 * waited came to thirty of 17 MB.
 */
const quickCalls = 25;

const tooManyStuck = `${maxThreads} threads of this flow wait in calls of the system, for child processes or pipes, and cannot be ended`;

/** Gives a waiting call its thread; none where it is stopped. */
type TakeThread = (thread: CodeThread | undefined) => void;

/**
 * The threads in which the TypeScript and JavaScript of one flow runs, one call at a time in each. Quick functions take turns
 * in the first; a call that has waited for `patienceMs` behind slow ones gets a thread of its own.
 */
export class CodeThreads {
  readonly #settings: ThreadSettings;
  readonly #places = new Map<string, CodePlace>();
  readonly #threads = new Set<CodeThread>();
  readonly #busy = new Set<CodeThread>();
  readonly #waiting = new Set<TakeThread>();
  readonly #stuck = new Set<CodeThread>();
  #ended = 0;

  /** What the code of all threads read. */
  readonly reads: ObservedReads;

  constructor(settings: ThreadSettings, reads: ObservedReads) {
    this.#settings = settings;
    this.reads = reads;
  }

  load(place: CodePlace): Promise<FunctionShape | LoadFailure> {
    this.#places.set(place.key, place);
    return (this.#idle() ?? this.#start()).load(place);
  }

  async run(call: ThreadCall, limits: CallLimits): Promise<NodeOutcome> {
    const place = this.#places.get(call.key);
    if (place === undefined) throw new Error(`bug: ${call.key} was never loaded`);
    if (limits.signal.aborted) return canceled(call.node);
    if (this.#stuck.size >= maxThreads) return threadLost(call.node, tooManyStuck);
    const thread = this.#takeIdle() ?? (await this.#waitForThread(limits.signal));
    if (thread === undefined) return canceled(call.node);
    if (!thread.hasLoaded(place.key)) {
      const loaded = await thread.load(place);
      if (!loaded.ok || limits.signal.aborted) {
        this.#free(thread);
        return loaded.ok ? canceled(call.node) : threadLost(call.node, loaded.cause.message);
      }
    }
    return await thread.run(call, limits);
  }

  async close(): Promise<void> {
    for (const take of this.#waiting) take(undefined);
    const ends = [...this.#threads].map((thread) => (this.#busy.has(thread) ? thread.close() : thread.leave()));
    await Promise.all(ends);
  }

  #idle(): CodeThread | undefined {
    for (const thread of this.#threads) if (!this.#busy.has(thread)) return thread;
    return undefined;
  }

  #takeIdle(): CodeThread | undefined {
    const thread = this.#idle() ?? (this.#threads.size === 0 ? this.#start() : undefined);
    if (thread !== undefined) this.#busy.add(thread);
    return thread;
  }

  #waitForThread(signal: AbortSignal): Promise<CodeThread | undefined> {
    return new Promise((resolve) => {
      const take: TakeThread = (thread) => {
        clearInterval(patience);
        signal.removeEventListener('abort', stop);
        this.#waiting.delete(take);
        if (thread !== undefined) this.#busy.add(thread);
        resolve(thread);
      };
      const stop = (): void => take(undefined);
      let endedBefore = this.#ended;
      const patience = setInterval(() => {
        const areQuick = this.#ended - endedBefore >= quickCalls;
        endedBefore = this.#ended;
        const isStarting = [...this.#threads].some(({ isOnline }) => !isOnline);
        if (!areQuick && !isStarting && this.#threads.size < maxThreads) take(this.#start());
      }, patienceMs);
      signal.addEventListener('abort', stop, { once: true });
      this.#waiting.add(take);
    });
  }

  #start(): CodeThread {
    const thread = new CodeThread(this.#settings, {
      seen: (sightings) => this.reads.add(sightings),
      free: () => this.#free(thread),
    });
    this.#threads.add(thread);
    return thread;
  }

  /** Hands a thread, or what takes the place of one that has ended, to the call that has waited longest. */
  #free(thread: CodeThread): void {
    this.#ended += 1;
    this.#busy.delete(thread);
    if (thread.hasEnded) this.#threads.delete(thread);
    if (thread.isStuck) this.#stuck.add(thread);
    const [next] = this.#waiting;
    if (next !== undefined) next(thread.hasEnded ? this.#start() : thread);
  }
}

const threadsOfFlow = new ScopeSlot<CodeThreads>('code threads');

export function codeThreadsOf(context: PrepareContext): CodeThreads {
  return context.flow.kept(threadsOfFlow, () => openThreads(context));
}

function openThreads(context: PrepareContext): CodeThreads {
  const { files, environment } = context;
  const reads = new ObservedReads(readPart(context, { ...process.env }, packageLookupOf(context.flow)));
  const threads = new CodeThreads({ folder: files.folder, environment }, reads);
  context.onClose(() => threads.close());
  return threads;
}
