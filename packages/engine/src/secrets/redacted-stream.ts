import type { KnownSecrets } from './known-secrets.ts';

/** Takes secrets out of a text that comes in pieces: what may be the beginning of a secret waits for the next piece. */
export class RedactedStream {
  readonly #known: KnownSecrets;
  readonly #mark: string;
  /** The last character that was let through. */
  #before = '';
  #held = '';

  constructor(known: KnownSecrets, mark: string) {
    this.#known = known;
    this.#mark = mark;
  }

  /** @returns what can be told now; `''` where all of it waits */
  push(piece: string): string {
    const text = this.#held + piece;
    return this.#letThrough(text, this.#known.isEmpty ? text.length : this.#cut(text));
  }

  /** @returns what is left */
  end(): string {
    return this.#letThrough(this.#held, this.#held.length);
  }

  #letThrough(text: string, cut: number): string {
    const past = this.#before.length;
    const whole = this.#before + text;
    const told: string[] = [];
    let end = past;
    for (const place of this.#known.isEmpty ? [] : this.#known.places(whole)) {
      if (place.end > past + cut) break;
      told.push(whole.slice(end, place.start), this.#mark);
      end = place.end;
    }
    told.push(whole.slice(end, past + cut));
    this.#before = cut === 0 ? this.#before : text.slice(cut - 1, cut);
    this.#held = text.slice(cut);
    return told.join('');
  }

  /** Up to where no secret can have begun that goes on. */
  #cut(text: string): number {
    let longest = 0;
    for (const form of this.#known.forms()) {
      for (let length = Math.min(form.length, text.length); length > longest; length -= 1) {
        if (text.endsWith(form.slice(0, length))) longest = length;
      }
    }
    const cut = text.length - longest;
    const across = this.#known.places(text).find(({ start, end }) => start < cut && end > cut);
    return across?.start ?? cut;
  }
}
