import { setTimeout } from 'node:timers/promises';

/** How long a page waits for what takes long at many rows; then it comes without, and `ready` tells when it is there. */
const patienceMs = 250;

/** Waits for what a page needs, and tells the page of what came too late. */
export class Patience {
  private readonly isEndless: boolean;
  private readonly reportReady: (run: string) => void;
  /** Runs of which something is awaited. */
  private readonly waiting = new Set<string>();

  constructor(isEndless: boolean, reportReady: (run: string) => void) {
    this.isEndless = isEndless;
    this.reportReady = reportReady;
  }

  /** @returns undefined where it takes long; the page of the run is told once it is there */
  async with<T>(run: string, work: Promise<T>, patience = patienceMs): Promise<T | undefined> {
    if (this.isEndless) return await work;
    const over = new AbortController();
    const late = setTimeout(patience, undefined, { signal: over.signal }).catch(() => undefined);
    const done = await Promise.race([work, late]).finally(() => over.abort());
    if (done === undefined && !this.waiting.has(run)) {
      this.waiting.add(run);
      const tell = (): void => {
        this.waiting.delete(run);
        this.reportReady(run);
      };
      work.then(tell, tell);
    }
    return done;
  }
}
