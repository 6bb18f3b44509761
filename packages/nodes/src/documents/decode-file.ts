/** The text of a file: UTF-8 or UTF-16 by its mark, as an HTML page says, else UTF-8, else CP932, the Shift_JIS of Windows. */
export function decodeFile(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const told = toldInPage(bytes);
  if (told !== undefined) return told;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return 'utf-8';
  } catch {
    return 'shift_jis';
  }
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
