import type { KnownSecrets } from './known-secrets.ts';
import { runStart } from './secret-size.ts';

/** Takes secrets out of a text that comes in pieces: what may be the begin of a secret waits for the next piece. */
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
    const texts: string[] = [];
    let end = past;
    for (const place of this.#known.isEmpty ? [] : this.#known.places(whole)) {
      if (place.end > past + cut) break;
      texts.push(whole.slice(end, place.start), this.#mark);
      end = place.end;
    }
    texts.push(whole.slice(end, past + cut));
    this.#before = cut === 0 ? this.#before : text.slice(cut - 1, cut);
    this.#held = text.slice(cut);
    return texts.join('');
  }

  /**
   * Up to where no secret can have begun that goes on: the word at the end may always be the begin of one, so that when it is told
   * depends on no secret; what comes before it where all its words begin one.
   */
  #cut(text: string): number {
    const word = Math.max(runStart(text, text.length), text.length - this.#known.size.characters + 1);
    const cut = word - this.#begun(text.slice(0, word));
    const across = this.#known.places(text).find(({ start, end }) => start < cut && end > cut);
    return across?.start ?? cut;
  }

  /** Characters of the longest begin of a secret of several words with which a text ends. */
  #begun(text: string): number {
    let longest = 0;
    for (const form of this.#known.formsOfWords()) {
      for (let length = Math.min(form.length, text.length); length > longest; length -= 1) {
        if (text.endsWith(form.slice(0, length))) longest = length;
      }
    }
    return longest;
  }
}
