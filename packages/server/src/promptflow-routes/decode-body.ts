import { type JsonValue, parseJson } from '@unroll/engine';

export type DecodedBody =
  | { readonly kind: 'json'; readonly value: JsonValue }
  | { readonly kind: 'text'; readonly text: string }
  /** `message`: in Python's words. */
  | { readonly kind: 'no-text'; readonly message: string };

/** A body as Prompt flow reads it, whatever its content type: JSON in UTF-8 or UTF-16, else a text in UTF-8. */
export function decodeBody(bytes: Uint8Array): DecodedBody {
  try {
    const decoder = new TextDecoder(encodingOf(bytes), { fatal: true });
    return { kind: 'json', value: parseJson(decoder.decode(bytes)) };
  } catch {
    const wrong = invalidUtf8(bytes);
    if (wrong !== undefined) return { kind: 'no-text', message: wrong };
    return { kind: 'text', text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) };
  }
}

/** As Python's `json` tells encodings apart. */
function encodingOf([first, second, third, fourth]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0 && second !== 0 && second !== undefined) return 'utf-16be';
  if (second === 0 && (third !== 0 || fourth !== 0) && first !== undefined) return 'utf-16le';
  return 'utf-8';
}

/** Why bytes are no UTF-8, in Python's words; undefined where they are. */
function invalidUtf8(bytes: Uint8Array): string | undefined {
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (typeof length !== 'number') return length.message;
    at += length;
  }
  return undefined;
}

function sequenceLength(bytes: Uint8Array, at: number): number | { readonly message: string } {
  const first = bytes[at] ?? 0;
  const length = lengthBy(first);
  if (length === 0) return wrongBytes(bytes, at, 1, 'invalid start byte');
  for (let step = 1; step < length; step += 1) {
    const next = bytes[at + step];
    if (next === undefined) return wrongBytes(bytes, at, step, 'unexpected end of data');
    const [least, most] = step === 1 ? secondByte(first) : [0x80, 0xbf];
    if (next < least || next > most) return wrongBytes(bytes, at, step, 'invalid continuation byte');
  }
  return length;
}

/** How long the sequence is that a byte begins; 0 where none begins with it. */
function lengthBy(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

/** The second byte of a sequence may not make it longer than it need be, a surrogate, or larger than any character. */
function secondByte(first: number): readonly [least: number, most: number] {
  if (first === 0xe0) return [0xa0, 0xbf];
  if (first === 0xed) return [0x80, 0x9f];
  if (first === 0xf0) return [0x90, 0xbf];
  return first === 0xf4 ? [0x80, 0x8f] : [0x80, 0xbf];
}

function wrongBytes(bytes: Uint8Array, at: number, count: number, why: string): { readonly message: string } {
  const what =
    count === 1
      ? `byte 0x${(bytes[at] ?? 0).toString(16).padStart(2, '0')} in position ${at}`
      : `bytes in position ${at}-${at + count - 1}`;
  return { message: `'utf-8' codec can't decode ${what}: ${why}` };
}
