const wideLetters = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]|[\u{20000}-\u{3ffff}]/gu;

/**
 * About how many tokens a text has for an embedding model: one for each Japanese, Chinese or Korean letter, one for four of
 * the others. An estimate: every model counts in its own way.
 */
export function estimateTokens(text: string): number {
  const wide = text.match(wideLetters)?.join('') ?? '';
  return Array.from(wide).length + Math.ceil((text.length - wide.length) / 4);
}
