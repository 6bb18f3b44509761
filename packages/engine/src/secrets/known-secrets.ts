import { secretForms } from './secret-forms.ts';
import { headEnd, type SecretSize, sizeOf, tailStart } from './secret-size.ts';

/** Secrets that are known, in all their forms, and where they stand in a text. */
export class KnownSecrets {
  readonly #base: KnownSecrets | undefined;
  readonly #secrets = new Set<string>();
  readonly #anywhere = new Set<string>();
  readonly #asWord = new Set<string>();
  #beginnings: RegExp | undefined;
  #size: SecretSize | undefined;
  #words: readonly string[] | undefined;

  /** @param base whose secrets, those it learns later too, are known here as well */
  constructor(base?: KnownSecrets) {
    this.#base = base;
  }

  get isEmpty(): boolean {
    return this.#anywhere.size === 0 && this.#asWord.size === 0 && this.#base?.isEmpty !== false;
  }

  add(secret: string, which: 'long' | 'short too' = 'long'): void {
    if (this.#secrets.has(secret)) return;
    this.#secrets.add(secret);
    const { anywhere, asWord } = secretForms(secret, which);
    for (const form of anywhere) this.#anywhere.add(form);
    for (const form of asWord) this.#asWord.add(form);
    this.#beginnings = undefined;
    this.#size = undefined;
    this.#words = undefined;
  }

  /** The size of the largest, in whatever form. */
  get size(): SecretSize {
    this.#size ??= sizeOf(this.#ownForms());
    const { characters, words } = this.#base?.size ?? { characters: 0, words: 0 };
    return { characters: Math.max(characters, this.#size.characters), words: Math.max(words, this.#size.words) };
  }

  /** Every text that a stream may hold in pieces and that is more than one word. */
  *formsOfWords(): Iterable<string> {
    if (this.#base !== undefined) yield* this.#base.formsOfWords();
    this.#words ??= [...this.#ownForms()].filter((form) => /[^!-~]/.test(form));
    yield* this.#words;
  }

  *#ownForms(): Iterable<string> {
    yield* this.#anywhere;
    yield* this.#asWord;
  }

  /**
   * Secrets that overlap are replaced as one, so that nothing of either is left. Of a text that was cut, what a secret may stand in
   * that the cut halved is left out, whatever stands there: what is told tells nothing of the secrets, not even to who guesses one
   * sign by sign (docs/decisions/0015).
   */
  replaceIn(text: string, mark: string, { isEnd, isBegin }: Cut = uncut): string {
    if (this.isEmpty) return text;
    const from = isEnd ? headEnd(text, this.size) : 0;
    const to = isBegin ? tailStart(text, this.size) : text.length;
    if (!this.#mayStandIn(text)) return text.slice(from, to);
    const parts: string[] = [];
    let end = from;
    for (const place of this.places(text)) {
      if (place.end <= from || place.start >= to) continue;
      parts.push(text.slice(end, Math.max(end, place.start)), mark);
      end = place.end;
    }
    return parts.join('') + text.slice(end, to);
  }

  /** Where secrets stand, in order; those that overlap are one place. */
  places(text: string): readonly SecretPlace[] {
    const found = [
      ...(this.#base?.places(text) ?? []),
      ...[...this.#anywhere].flatMap((form) => placesOf(form, text)),
      ...[...this.#asWord].flatMap((form) => placesOf(form, text).filter((place) => isWord(place, text))),
    ];
    found.sort((one, other) => one.start - other.start);
    return merged(found);
  }

  /** Whether a text may hold one, as most hold none: told by how secrets begin, as one pattern. */
  #mayStandIn(text: string): boolean {
    const standsInBase = this.#base === undefined ? false : this.#base.#mayStandIn(text);
    if (standsInBase) return true;
    this.#beginnings ??= beginningsOf([...this.#ownForms()]);
    return this.#beginnings.test(text);
  }
}

export interface SecretPlace {
  readonly start: number;
  readonly end: number;
}

/** Where a text was cut. */
export interface Cut {
  /** Whether it begins earlier. */
  readonly isEnd: boolean;
  /** Whether it goes on. */
  readonly isBegin: boolean;
}

const uncut: Cut = { isEnd: false, isBegin: false };

/** Whole keys of some thousand characters would take V8 seconds to read. */
const beginning = 12;

function beginningsOf(forms: readonly string[]): RegExp {
  if (forms.length === 0) return /(?!)/;
  const signs = /[\\^$.*+?()[\]{}|]/g;
  return new RegExp(forms.map((form) => form.slice(0, beginning).replaceAll(signs, '\\$&')).join('|'));
}

function placesOf(form: string, text: string): SecretPlace[] {
  const places: SecretPlace[] = [];
  for (let start = text.indexOf(form); start !== -1; start = text.indexOf(form, start + 1)) {
    places.push({ start, end: start + form.length });
  }
  return places;
}

function isWord({ start, end }: SecretPlace, text: string): boolean {
  return !/\w/.test(text[start - 1] ?? '') && !/\w/.test(text[end] ?? '');
}

function merged(places: readonly SecretPlace[]): readonly SecretPlace[] {
  const all: SecretPlace[] = [];
  for (const place of places) {
    const last = all.at(-1);
    if (last === undefined || place.start >= last.end) all.push(place);
    else all[all.length - 1] = { start: last.start, end: Math.max(last.end, place.end) };
  }
  return all;
}
