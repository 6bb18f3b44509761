import { EncodingEvidence } from '@unroll/engine';

/**
 * The text of a file: UTF-8 or UTF-16 by its mark, as an HTML page says, else what most of its bytes speak for: UTF-8, CP932
 * (the Shift_JIS of Windows), EUC-JP, ISO-2022-JP or UTF-16.
 *
 * @throws Error when it is no text, or in none of these encodings
 */
export function decodeFile(bytes: Uint8Array): string {
  const text = new TextDecoder(markedEncoding(bytes) ?? guessedEncoding(bytes)).decode(bytes);
  if (text.includes('\0')) throw new Error('it is no text');
  return text;
}

function markedEncoding(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return toldInPage(bytes);
}

function guessedEncoding(bytes: Uint8Array): string {
  const evidence = new EncodingEvidence();
  evidence.add(bytes);
  const likely = evidence.decide();
  const encoding = likely === 'cp932' ? 'shift_jis' : likely;
  if (brokenShare(bytes, encoding) < maxBroken) return encoding;
  throw new Error('its encoding is not known: expected UTF-8, UTF-16, Shift_JIS (CP932) or EUC-JP');
}

/** A letter that is cut, or one of a private set, keeps no file from being read. */
const maxBroken = 0.01;

function brokenShare(bytes: Uint8Array, encoding: string): number {
  const text = new TextDecoder(encoding).decode(bytes);
  return (text.match(/\ufffd/gu)?.length ?? 0) / Math.max(1, text.length);
}

/** `<meta charset="euc-jp">` in the first kilobyte (WHATWG HTML, 13.2.3.2). */
function toldInPage(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  const [, label = ''] = /<meta[^>]+charset\s*=\s*["']?([\w-]+)/iu.exec(start) ?? [];
  try {
    return label === '' ? undefined : new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}
