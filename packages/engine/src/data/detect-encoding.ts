/** An encoding data files come in; `cp932` is Windows' Shift_JIS, as Excel writes it in Japan. */
export type DataEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'cp932' | 'euc-jp' | 'iso-2022-jp';

export const dataEncodings: readonly DataEncoding[] = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'cp932',
  'euc-jp',
  'iso-2022-jp',
];

/** Names people write for the encodings. */
const aliases: Readonly<Record<string, DataEncoding>> = {
  utf8: 'utf-8',
  'utf-8-sig': 'utf-8',
  utf16: 'utf-16le',
  'utf-16': 'utf-16le',
  shift_jis: 'cp932',
  sjis: 'cp932',
  'shift-jis': 'cp932',
  ms932: 'cp932',
  'windows-31j': 'cp932',
  eucjp: 'euc-jp',
  jis: 'iso-2022-jp',
};

/** The encoding a name means; undefined for one that is not read. */
export function encodingNamed(name: string): DataEncoding | undefined {
  const lower = name.toLowerCase();
  return dataEncodings.find((encoding) => encoding === lower) ?? aliases[lower];
}

/** What people call it. */
export function encodingName(encoding: DataEncoding): string {
  return encoding.replace(/-?(le|be)$/, ' $1').toUpperCase();
}

/** The encoding a file says it has by its first bytes. */
export function encodingOfMark(start: Uint8Array): DataEncoding | undefined {
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return 'utf-8';
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  return undefined;
}
