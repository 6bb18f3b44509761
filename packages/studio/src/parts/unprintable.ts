/**
 * Characters that draw nothing, or move what is drawn: controls of ASCII and Latin-1 but for tab and line feed, direction marks,
 * spaces without width, separators of lines. Joiners are left: emoji and Persian words are made with them. One group, so that a split keeps them.
 */
export const unprintables =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /([\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb])/u;

const names: Readonly<Record<string, string>> = {
  '\u0000': 'NUL',
  '\u0007': 'BEL',
  '\u0008': 'BS',
  '\u000d': 'CR',
  '\u001b': 'ESC',
  '\u007f': 'DEL',
  '\u00ad': 'SHY',
  '\u061c': 'ALM',
  '\u200b': 'ZWSP',
  '\u200e': 'LRM',
  '\u200f': 'RLM',
  '\u2028': 'LS',
  '\u2029': 'PS',
  '\u202a': 'LRE',
  '\u202b': 'RLE',
  '\u202c': 'PDF',
  '\u202d': 'LRO',
  '\u202e': 'RLO',
  '\u2060': 'WJ',
  '\u2066': 'LRI',
  '\u2067': 'RLI',
  '\u2068': 'FSI',
  '\u2069': 'PDI',
  '\ufeff': 'BOM',
};

/** `RLO` for U+202E; those without a name by their number. */
export function unprintableName(mark: string): string {
  return names[mark] ?? `U+${(mark.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
