import { setTimeout } from 'node:timers/promises';

/** Answers that are being made: what can wait begins when there was nothing to do for a while. */
export class WorkUnderWay {
  private readonly works = new Set<Promise<unknown>>();
  private begun = 0;

  async during<T>(work: () => Promise<T>): Promise<T> {
    const made = work();
    this.begun += 1;
    this.works.add(made);
    try {
      return await made;
    } finally {
      this.works.delete(made);
    }
  }

  /** @param quietMs in which nothing began; a page asks for what it shows first in several requests */
  async over(quietMs: number): Promise<void> {
    let before: number;
    do {
      await Promise.allSettled(this.works);
      before = this.begun;
      await setTimeout(quietMs);
    } while (this.begun > before || this.works.size > 0);
  }
}
