import type { JsonValue } from './json.ts';
import { type RemoteRead, RemoteValue } from './remote-value.ts';

/**
 * A date or a point in time written in YAML, which Python reads as an object of its own: it can be given to code and made
 * a text, and it is no JSON.
 */
export class PythonDate extends RemoteValue {
  readonly #text: string;
  readonly #hasTime: boolean;

  /** @param text ISO 8601: `2024-01-02` or `2024-01-02T03:04:05` */
  constructor(text: string) {
    super();
    this.#text = text;
    this.#hasTime = text.includes('T');
  }

  /** ISO 8601. */
  static isoOf(date: PythonDate): string {
    return date.#text;
  }

  /** Python's `str` of it. */
  override toString(): string {
    return this.#text.replace('T', ' ');
  }

  toJSON(): string {
    return this.toString();
  }

  read(path: string): Promise<RemoteRead> {
    const message = `'${this.#typeName()}' object has no attribute '${path}'`;
    return Promise.resolve({ ok: false, error: { type: 'AttributeError', message } });
  }

  give(): Promise<RemoteRead> {
    const message = `Object of type ${this.#typeName()} is not JSON serializable`;
    return Promise.resolve({ ok: false, error: { type: 'TypeError', message } });
  }

  readonly isStream = false;

  taken(): Promise<JsonValue> {
    return Promise.resolve(this.toString());
  }

  #typeName(): string {
    return this.#hasTime ? 'datetime' : 'date';
  }
}
