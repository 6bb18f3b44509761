import { secretForms } from './secret-forms.ts';
import { TextFinder } from './text-finder.ts';

/** Secrets that are known, in all their forms, and where they stand in a text. */
export class KnownSecrets {
  readonly #base: KnownSecrets | undefined;
  readonly #secrets = new Set<string>();
  readonly #anywhere = new Set<string>();
  readonly #asWord = new Set<string>();
  #finder: TextFinder | undefined;

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
    this.#finder = undefined;
  }

  /** Every text that a stream may hold in pieces. */
  *forms(): Iterable<string> {
    if (this.#base !== undefined) yield* this.#base.forms();
    yield* this.#ownForms();
  }

  *#ownForms(): Iterable<string> {
    yield* this.#anywhere;
    yield* this.#asWord;
  }

  /** Secrets that overlap are replaced as one, so that nothing of either is left; so is what a cut left of one. */
  replaceIn(text: string, mark: string, { isEnd, isBegin }: Cut = uncut): string {
    const left = [...(isEnd ? this.#endsIn(text) : []), ...(isBegin ? this.#beginsIn(text) : [])];
    if (this.isEmpty || (left.length === 0 && !this.isIn(text))) return text;
    const parts: string[] = [];
    let end = 0;
    for (const place of merged([...this.places(text), ...left].sort((one, other) => one.start - other.start))) {
      parts.push(text.slice(end, place.start), mark);
      end = place.end;
    }
    return parts.join('') + text.slice(end);
  }

  /** The longest begin of a secret with which a text ends. */
  #beginsIn(text: string): readonly SecretPlace[] {
    const length = this.#longest((form, part) => text.endsWith(form.slice(0, part)), text.length);
    return length === 0 ? [] : [{ start: text.length - length, end: text.length }];
  }

  /** The longest end of a secret with which a text begins. */
  #endsIn(text: string): readonly SecretPlace[] {
    const length = this.#longest((form, part) => text.startsWith(form.slice(-part)), text.length);
    return length === 0 ? [] : [{ start: 0, end: length }];
  }

  #longest(isThere: (form: string, part: number) => boolean, most: number): number {
    let longest = 0;
    for (const form of this.forms()) {
      for (let part = Math.min(form.length, most); part > longest; part -= 1) if (isThere(form, part)) longest = part;
    }
    return longest;
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

  /** Whether a text may hold one: what is a secret only as a word of its own is taken for one anywhere. */
  isIn(text: string): boolean {
    if (this.#base?.isIn(text) === true) return true;
    this.#finder ??= new TextFinder([...this.#ownForms()]);
    return this.#finder.isIn(text);
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
