/**
 * The text of a file: UTF-8 or UTF-16 by its mark, as an HTML page says, else UTF-8, else CP932 (the Shift_JIS of Windows) or
 * EUC-JP, whichever it can be; where it can be both, the one that gives fewer half-width kana.
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
  if (decoded(bytes, 'utf-8') !== undefined) return 'utf-8';
  const [windows, unix] = [decoded(bytes, 'shift_jis'), decoded(bytes, 'euc-jp')];
  if (unix !== undefined && (windows === undefined || halfKana(unix) < halfKana(windows))) return 'euc-jp';
  if (windows !== undefined || brokenShare(bytes) < mostBroken) return 'shift_jis';
  throw new Error('its encoding is not known: expected UTF-8, UTF-16, Shift_JIS (CP932) or EUC-JP');
}

/** undefined where it is not in this encoding. */
function decoded(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** A letter that is cut, or one of a private set, keeps no file from being read. */
const mostBroken = 0.01;

function brokenShare(bytes: Uint8Array): number {
  const text = new TextDecoder('shift_jis').decode(bytes);
  return (text.match(/\ufffd/gu)?.length ?? 0) / text.length;
}

function halfKana(text: string): number {
  return text.match(/[\uff61-\uff9f]/gu)?.length ?? 0;
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
