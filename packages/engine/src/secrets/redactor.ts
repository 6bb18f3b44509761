import { Float } from '../value/float.ts';
import type { JsonValue } from '../value/json.ts';
import { isPlainObject } from '../value/plain-object.ts';
import { cutParts } from './cut-text.ts';
import { KnownSecrets } from './known-secrets.ts';
import { RedactedPieces } from './redacted-pieces.ts';
import { RedactedStream } from './redacted-stream.ts';
import { isNamedSecret, secretParts, secretsInVariable } from './secret-parts.ts';
import { secretMark, withoutKeys, withoutPlainKeys } from './secret-patterns.ts';

/** What holds secrets, as far as the redactor looks at it. */
export interface SecretHolder {
  readonly configs: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
}

/**
 * The one that takes secrets out of what is shown, written or sent on. It knows the secrets it has learnt, in every form of
 * `secretForms`: these are replaced by `***` in all texts. In texts about a call (errors, logs, headers) so is whatever has the form of
 * a key, known or not (`secretPatterns`). One for all that is read with the same connections; as long as it has learnt nothing,
 * texts of data and values cost nothing.
 */
export class Redactor {
  readonly #known: KnownSecrets;

  constructor(base?: Redactor) {
    this.#known = new KnownSecrets(base === undefined ? undefined : base.#known);
  }

  /** One that knows these secrets beside all that this one knows or learns later; this one does not learn them. */
  with(secrets: readonly string[]): Redactor {
    const redactor = new Redactor(this);
    for (const secret of secrets) redactor.learn(secret);
    return redactor;
  }

  /** The same of texts that are to be hidden whatever they are: short ones, and words of a language, as words of their own. */
  withShort(texts: readonly string[]): Redactor {
    const redactor = new Redactor(this);
    for (const text of texts) redactor.#known.add(text, 'short too');
    return redactor;
  }

  /** Whether it knows no secret: values then stay as they are. */
  get isEmpty(): boolean {
    return this.#known.isEmpty;
  }

  /** A secret, and the secrets within it. */
  learn(secret: string): void {
    for (const one of [secret, ...secretParts(secret)]) this.#known.add(one);
  }

  /** The secrets of a connection, and what is secret among the rest of it: by its name, or as a part of an address. */
  learnConnection({ configs, secrets }: SecretHolder): void {
    for (const secret of Object.values(secrets)) this.learn(secret);
    this.learnEnvironment(configs);
  }

  /** The variables that are secret by their names and look so, and what is secret in the others. */
  learnEnvironment(variables: Readonly<Record<string, string | undefined>>): void {
    for (const [name, value = ''] of Object.entries(variables)) {
      if (isNamedSecret(name, value)) this.learn(value);
      else for (const part of secretsInVariable(name, value)) this.#known.add(part);
    }
  }

  /** A text of data without the secrets that are known. */
  text(text: string): string {
    return this.#known.replaceIn(text, secretMark);
  }

  /**
   * A text about a call (an error, a log, headers) without the secrets that are known and whatever has the form of a key. Where it
   * was cut, as notes in it tell (`cutText`), what may be the begin or the end of a secret is taken out too.
   */
  message(text: string): string {
    if (this.isEmpty || !text.includes('…')) return withoutKeys(this.text(text));
    return cutParts(text)
      .map((part) => withoutKeys(this.#known.replaceIn(part.text, secretMark, part)) + part.note)
      .join('');
  }

  /** A value without the secrets that are known in any of its texts and keys; the value itself where there are none. */
  value<Kind extends JsonValue | undefined>(value: Kind): Kind {
    return this.#known.isEmpty ? value : (replaced(value, (text) => this.text(text)) as Kind);
  }

  /** As `value`, and what can be nothing but a key: for files that are handed on. */
  sharedValue<Kind extends JsonValue | undefined>(value: Kind): Kind {
    return replaced(value, (text) => withoutPlainKeys(this.text(text))) as Kind;
  }

  /** As `value`, and whatever has the form of a key: for what is told about a call. */
  messageValue<Kind extends JsonValue | undefined>(value: Kind): Kind {
    return replaced(value, (text) => this.message(text)) as Kind;
  }

  /** Whether a value holds a secret that is known. */
  isIn(value: JsonValue | undefined): boolean {
    return this.value(value) !== value;
  }

  /** Text of data that comes piece by piece: a secret may begin in one and end in a later one. */
  stream(): RedactedStream {
    return new RedactedStream(this.#known, secretMark);
  }

  /** The same, told in the pieces it came in. */
  pieces(): RedactedPieces {
    return new RedactedPieces(this.stream());
  }
}

/** A redactor that knows one connection: for a service that is asked outside of a flow. */
export function redactorOf(...connections: readonly SecretHolder[]): Redactor {
  const redactor = new Redactor();
  for (const connection of connections) redactor.learnConnection(connection);
  return redactor;
}

/** The value with every text in it replaced; parts in which nothing is replaced stay the same objects. */
function replaced(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value);
  if (typeof value !== 'object' || value === null || value instanceof Float) return value;
  if (Array.isArray(value)) return replacedList(value, replace);
  if (isPlainObject(value)) return replacedMapping(value as Readonly<Record<string, unknown>>, replace);
  return replacedOther(value, replace);
}

function replacedList(list: readonly unknown[], replace: (text: string) => string): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let at = 0; at < list.length; at += 1) {
    const member = replaced(list[at], replace);
    if (member === list[at]) continue;
    copy ??= list.slice();
    copy[at] = member;
  }
  return copy ?? list;
}

function replacedMapping(
  mapping: Readonly<Record<string, unknown>>,
  replace: (text: string) => string,
): Readonly<Record<string, unknown>> {
  const keys = Object.keys(mapping);
  let copy: (readonly [string, unknown])[] | undefined;
  for (const [at, key] of keys.entries()) {
    const [name, member] = [replace(key), replaced(mapping[key], replace)];
    if (copy === undefined && name === key && member === mapping[key]) continue;
    copy ??= keys.slice(0, at).map((before) => [before, mapping[before]]);
    copy.push([name, member]);
  }
  return copy === undefined ? mapping : Object.fromEntries(copy);
}

/** What is no JSON is shown as what it says of itself. */
function replacedOther(value: object, replace: (text: string) => string): unknown {
  if (!('toJSON' in value) || typeof value.toJSON !== 'function') return value;
  const shown: unknown = value.toJSON();
  const cleaned = shown === value ? shown : replaced(shown, replace);
  return cleaned === shown ? value : cleaned;
}
