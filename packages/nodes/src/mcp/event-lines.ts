/** Lines of one stream of events, of which a message takes two: many small ones cost more than few large ones. */
const maxLines = 20_000;

export class TooManyLines extends Error {
  constructor() {
    super(`a stream of more than ${maxLines} lines`);
  }
}

/** A line that may ask for a wait, or give an event an id, and of which the rest has not come. */
const begun = /(?<=[\r\n])(?:i|id|r|re|ret|retr|retry|retry:[^\r\n]*)$/;
const wait = /(?<=[\r\n])retry:([^\r\n]*)(?=[\r\n])/g;
const id = /(?<=[\r\n])id:/;

/**
 * The text of a stream of events (WHATWG HTML, 9.2), in whatever pieces it comes, without the waits it asks for: they become
 * comments.
 */
export class EventLines {
  readonly #onWait: (milliseconds: number) => void;
  #held = '';
  /** The last character that was let through. */
  #before = '\n';
  #lines = 0;
  #hasId = false;

  /** @param onWait told the waits */
  constructor(onWait: (milliseconds: number) => void) {
    this.#onWait = onWait;
  }

  /** Whether an event had an id: a client may ask for the rest of such a stream. */
  get canGoOn(): boolean {
    return this.#hasId;
  }

  /** @throws TooManyLines */
  push(piece: string): string {
    this.#count(piece);
    const whole = this.#before + this.#held + piece;
    const at = whole.search(begun);
    const known = at === -1 ? whole : whole.slice(0, at);
    this.#held = at === -1 ? '' : whole.slice(at);
    this.#before = known.at(-1) ?? '\n';
    this.#hasId ||= id.test(known);
    const kept = known.replace(wait, (_, asked: string) => {
      if (/^ ?\d+$/.test(asked)) this.#onWait(Number(asked));
      return ':';
    });
    return kept.slice(1);
  }

  #count(piece: string): void {
    for (let at = piece.indexOf('\n'); at !== -1; at = piece.indexOf('\n', at + 1)) this.#lines += 1;
    if (this.#lines > maxLines) throw new TooManyLines();
  }
}
