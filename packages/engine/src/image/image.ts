import { createHash } from 'node:crypto';
import type { JsonValue } from '../value/json.ts';
import { isPlainObject } from '../value/plain-object.ts';

/**
 * A picture on its way between nodes: its bytes, its kind, and the address it came from if any. In prompts it prints as
 * `Image(<first 8 hex digits of its SHA-1>)`; in records it is a mapping, `{"data:image/png;base64": …}`
 * or `{"data:image/png;url": …}`.
 */
export class Image {
  readonly #bytes: Uint8Array;
  readonly #mimeType: string;
  readonly #sourceUrl: string | undefined;

  /** @param mimeType told from the bytes where absent; `image/*` where they tell nothing */
  constructor(bytes: Uint8Array, mimeType?: string, sourceUrl?: string) {
    this.#bytes = bytes;
    this.#mimeType = (mimeType ?? sniffImage(bytes) ?? 'image/*').toLowerCase();
    this.#sourceUrl = sourceUrl;
    Image.#anyMade = true;
  }

  static #anyMade = false;

  /** Whether any image was ever made: where none was, values need not be searched for them. */
  static get anyMade(): boolean {
    return Image.#anyMade;
  }

  static bytesOf(image: Image): Uint8Array {
    return image.#bytes;
  }

  static mimeTypeOf(image: Image): string {
    return image.#mimeType;
  }

  static sourceUrlOf(image: Image): string | undefined {
    return image.#sourceUrl;
  }

  static base64Of(image: Image): string {
    return Buffer.from(image.#bytes).toString('base64');
  }

  toString(): string {
    return `Image(${createHash('sha1').update(this.#bytes).digest('hex').slice(0, 8)})`;
  }

  toJSON(): JsonValue {
    if (this.#sourceUrl !== undefined) return { [`data:${this.#mimeType};url`]: this.#sourceUrl };
    return { [`data:${this.#mimeType};base64`]: Image.base64Of(this) };
  }
}

/** Replaces images at any depth; the same value where there are none. */
export function replaceImages(value: JsonValue, replace: (image: Image) => JsonValue): JsonValue {
  if (!Image.anyMade) return value;
  const current: unknown = value;
  if (current instanceof Image) return replace(current);
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => replaceImages(item, replace));
  if (typeof current !== 'object' || current === null || !isPlainObject(current)) return value;
  const entries = Object.entries(value as { readonly [key: string]: JsonValue });
  return Object.fromEntries(entries.map(([key, member]) => [key, replaceImages(member, replace)]));
}

/** Images at any depth of a value, in order. */
export function imagesIn(value: unknown): readonly Image[] {
  if (!Image.anyMade) return [];
  if (value instanceof Image) return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(imagesIn);
}

/** An image as a value that travels between nodes. */
export function imageValue(image: Image): JsonValue {
  return image as unknown as JsonValue;
}

const signatures: readonly (readonly [mimeType: string, at: number, bytes: string])[] = [
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/png', 0, '\x89PNG'],
  ['image/gif', 0, 'GIF'],
  ['image/webp', 8, 'WEBP'],
  ['image/bmp', 0, 'BM'],
  ['image/tiff', 0, 'II*\0'],
  ['image/tiff', 0, 'MM\0*'],
  ['image/x-icon', 0, '\0\0\x01\0'],
  ['image/vnd.adobe.photoshop', 0, '8BPS'],
  ['image/vnd.ms-photo', 0, 'II\xbc'],
  ['image/avif', 4, 'ftypavif'],
  ['image/heic', 4, 'ftypheic'],
  ['image/jp2', 4, 'jP  '],
];

/** The kind that the bytes tell; undefined where they are none that is known. */
export function sniffImage(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  return signatures.find(([, at, signature]) => head.startsWith(signature, at))?.[0];
}
