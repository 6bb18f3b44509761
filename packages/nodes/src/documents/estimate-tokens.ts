/**
 * About how many tokens a text has for an embedding model: one for each Japanese, Chinese or Korean letter, one for four of
 * the others. An estimate: every model counts in its own way.
 */
export function estimateTokens(text: string): number {
  let wide = 0;
  let others = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (!isWide(code)) others += 1;
    else {
      wide += 1;
      if (isFirstHalf(code)) at += 1;
    }
  }
  return wide + Math.ceil(others / 4);
}

function isWide(code: number): boolean {
  if (code < 0x2e80) return false;
  if (code <= 0x9fff) return true;
  if (code >= 0xff00) return code <= 0xffef;
  return (code >= 0xac00 && code <= 0xd7af) || (code >= 0xf900 && code <= 0xfaff) || isFirstHalf(code);
}

/** Of a letter from U+20000 up to U+3FFFF. */
function isFirstHalf(code: number): boolean {
  return code >= 0xd840 && code <= 0xd8bf;
}
