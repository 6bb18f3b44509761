import { endOfText } from '@unroll/engine';

/** The end of what a process writes. */
export class KeptEnd {
  readonly #most: number;
  readonly #decoder = new TextDecoder();
  #text = '';
  #length = 0;

  /** @param most characters that are kept */
  constructor(most: number) {
    this.#most = most;
  }

  add(bytes: Uint8Array): void {
    const text = this.#decoder.decode(bytes, { stream: true });
    this.#length += text.length;
    this.#text = (this.#text + text).slice(-this.#most);
  }

  /** Secrets are yet to be taken from it. */
  get text(): string {
    return endOfText(this.#text, this.#most, this.#length);
  }
}
