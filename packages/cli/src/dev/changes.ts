/** Milliseconds without a further change after which what changed is taken up: editors write several files, and some of them twice. */
const quietMs = 50;

const maxNamed = 8;

/** What changed, in one line: a checkout or a tool may change thousands of files at once. */
export function changedNames(paths: readonly string[]): string {
  const named = paths.slice(0, maxNamed).map((path) => (/\p{Cc}/u.test(path) ? JSON.stringify(path) : path));
  const others = paths.length - named.length;
  return others === 0 ? named.join(', ') : `${named.join(', ')} and ${others.toLocaleString('en')} more`;
}

/** Collects what changes until somebody asks for it. */
export class Changes<Subject> {
  readonly #changed = new Map<Subject, Set<string>>();
  #onChange: (() => void) | undefined;

  add(subject: Subject, path: string): void {
    const paths = this.#changed.get(subject) ?? new Set();
    this.#changed.set(subject, paths.add(path));
    this.#onChange?.();
  }

  /** What changed since it was asked before, once there is something and nothing more follows; nothing where it is stopped. */
  async next(stop: AbortSignal): Promise<ReadonlyMap<Subject, ReadonlySet<string>>> {
    await this.#quiet(stop);
    const changed = new Map(this.#changed);
    this.#changed.clear();
    return stop.aborted ? new Map() : changed;
  }

  #quiet(stop: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const done = (): void => {
        clearTimeout(timer);
        stop.removeEventListener('abort', done);
        this.#onChange = undefined;
        resolve();
      };
      this.#onChange = () => {
        clearTimeout(timer);
        timer = setTimeout(done, quietMs);
      };
      stop.addEventListener('abort', done, { once: true });
      if (stop.aborted) done();
      else if (this.#changed.size > 0) this.#onChange();
    });
  }
}
