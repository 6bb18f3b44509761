import { createHash, hash } from 'node:crypto';
import type { JsonObject, JsonValue } from '@unroll/engine';

/** What an index holds: an entry of an FAQ, a section of a guideline, a page. */
export interface IndexDocument {
  /** Unique in its index. */
  readonly id: string;
  readonly title?: string;
  readonly text: string;
  /** Everything else that is known of it: hits carry it, filters ask for it, and its texts are searched too. */
  readonly fields: JsonObject;
}

/**
 * Of all that is kept of a document; 16 bytes.
 *
 * @param fields as JSON
 */
export function documentDigest({ title, text }: IndexDocument, fields: string): Uint8Array {
  return digestOf(`${title ?? ''}\0${text}\0${fields}`);
}

/** What a vector is made of. */
export function embeddedText({ title, text }: Pick<IndexDocument, 'title' | 'text'>): string {
  return title === undefined ? text : `${title}\n${text}`;
}

/** Of what a vector is made of; 16 bytes. */
export function contentDigest(document: Pick<IndexDocument, 'title' | 'text'>): Uint8Array {
  return digestOf(embeddedText(document));
}

function digestOf(text: string): Uint8Array {
  return hash('sha256', text, 'buffer').subarray(0, 16);
}

/** All texts in a value, at any depth. */
export function textsIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

export function fileDigest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 32);
}
