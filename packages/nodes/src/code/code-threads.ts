import {
  type NodeOutcome,
  NumberMap,
  offAbort,
  onAbort,
  type PrepareContext,
  ScopeSlot,
  timedOut,
} from '@unroll/engine';
import { packageLookupOf } from '../identity/package-imports.ts';
import { ObservedReads } from '../observe/observed-reads.ts';
import { readPart } from '../observe/parts-now.ts';
import type { CodePlace } from './code-place.ts';
import { CodeThread } from './code-thread.ts';
import { canceled } from './run-function.ts';
import type { FunctionShape, LoadFailure, ThreadCall, ThreadSettings } from './thread-messages.ts';

/** Most threads of one flow: so many functions may compute without end before the others have to wait. */
const mostThreads = 8;
const pingMs = 100;
/** A thread that was silent for so many pings is held up: what waits there goes to another. */
const pingsHeldUp = 8;
/** After so many, what had begun beside the function that computes begins anew elsewhere. */
const pingsGivenUp = 100;
/** Milliseconds a thread has to give a sign, and a call that is stopped to end by itself. */
const signMs = 200;
const stopMs = 1000;

interface WaitingCall {
  call: ThreadCall;
  readonly resolve: (outcome: NodeOutcome) => void;
  readonly timeLimitMs: number | undefined;
  /** Where it is; absent while it waits for a thread. */
  seat: Seat | undefined;
  /** One of several that may have held up or ended a thread: it runs alone, so that its fault is seen to be its own. */
  isSuspect: boolean;
  isStopped: boolean;
  /** Why it began anew, where it had begun before. */
  beganAnew: string | undefined;
  timer: NodeJS.Timeout | undefined;
}

interface Seat {
  readonly thread: CodeThread;
  readonly calls: NumberMap<WaitingCall>;
  silentPings: number;
  isAlone: boolean;
}

export type CodeThreadCall = Omit<ThreadCall, 'number'>;

export interface CallLimits {
  readonly signal: AbortSignal;
  readonly timeLimitMs?: number | undefined;
}

/**
 * The threads in which the TypeScript and JavaScript of one flow runs. All of it runs in one of them, so that modules have
 * one state, until a function computes so long that others would wait: they go on in a second thread. A function that
 * computes beyond its time limit is ended with its thread; what had begun beside it begins anew in another.
 */
export class CodeThreads {
  readonly #settings: Omit<ThreadSettings, 'shared'>;
  readonly #places = new Map<string, CodePlace>();
  readonly #seats = new Set<Seat>();
  readonly #suspects: WaitingCall[] = [];
  #lastNumber = 0;
  #timer: NodeJS.Timeout | undefined;

  /** What the code of all threads read. */
  readonly reads: ObservedReads;

  constructor(settings: Omit<ThreadSettings, 'shared'>, reads: ObservedReads) {
    this.#settings = settings;
    this.reads = reads;
  }

  async load(place: CodePlace): Promise<FunctionShape | LoadFailure> {
    this.#places.set(place.key, place);
    const seat = this.#freeSeat();
    const loaded = await seat.thread.load(place);
    seat.thread.hold(seat.calls.size > 0);
    return loaded;
  }

