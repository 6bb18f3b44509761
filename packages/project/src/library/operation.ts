import { AsyncLocalStorage } from 'node:async_hooks';
import { ownEvent } from '../host/own-event.ts';

/**
 * Work under way. Its events come to everybody who iterates: all of them to who begins before the next await, later ones to who
 * begins later. Who leaves the loop asks the work to stop. Nothing is kept of events for nobody.
 */
export interface Operation<Event, Result> extends AsyncIterable<Event> {
  /** Rejected with what ended the work. */
  readonly result: Promise<Result>;
}

type Fail = (error: unknown) => void;

const underWay = new AsyncLocalStorage<Fail>();

/** Ends the operation in which this is called with an error that comes later; undefined where none is under way. */
export function failLater(): Fail | undefined {
  return underWay.getStore();
}

/**
 * Starts work after what runs now.
 *
 * @param work is given where its events go, and a signal that is aborted when it is to stop
 * @param given stops the work as well
 */
export function startOperation<Event, Result>(
  work: (emit: (event: Event) => void, signal: AbortSignal) => Promise<Result>,
  given?: AbortSignal,
): Operation<Event, Result> {
  const stop = new AbortController();
  const signal = given === undefined ? stop.signal : AbortSignal.any([given, stop.signal]);
  const queues = new Set<EventQueue<Event>>();
  const emit = (event: Event): void => {
    for (const queue of queues) queue.add(ownEvent(event));
  };
  let hasEnded = false;
  const failures: unknown[] = [];
  const fail: Fail = (error) => {
    // Nobody waits for it any more: it is told as any promise that nobody waits for.
    if (hasEnded) void Promise.reject(error);
    failures.push(error);
    stop.abort();
  };
  const result = Promise.resolve()
    .then(() => underWay.run(fail, () => work(emit, signal)))
    .finally(() => {
      if (failures.length > 0) throw failures[0];
    })
    .finally(() => {
      hasEnded = true;
      for (const queue of queues) queue.wake();
    });
  // Told by the iterator where nobody asks for the result.
  result.catch(() => undefined);
  async function* events(queue: EventQueue<Event>): AsyncGenerator<Event, void> {
    try {
      for (;;) {
        yield* queue.take();
        if (hasEnded && queue.isEmpty) break;
        if (queue.isEmpty) await queue.more();
      }
      await result;
    } finally {
      queues.delete(queue);
      if (!hasEnded) stop.abort();
    }
  }
  return {
    result,
    [Symbol.asyncIterator]: () => {
      const queue = new EventQueue<Event>();
      queues.add(queue);
      return events(queue);
    },
  };
}

/** Events for one who iterates. */
class EventQueue<Event> {
  private waiting: Event[] = [];
  private notify: (() => void) | undefined;

  get isEmpty(): boolean {
    return this.waiting.length === 0;
  }

  add(event: Event): void {
    this.waiting.push(event);
    this.wake();
  }

  wake(): void {
    this.notify?.();
    this.notify = undefined;
  }

  take(): readonly Event[] {
    const taken = this.waiting;
    this.waiting = [];
    return taken;
  }

  more(): Promise<void> {
    return new Promise((resolve) => {
      this.notify = resolve;
    });
  }
}
