/** Says each line once: what stays wrong is found again with every look. */
export class ToldLines {
  readonly #onLine: (line: string) => void;
  readonly #told = new Set<string>();

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  tell(line: string): void {
    if (this.#told.has(line)) return;
    this.#told.add(line);
    this.#onLine(line);
  }
}