  /** The time limit counts from when the function begins: a call may wait for others before. */
  run(call: CodeThreadCall, { signal, timeLimitMs }: CallLimits): Promise<NodeOutcome> {
    if (signal.aborted) return Promise.resolve(canceled(call.node));
    return new Promise((resolve) => {
      const stop = (): void => this.#stop(waiting, canceled(call.node));
      const waiting: WaitingCall = {
        call: { ...call, number: 0 },
        resolve: (outcome) => {
          offAbort(signal, stop);
          clearTimeout(waiting.timer);
          resolve(waiting.beganAnew === undefined ? outcome : withWarning(outcome, waiting.beganAnew));
        },
        timeLimitMs,
        seat: undefined,
        isSuspect: false,
        isStopped: false,
        beganAnew: undefined,
        timer: undefined,
      };
      onAbort(signal, stop);
      this.#send(waiting);
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([...this.#seats].map(({ thread }) => thread.close()));
    this.#seats.clear();
  }

  /** Numbers grow in each thread in the order in which it gets its calls. */
  #send(waiting: WaitingCall): void {
    const seat = waiting.isSuspect ? this.#emptySeat() : this.#freeSeat();
    if (seat === undefined) {
      this.#suspects.push(waiting);
      return;
    }
    seat.isAlone = waiting.isSuspect;
    const { key, node } = waiting.call;
    if (!seat.thread.hasLoaded(key)) {
      const place = this.#places.get(key);
      if (place === undefined) throw new Error(`bug: ${key} was never loaded`);
      void seat.thread.load(place).then((loaded) => {
        if (loaded.ok) this.#send(waiting);
        else waiting.resolve(crashed(node, loaded.cause.message));
      });
      return;
    }
    if (waiting.isStopped) return;
    this.#lastNumber += 1;
    waiting.call = { ...waiting.call, number: this.#lastNumber };
    waiting.seat = seat;
    if (seat.calls.size === 0) seat.thread.hold(true);
    seat.calls.set(this.#lastNumber, waiting);
    seat.thread.send(waiting.call);
    this.#keepTime(waiting);
    this.#timer ??= setInterval(() => this.#lookRound(), pingMs).unref();
  }

  #freeSeat(): Seat {
    for (const seat of this.#seats) if (!isHeldUp(seat) && !seat.isAlone) return seat;
    if (this.#seats.size < mostThreads) return this.#newSeat();
    return [...this.#seats].reduce((one, other) => (other.calls.size < one.calls.size ? other : one));
  }

  #emptySeat(): Seat | undefined {
    for (const seat of this.#seats) if (seat.isAlone && seat.calls.size === 0) return seat;
    return this.#seats.size < mostThreads ? this.#newSeat() : undefined;
  }

  #newSeat(): Seat {
    const seat: Seat = {
      calls: new NumberMap(),
      silentPings: 0,
      isAlone: false,
      thread: new CodeThread(this.#settings, {
        seen: (sightings) => this.reads.add(sightings),
        ended: (number, outcome) => this.#take(seat, number)?.resolve(outcome),
        left: (number) => this.#again(seat, number),
        gone: (computing, why) => this.#gone(seat, computing, why),
      }),
    };
    this.#seats.add(seat);
    return seat;
  }

  #take(seat: Seat, number: number): WaitingCall | undefined {
    const waiting = seat.calls.get(number);
    seat.calls.delete(number);
    if (waiting !== undefined) waiting.seat = undefined;
    if (seat.calls.size === 0) this.#emptied(seat);
    return waiting;
  }

  #emptied(seat: Seat): void {
    seat.thread.hold(false);
    const next = this.#suspects.shift();
    if (next !== undefined) queueMicrotask(() => this.#send(next));
  }

  #again(seat: Seat, number: number, change: Partial<Pick<WaitingCall, 'isSuspect' | 'beganAnew'>> = {}): void {
    const waiting = this.#take(seat, number);
    if (waiting === undefined) return;
    this.#send(Object.assign(waiting, change));
  }

  /** What has begun beside a call that holds the thread up cannot end there: its first beginning is told to stop. */
  #anew(seat: Seat, number: number, isSuspect: boolean, why: string): void {
    seat.thread.abort(number);
    const hadBegun = seat.thread.hasBegun(number);
    this.#again(seat, number, { ...(isSuspect ? { isSuspect } : {}), ...(hadBegun ? { beganAnew: why } : {}) });
  }

  /** A call that is over its limit is to blame where its thread gives signs, or where it is what computes there. */
  #keepTime(waiting: WaitingCall): void {
    const { timeLimitMs, call, seat } = waiting;
    clearTimeout(waiting.timer);
    if (timeLimitMs === undefined || seat === undefined) return;
    const isHere = (): boolean => waiting.seat === seat && waiting.call.number === call.number;
    const end = (): void => {
      if (!isHere()) return;
      const isOther = seat.thread.isSilent() && seat.thread.computing() !== call.number && seat.calls.size > 1;
      if (!isOther) this.#stop(waiting, timedOut(call.node, timeLimitMs));
      else if (seat.thread.computing() === 0) this.#replace(seat, true);
      else waiting.timer = setTimeout(end, signMs);
    };
    waiting.timer = setTimeout(() => {
      if (!isHere()) return;
      if (!seat.thread.hasBegun(call.number)) {
        this.#keepTime(waiting);
        return;
      }
      seat.thread.ping();
      waiting.timer = setTimeout(end, signMs);
    }, timeLimitMs);
  }

  /** Where a thread gives no sign, what has not begun there goes to another; in the end also what has. */
  #lookRound(): void {
    for (const seat of [...this.#seats]) if (seat.calls.size > 0) this.#look(seat);
    if ([...this.#seats].some(({ calls }) => calls.size > 0)) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(seat: Seat): void {
    seat.silentPings = seat.thread.ping();
    if (!isHeldUp(seat) || isHeldUp(this.#freeSeat())) return;
    const lastBegun = seat.thread.takeBack();
    for (const number of seat.calls.keys()) if (number > lastBegun) this.#again(seat, number);
    if (seat.silentPings >= pingsGivenUp && seat.calls.size > 1) this.#giveUp(seat);
  }

  #giveUp(seat: Seat): void {
    const computing = seat.thread.computing();
    if (computing === 0) {
      this.#replace(seat, true);
      return;
    }
    const why = heldUpBy(seat.calls.get(computing));
    for (const number of seat.calls.keys()) if (number !== computing) this.#anew(seat, number, false, why);
  }

  /** It may end by itself; else its thread is ended, unless another call computes there. */
  #stop(waiting: WaitingCall, outcome: NodeOutcome): void {
    const { seat, call } = waiting;
    waiting.isStopped = true;
    if (outcome.ok || outcome.canceled !== true) waiting.resolve(outcome);
    seat?.thread.abort(call.number);
    setTimeout(() => {
      waiting.resolve(outcome);
      if (seat?.calls.get(call.number) !== waiting) return;
      this.#take(seat, call.number);
      const computing = seat.thread.computing();
      if (computing === call.number || (computing === 0 && seat.thread.isSilent())) this.#replace(seat, false, waiting);
    }, stopMs).unref();
  }

  #replace(seat: Seat, areSuspects: boolean, guilty?: WaitingCall): void {
    void seat.thread.close();
    this.#seats.delete(seat);
    this.#beginAnew(seat, areSuspects, guilty);
  }

  #gone(seat: Seat, computing: number, why: string): void {
    this.#seats.delete(seat);
    const [only] = seat.calls.size === 1 ? seat.calls.keys() : [];
    const guilty = this.#take(seat, computing === 0 ? (only ?? 0) : computing);
    guilty?.resolve(crashed(guilty.call.node, why));
    this.#beginAnew(seat, guilty === undefined, guilty);
  }

  #beginAnew(seat: Seat, areSuspects: boolean, guilty: WaitingCall | undefined): void {
    for (const number of seat.calls.keys()) this.#anew(seat, number, areSuspects, heldUpBy(guilty));
    this.#emptied(seat);
  }
}

/** @param guilty absent where it is not known which of several it was */
function heldUpBy(guilty: WaitingCall | undefined): string {
  const other = guilty === undefined ? 'another function' : `node '${guilty.call.node}' of row ${guilty.call.line}`;
  return `it began twice: the thread in which it had begun was held up or ended by ${other}`;
}

function withWarning(outcome: NodeOutcome, warning: string): NodeOutcome {
  const { warnings = [] } = outcome.report ?? {};
  return { ...outcome, report: { ...outcome.report, warnings: [...warnings, warning] } };
}

function isHeldUp({ silentPings }: Seat): boolean {
  return silentPings >= pingsHeldUp;
}

function crashed(node: string, why: string): NodeOutcome {
  const message = `node '${node}' lost the thread it ran in: ${why}`;
  return {
    ok: false,
    error: { code: 'WorkerCrashed', message, retryable: true, codes: ['UserError', 'WorkerCrashed'] },
  };
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
