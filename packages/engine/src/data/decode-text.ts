import { isUtf8 } from 'node:buffer';
import { type DataEncoding, encodingName } from './detect-encoding.ts';

/**
 * Decodes a stream of bytes; a byte order mark is not part of the text. Bytes that are none of the encoding are lone
 * surrogates, which no text has (U+DC80 to U+DCFF the bytes themselves, as Python's `surrogateescape`), so that what holds
 * them can be told from what does not, and fails alone.
 */
export async function* decodeText(
  bytes: AsyncIterable<Uint8Array>,
  encoding: DataEncoding,
): AsyncGenerator<string, void> {
  const decoder = decoders[encoding]();
  let isStart = true;
  for await (const chunk of bytes) {
    const text = decoder.take(chunk);
    if (text === '') continue;
    yield isStart ? withoutMark(text) : text;
    isStart = false;
  }
  const rest = decoder.end();
  if (rest !== '') yield isStart ? withoutMark(rest) : rest;
}

/** What is wrong with a text that holds undecodable bytes; undefined where it holds none. */
export function undecodable(text: string, encoding: DataEncoding): string | undefined {
  if (text.isWellFormed()) return undefined;
  const at = [...text].findIndex((character) => !character.isWellFormed());
  const code = [...text][at]?.charCodeAt(0) ?? 0;
  const what = code > bytesFrom && code <= bytesFrom + 0xff ? `byte 0x${hex(code - bytesFrom)}` : 'what stands';
  return `${what} at character ${at + 1} is no ${encodingName(encoding)}`;
}

function hex(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, '0');
}

function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

interface Decoder {
  take(chunk: Uint8Array): string;
  end(): string;
}

const decoders: Readonly<Record<DataEncoding, () => Decoder>> = {
  'utf-8': utf8Decoder,
  'utf-16le': () => utf16Decoder((bytes) => bytes),
  'utf-16be': () => utf16Decoder((bytes) => Buffer.from(bytes).swap16()),
  cp932: () => legacyDecoder('shift_jis'),
  'euc-jp': () => legacyDecoder('euc-jp'),
  'iso-2022-jp': () => legacyDecoder('iso-2022-jp'),
};

/** U+DC00 and the byte. */
const bytesFrom = 0xdc00;

function escapedByte(byte: number): string {
  return String.fromCharCode(bytesFrom + byte);
}

function utf8Decoder(): Decoder {
  let cut: Uint8Array = new Uint8Array();
  return {
    take(chunk) {
      const bytes = cut.length === 0 ? chunk : Buffer.concat([cut, chunk]);
      const end = lastWholeEnd(bytes);
      cut = bytes.subarray(end);
      return decodeUtf8(bytes.subarray(0, end));
    },
    end: () => decodeUtf8(cut),
  };
}

function decodeUtf8(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isUtf8(buffer) ? buffer.toString('utf8') : decodeBroken(buffer);
}

/** Line by line: few are broken, and only these are looked at byte by byte. */
function decodeBroken(buffer: Buffer): string {
  const parts: string[] = [];
  for (let start = 0; start < buffer.length; ) {
    const found = buffer.indexOf(0x0a, start);
    const end = found < 0 ? buffer.length : found + 1;
    const line = buffer.subarray(start, end);
    parts.push(isUtf8(line) ? line.toString('utf8') : decodeBrokenLine(line));
    start = end;
  }
  return parts.join('');
}

function decodeBrokenLine(line: Buffer): string {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < line.length; ) {
    const size = characterSize(line[at] as number);
    if (size === 1 ? (line[at] as number) < 0x80 : at + size <= line.length && isUtf8(line.subarray(at, at + size))) {
      at += size;
      continue;
    }
    parts.push(line.toString('utf8', start, at), escapedByte(line[at] as number));
    at += 1;
    start = at;
  }
  parts.push(line.toString('utf8', start));
  return parts.join('');
}

/** Where a character that is cut off at the end begins; the length where none is. */
export function lastWholeEnd(bytes: Uint8Array): number {
  const { length } = bytes;
  let last = length - 1;
  while (last > length - 4 && last > 0 && ((bytes[last] as number) & 0xc0) === 0x80) last -= 1;
  return last >= 0 && last + characterSize(bytes[last] as number) > length ? last : length;
}

function characterSize(first: number): number {
  if (first >= 0xf0) return 4;
  if (first >= 0xe0) return 3;
  return first >= 0xc0 ? 2 : 1;
}

/** A unit that is half of a character is a lone surrogate already. */
function utf16Decoder(littleEndian: (bytes: Uint8Array) => Uint8Array): Decoder {
  let cut: Uint8Array = new Uint8Array();
  return {
    take(chunk) {
      const bytes = cut.length === 0 ? chunk : Buffer.concat([cut, chunk]);
      const end = bytes.length - (bytes.length % 2);
      cut = bytes.subarray(end);
      const units = littleEndian(bytes.subarray(0, end));
      return Buffer.from(units.buffer, units.byteOffset, units.byteLength).toString('utf16le');
    },
    end: () => [...cut].map(escapedByte).join(''),
  };
}

/** None of these encodings has U+FFFD: it stands for what cannot be read. */
function legacyDecoder(label: string): Decoder {
  const decoder = new TextDecoder(label);
  const marked = (text: string): string => text.replaceAll('\uFFFD', '\uDC00');
  return { take: (chunk) => marked(decoder.decode(chunk, { stream: true })), end: () => marked(decoder.decode()) };
}
